package io.ecfs.message;

import java.util.Objects;

/** How a namenode that was away too long fetches a checkpoint of the state from another. */
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

    /** Lets the checkpoint go. Answered by {@link SnapshotReply.Closed}. */
    record CloseSnapshot(String snapshot) implements SnapshotRequest {}
}
