package io.ecfs.namenode.log.ratis;

import io.ecfs.env.real.DirectoryTree;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this namenode started on an empty directory and has not caught up since. It may have acknowledged entries, and voted,
 * before its disk was lost; if it now voted for a candidate that misses those entries, they would be gone although a majority had
 * them. So until it has caught up it votes only for candidates with (nearly) no log: those of a cluster that is being founded.
 * A marker file keeps that over restarts.
 */
final class Joining {
    /** A log that ends before this index holds no more than the first entries of a few leaders. */
    private static final long FOUNDING_ENTRIES = 8;

    private static final Logger LOG = LoggerFactory.getLogger(Joining.class);

    private final String id;
    private final Path marker;
    private volatile boolean joining;

    private Joining(String id, Path marker, boolean joining) {
        this.id = id;
        this.marker = marker;
        this.joining = joining;
    }

    /**
     * To be asked before Ratis writes its first file.
     *
     * @param raft directory of the Raft log
     * @param alone a group of one has nobody to vote for
     */
    static Joining open(String id, Path raft, boolean alone) throws IOException {
        Path marker = raft.resolveSibling("joining");
        boolean empty;
        try (DirectoryStream<Path> found = Files.newDirectoryStream(raft)) {
            empty = !found.iterator().hasNext();
        }
        if (empty && !alone && !Files.exists(marker)) {
            Files.createFile(marker);
            DirectoryTree.sync(marker.getParent());
        }
        return new Joining(id, marker, !alone && Files.exists(marker));
    }

    /** @param lastIndex last entry of the candidate's log, -1 when it has none */
    boolean mayVoteFor(long lastIndex) {
        return !joining || lastIndex < FOUNDING_ENTRIES;
    }

    boolean over() {
        return !joining;
    }

    /** All that was committed before it began to join is here. */
    void caughtUp() {
        if (!joining) {
            return;
        }
        joining = false;
        try {
            Files.deleteIfExists(marker);
            LOG.info("event=namenode_joined namenode={}", id);
        } catch (IOException e) {
            LOG.warn("event=joining_marker_not_deleted file={} error={}", marker, e.toString());
        }
    }
}
