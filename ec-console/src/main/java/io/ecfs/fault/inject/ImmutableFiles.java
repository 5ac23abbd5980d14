package io.ecfs.fault.inject;

import java.io.IOException;
import java.nio.file.Path;

/** The immutable attribute of all files and directories below one (chattr): they take no change. Needs root. */
final class ImmutableFiles {
    private ImmutableFiles() {}

    static Undo set(Path directory) throws IOException {
        try {
            SystemCommand.run("chattr", "-R", "+i", directory.toString());
        } catch (IOException e) { // a file was deleted meanwhile; others are immutable
            SystemCommand.run("chattr", "-R", "-f", "-i", directory.toString());
            throw e;
        }
        return () -> SystemCommand.run("chattr", "-R", "-i", directory.toString());
    }
}
