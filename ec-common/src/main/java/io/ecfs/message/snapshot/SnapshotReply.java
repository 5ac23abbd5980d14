package io.ecfs.message.snapshot;

import io.ecfs.message.Message;
import java.util.List;
import java.util.Objects;

/** Answers to {@link SnapshotRequest}. */
public sealed interface SnapshotReply extends Message {
    /** @param snapshot name to ask with; term and index are the last log entry it holds */
    record Manifest(String snapshot, long term, long index, List<SnapshotFile> files) implements SnapshotReply {
        public Manifest {
            Objects.requireNonNull(snapshot, "snapshot");
            files = List.copyOf(files);
        }
    }

    /** @param crc32c of the whole file */
    record SnapshotFile(String name, long bytes, int crc32c) {}

    /** The payload holds the bytes. */
    record Bytes(int bytes) implements SnapshotReply {}

    record Closed() implements SnapshotReply {}

    /**
     * @param clusterId of the cluster; empty, as is {@code log}, when the namenode's directory is empty and it has no
     *     log yet
     * @param log random identity that the log got when it was formatted, a uuid
     * @param term newest Raft term that the namenode knows
     * @param lastTerm term of the last entry that it has in its log or its state, 0 for none
     * @param lastIndex index of that entry, -1 for none
     */
    record LogDescription(String clusterId, String log, long term, long lastTerm, long lastIndex)
            implements SnapshotReply {
        public LogDescription {
            Objects.requireNonNull(clusterId, "clusterId");
            Objects.requireNonNull(log, "log");
        }
    }
}
