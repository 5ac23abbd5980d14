package io.ecfs.fault.inject;

import io.ecfs.error.EcfsException;
import java.io.IOException;
import java.nio.file.Path;

/** File systems that the lab mounts. Needs root. */
final class Mounts {
    private Mounts() {}

    /** Mounts it read-only; where files are open for writing, which the kernel calls busy, they are made immutable. */
    static Undo makeReadOnly(Path directory) throws IOException {
        try {
            SystemCommand.run("mount", "-o", "remount,ro", directory.toString());
        } catch (EcfsException busy) {
            return ImmutableFiles.set(directory);
        }
        return () -> SystemCommand.run("mount", "-o", "remount,rw", directory.toString());
    }

    /** Unmounts it; what is still in use is detached, and goes when that ends. */
    static void unmount(Path directory) throws IOException {
        try {
            SystemCommand.run("umount", directory.toString());
        } catch (EcfsException busy) {
            SystemCommand.run("umount", "-l", directory.toString());
        }
    }
}
