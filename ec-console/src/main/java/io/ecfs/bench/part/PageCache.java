package io.ecfs.bench.part;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The machine's page cache. */
public final class PageCache {
    private static final Path DROP_CACHES = Path.of("/proc/sys/vm/drop_caches");

    private PageCache() {}

    /** Writes it to the disks and empties it; false when this user may not. */
    public static boolean empty() throws IOException, InterruptedException {
        if (!Files.isWritable(DROP_CACHES)) {
            return false;
        }
        TimedParts.flushDisks();
        Files.writeString(DROP_CACHES, "3");
        return true;
    }
}
