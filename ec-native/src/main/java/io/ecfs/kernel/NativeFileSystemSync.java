package io.ecfs.kernel;

import io.ecfs.env.FileSystemSync;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** {@code syncfs} of Linux; found by {@link java.util.ServiceLoader}. It shares the library of the kernels, which datanodes load anyway. */
public final class NativeFileSystemSync implements FileSystemSync {
    @Override
    public Optional<String> failure() {
        return NativeLibrary.failure();
    }

    @Override
    public void sync(Path directory) throws IOException {
        String reason = NativeCalls.syncFileSystem(directory.toString());
        if (reason != null) {
            throw new IOException("cannot sync the file system of " + directory + ": " + reason);
        }
    }
}
