package io.ecfs.message;

import java.util.Objects;

/** What namenodes ask each other beside Raft: which log they have, and its state for one that was away too long. */
public sealed interface SnapshotRequest extends Message {
    /** Pins the newest checkpoint for a while. Answered by {@link SnapshotReply.Manifest}. */
    record OpenSnapshot() implements SnapshotRequest {}

    /** Answered by {@link SnapshotReply.Bytes}. */
    record ReadSnapshot(String snapshot, String file, long offset, int bytes) implements SnapshotRequest {
        public ReadSnapshot {
            Objects.requireNonNull(snapshot, "snapshot");
            Objects.requireNonNull(file, "file");
            if (offset < 0 || bytes <= 0) {
                throw new IllegalArgumentException("snapshot read of " + bytes + " bytes at " + offset);
            }
        }
    }

    /** Asks which log the other has, and how far it reaches. Answered by {@link SnapshotReply.LogDescription}. */
    record DescribeLog() implements SnapshotRequest {}

    /** Lets the checkpoint go. Answered by {@link SnapshotReply.Closed}. */
    record CloseSnapshot(String snapshot) implements SnapshotRequest {}
}
