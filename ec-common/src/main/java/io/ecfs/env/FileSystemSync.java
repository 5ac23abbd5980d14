package io.ecfs.env;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Puts all that was written to a file system on disk in one call ({@code syncfs}), which Java alone cannot. Adapters
 * are found by {@link java.util.ServiceLoader}; any thread.
 */
public interface FileSystemSync {
    /** Reason why this adapter cannot be used here; empty when it can. */
    Optional<String> failure();

    /**
     * Returns when bytes and names of all files of the file system are on disk, those of other processes included.
     *
     * @param directory on that file system
     * @throws IOException when the directory cannot be opened, or something could not be written since the last call
     */
    void sync(Path directory) throws IOException;
}
