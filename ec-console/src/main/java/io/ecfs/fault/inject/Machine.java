package io.ecfs.fault.inject;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What faults may use of this machine.
 *
 * @param root whether this process may mount and set file attributes
 * @param deviceMapper whether the kernel has it
 */
public record Machine(boolean root, boolean deviceMapper) {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path MISC = Path.of("/proc/misc");

    /** The machine that this process runs on. */
    public static Machine here() {
        return new Machine(
                hasLine(STATUS, line -> line.matches("Uid:\\s+\\d+\\s+0\\s.*")),
                hasLine(MISC, line -> line.endsWith("device-mapper")));
    }

    private static boolean hasLine(Path file, java.util.function.Predicate<String> wanted) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.anyMatch(wanted);
        } catch (IOException notLinux) {
            return false;
        }
    }
}
