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
        if (ended(process) && process.exitValue() == 0) {
            return printed;
        }
        process.destroyForcibly();
        throw new EcfsException(
                ErrorCode.INTERNAL,
                "'" + String.join(" ", List.of(command)) + "' failed: "
                        + printed.lines().findFirst().orElse("no output"));
    }

    /** Waits also when interrupted: a mount that is half made could not be undone. */
    private static boolean ended(Process process) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
