package io.ecfs.bench.bed.erails.cluster;

import io.ecfs.bench.system.OwnCluster;
import io.ecfs.console.local.ClusterPlan;
import io.ecfs.env.real.DirectoryTree;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A directory for the journals of a cluster on another device than its volumes: memory if there is any. */
final class JournalPlace implements OwnCluster.Preparation {
    private static final Path MEMORY = Path.of("/dev/shm");

    private final long bytes;
    private final Optional<Path> chosen;
    private volatile Optional<Path> made = Optional.empty();

    /**
     * @param bytes of a volume's journal
     * @param chosen where it is made; empty: in memory if there is any, on another device than the cluster's directory
     */
    JournalPlace(long bytes, Optional<Path> chosen) {
        this.bytes = bytes;
        this.chosen = chosen;
    }

    @Override
    public List<String> before(Path directory, ClusterPlan plan) throws IOException {
        Path parent = chosen.isPresent() ? chosen.get() : parent(List.of(directory));
        long needed = bytes * plan.datanodes().size();
        if (Files.getFileStore(parent).getUsableSpace() < needed) {
            throw new EcfsException(
                    ErrorCode.NO_SPACE, "journals take " + (needed >> 20) + " MiB in " + parent + ", which has less");
        }
        Path journals = Files.createTempDirectory(parent, "ecfs-bench-journals-");
        made = Optional.of(journals);
        return List.of(
                "datanode.store.journal.directory=" + journals,
                "datanode.store.journal.bytes=" + bytes,
                "datanode.store.journal.direct=false");
    }

    /**
     * A directory of this machine on another device than all these: in memory if there is any.
     *
     * @throws EcfsException when there is none
     */
    static Path parent(List<Path> volumes) throws IOException {
        Set<Object> taken = new HashSet<>();
        for (Path volume : volumes) {
            taken.add(device(volume));
        }
        for (Path place : List.of(MEMORY, Path.of(System.getProperty("java.io.tmpdir")))) {
            if (Files.isWritable(place) && !taken.contains(device(place))) {
                return place;
            }
        }
        throw new EcfsException(
                ErrorCode.INVALID_ARGUMENT,
                "journals need another device than " + volumes + ", and neither " + MEMORY
                        + " nor the directory of temporary files is on one: choose other directories for volumes");
    }

    /** Number of the device that a path lies on. */
    static Object device(Path path) throws IOException {
        return Files.getAttribute(path, "unix:dev");
    }

    @Override
    public void stopping() {
        // daemons have it open
    }

    @Override
    public void stopped() {
        made.ifPresent(directory -> {
            try {
                DirectoryTree.delete(directory);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot remove " + directory + "; remove it by hand", e);
            }
        });
    }
}
