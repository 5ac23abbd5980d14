package io.ecfs.datanode.store.disk;

import io.ecfs.env.real.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Makes a directory whose name survives the loss of power, which it does once the directory that names it is synced
 * (POSIX).
 */
final class NewDirectories {
    private NewDirectories() {}

    interface Sync {
        /** Puts the names in this directory on disk. */
        void names(Path directory) throws IOException;
    }

    /**
     * Makes the directory, its owner's alone, and those above it that are not there, from the top. One that is there
     * already is synced too, since who made it may have been cut off before; unless it lies in a directory that this
     * process may not read, which is the operator's.
     */
    static void create(Path directory, Sync sync) throws IOException {
        Deque<Path> missing = new ArrayDeque<>();
        for (Path at = directory; at != null && !Files.isDirectory(at); at = at.getParent()) {
            missing.push(at);
        }
        if (missing.isEmpty() && directory.getParent() != null && Files.isReadable(directory.getParent())) {
            missing.push(directory);
        }
        for (Path each : missing) {
            if (each.equals(directory)) {
                PrivateFiles.createDirectory(each);
            } else {
                Files.createDirectories(each);
            }
            sync.names(each.getParent());
        }
    }
}
