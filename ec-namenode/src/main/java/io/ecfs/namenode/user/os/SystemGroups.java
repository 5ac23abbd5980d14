package io.ecfs.namenode.user.os;

import io.ecfs.namenode.user.GroupSource;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Groups of a user by the operating system, NSS and what is behind it (sssd, winbind) included (Hadoop:
 * ShellBasedUnixGroupsMapping). The name is an argument of {@code id}, never a part of a shell's line.
 */
final class SystemGroups implements GroupSource {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** Less than the capacity of a pipe that is not read. */
    private static final int MOST_BYTES = 32 << 10;

    private final List<String> command;
    private final Duration patience;

    public SystemGroups() {
        this(List.of("id", "-Gn", "--"), PATIENCE);
    }

    /** @param command to which the user's name is added */
    SystemGroups(List<String> command, Duration patience) {
        this.command = command;
        this.patience = patience;
    }

    @Override
    public List<String> groupsOf(String user) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        Stream.concat(command.stream(), Stream.of(user)).toList())
                .redirectInput(Redirect.from(new java.io.File("/dev/null")))
                .redirectError(Redirect.DISCARD);
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        try {
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException(command.get(0) + " did not end within " + patience.toMillis() + " ms");
            }
            String said = new String(process.getInputStream().readNBytes(MOST_BYTES), StandardCharsets.UTF_8).strip();
            // For an unknown user the output is empty; where only some groups have no name, it fails but prints the
            // others.
            return said.isEmpty() ? List.of() : List.of(said.split("\\s+", -1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + command.get(0) + " ran", e);
        } finally {
            process.destroyForcibly();
        }
    }
}
