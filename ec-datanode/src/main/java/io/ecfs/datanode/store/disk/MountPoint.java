package io.ecfs.datanode.store.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Detects whether a file system is mounted at a directory. */
public final class MountPoint {
    private MountPoint() {}

    /** Returns whether the directory lies on another device than its parent; links are followed. */
    public static boolean at(Path directory) throws IOException {
        Path real = directory.toRealPath();
        return real.getParent() == null || device(real) != device(real.getParent());
    }

    private static long device(Path path) throws IOException {
        return (Long) Files.getAttribute(path, "unix:dev");
    }
}
