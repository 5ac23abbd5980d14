package io.ecfs.message.snapshot;

import io.ecfs.message.Message;
import java.util.Objects;
import java.util.Optional;

/**
 * Requests between namenodes beside Raft: identity of the log, and its state for a namenode that lags too far; also
 * used by backups.
 */
public sealed interface SnapshotRequest extends Message {
    /**
     * Pins the newest checkpoint for a while. Answered by {@link SnapshotReply.Manifest}.
     *
     * @param fresh true: of the state as it is now, for a backup; an earlier release serves the checkpoint that it has
     */
    record OpenSnapshot(Optional<Boolean> fresh) implements SnapshotRequest {
        /** Whichever checkpoint leads to the log. */
        public OpenSnapshot() {
            this(Optional.empty());
        }

        public OpenSnapshot {
            Objects.requireNonNull(fresh, "fresh");
        }
    }

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
