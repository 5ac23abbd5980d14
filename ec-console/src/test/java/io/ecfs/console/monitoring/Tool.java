package io.ecfs.console.monitoring;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** A program of Debian's packages prometheus and prometheus-alertmanager. Tests without it are skipped. */
public final class Tool {
    private Tool() {}

    /** Exit status, and all output. */
    public record Result(int status, String output) {}

    /** @param input of the program, which ends by itself */
    public static Result run(String input, String name, String... arguments) throws IOException, InterruptedException {
        String[] command = new String[arguments.length + 1];
        command[0] = path(name).toString();
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), output);
    }

    public static Path path(String name) {
        Path path = Path.of("/usr/bin", name);
        Assumptions.assumeTrue(Files.isExecutable(path), path + " is not installed");
        return path;
    }
}
