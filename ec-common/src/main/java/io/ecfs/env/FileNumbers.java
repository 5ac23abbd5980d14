package io.ecfs.env;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The numbers of open files (descriptors) in this process, by which one process passes another a file that it has open;
 * Java alone does not show them. Adapters are found by {@link java.util.ServiceLoader}; any thread.
 */
public interface FileNumbers {
    /** Reason why this adapter cannot be used here; empty when it can. */
    Optional<String> failure();

    /**
     * Opens a regular file for reading alone; a symbolic link is refused.
     *
     * @return its number, which the caller closes or passes on
     */
    int openToRead(Path file) throws IOException;

    /** The file of a number, which belongs to the channel from here on: closing it closes the number. */
    FileChannel adopt(int number) throws IOException;
}
