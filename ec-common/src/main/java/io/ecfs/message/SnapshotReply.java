package io.ecfs.message;

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
}
