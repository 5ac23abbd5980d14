package io.ecfs.console.cluster;

import io.ecfs.env.real.DirectoryTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Journals in memory for the volumes of a test cluster with a ring: on another device than those. */
final class TestJournals implements AutoCloseable {
    private static final Path MEMORY = Path.of("/dev/shm");

    private final Path directory;

    TestJournals() throws IOException {
        directory = Files.createTempDirectory(MEMORY, "ecfs-test-journals-");
    }

    /** For {@link TestCluster#start}. */
    String[] overrides() {
        return new String[] {
            "datanode.store.journal.directory=" + directory,
            "datanode.store.journal.bytes=256m",
            "datanode.store.journal.direct=false"
        };
    }

    /** After the cluster. */
    @Override
    public void close() throws IOException {
        DirectoryTree.delete(directory);
    }
}
