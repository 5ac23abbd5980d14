package io.ecfs.fault.inject;

import java.io.IOException;
import java.nio.file.Path;

/** The immutable attribute of all files and directories below one (chattr): they take no change. Needs root. */
final class ImmutableFiles {
    private ImmutableFiles() {}

    static Undo set(Path directory) throws IOException {
        SystemCommand.run("chattr", "-R", "+i", directory.toString());
        return () -> SystemCommand.run("chattr", "-R", "-i", directory.toString());
    }
}
