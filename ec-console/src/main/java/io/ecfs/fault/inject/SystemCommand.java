package io.ecfs.fault.inject;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Commands of the system, as {@code mount}. */
final class SystemCommand {
    private static final int PATIENCE_SECONDS = 30;

    private SystemCommand() {}

    /**
     * Runs one and returns what it printed.
     *
     * @throws EcfsException {@code INTERNAL} with its first line when it fails
     */
    static String run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        try {
            if (process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0) {
                return printed;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
        throw new EcfsException(
                ErrorCode.INTERNAL,
                "'" + String.join(" ", List.of(command)) + "' failed: "
                        + printed.lines().findFirst().orElse("no output"));
    }
}
