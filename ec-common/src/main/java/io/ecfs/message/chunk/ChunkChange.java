package io.ecfs.message.chunk;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.ecfs.code.ParityCheck;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.VolumeId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** One change on one volume. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
@JsonSubTypes({
    @JsonSubTypes.Type(value = ChunkChange.Present.class, name = "present"),
    @JsonSubTypes.Type(value = ChunkChange.Gone.class, name = "gone"),
    @JsonSubTypes.Type(value = ChunkChange.Fenced.class, name = "fenced"),
    @JsonSubTypes.Type(value = ChunkChange.RepairFailed.class, name = "repairFailed"),
    @JsonSubTypes.Type(value = ChunkChange.ParityChecked.class, name = "parityChecked"),
    @JsonSubTypes.Type(value = ChunkChange.Compared.class, name = "compared"),
    @JsonSubTypes.Type(value = ChunkChange.Rewritten.class, name = "rewritten")
})
public sealed interface ChunkChange {
    VolumeId volume();

    /** The chunk whose presence or absence the volume reports; empty for outcomes that say nothing of what it has. */
    Optional<ChunkId> reportedChunk();

    /**
     * The chunk is now as the record says: opened, finalised, or found corrupt.
     *
     * @param work what it took, when this answers an order to rebuild the chunk
     */
    record Present(VolumeId volume, ChunkRecord record, Optional<RebuildWork> work) implements ChunkChange {
        public Present {
            Objects.requireNonNull(volume, "volume");
            Objects.requireNonNull(record, "record");
            Objects.requireNonNull(work, "work");
        }

        public Present(VolumeId volume, ChunkRecord record) {
            this(volume, record, Optional.empty());
        }

        @Override
        public Optional<ChunkId> reportedChunk() {
            return Optional.of(record.chunk());
        }
    }

    /** The chunk is not there: deleted on order, or ordered and never known. */
    record Gone(VolumeId volume, ChunkId chunk) implements ChunkChange {
        @Override
        public Optional<ChunkId> reportedChunk() {
            return Optional.of(chunk);
        }
    }

    /**
     * {@code fence} shuts out the old writer of an open chunk; neither the record's length nor the tail log changes any
     * more.
     *
     * @param tail what the log covers; empty for nothing
     * @param interrupted whether its tail log has lost a record, or its datanode has started since the chunk was
     *     opened: it may have lost unsynced bytes in a power failure, so what it lacks proves nothing
     */
    record Fenced(VolumeId volume, ChunkRecord record, long fence, Optional<TailCoverage> tail, boolean interrupted)
            implements ChunkChange {
        public Fenced {
            Objects.requireNonNull(volume, "volume");
            Objects.requireNonNull(record, "record");
            Objects.requireNonNull(tail, "tail");
        }

        /** For a chunk without a tail log, whose datanode has run since it was opened. */
        public Fenced(VolumeId volume, ChunkRecord record, long fence) {
            this(volume, record, fence, Optional.empty(), false);
        }

        @Override
        public Optional<ChunkId> reportedChunk() {
            return Optional.of(record.chunk());
        }
    }

    /**
     * The chunk could not be rebuilt as ordered, for this reason; nothing of it is left on disk.
     *
     * @param work that was spent on it
     * @param disputed the chunk that it was to replace, when what was computed differs from it though both match their
     *     checksums; the chunk itself, when different sources gave different bytes for it
     */
    record RepairFailed(
            VolumeId volume, ChunkId chunk, String reason, Optional<RebuildWork> work, Optional<ChunkId> disputed)
            implements ChunkChange {
        public static final int MAX_REASON = 1000;

        public RepairFailed {
            Objects.requireNonNull(volume, "volume");
            Objects.requireNonNull(chunk, "chunk");
            reason = reason.length() <= MAX_REASON ? reason : reason.substring(0, MAX_REASON);
            Objects.requireNonNull(work, "work");
            Objects.requireNonNull(disputed, "disputed");
        }

        public RepairFailed(VolumeId volume, ChunkId chunk, String reason, Optional<RebuildWork> work) {
            this(volume, chunk, reason, work, Optional.empty());
        }

        @Override
        public Optional<ChunkId> reportedChunk() {
            return Optional.empty();
        }
    }

    /**
     * Result of a check of a group's parity. It says nothing about the content of the volume.
     *
     * @param wrong the chunk that does not belong to the others
     * @param finding as {@link io.ecfs.code.ParityCheck.Finding}; empty: not all chunks could be read
     */
    record ParityChecked(VolumeId volume, GroupId group, Optional<ParityCheck.Finding> finding, Optional<ChunkId> wrong)
            implements ChunkChange {
        public ParityChecked {
            Objects.requireNonNull(volume, "volume");
            Objects.requireNonNull(group, "group");
            Objects.requireNonNull(finding, "finding");
            Objects.requireNonNull(wrong, "wrong");
        }

        @Override
        public Optional<ChunkId> reportedChunk() {
            return Optional.empty();
        }
    }

    /**
     * Result of a comparison of two chunks. It says nothing about the content of the volume.
     *
     * @param alike whether the chunk that takes the place has the bytes of the old one; empty: one of them could not be
     *     read
     */
    record Compared(VolumeId volume, ChunkId fresh, ChunkId old, Optional<Boolean> alike) implements ChunkChange {
        public Compared {
            Objects.requireNonNull(volume, "volume");
            Objects.requireNonNull(fresh, "fresh");
            Objects.requireNonNull(old, "old");
            Objects.requireNonNull(alike, "alike");
        }

        @Override
        public Optional<ChunkId> reportedChunk() {
            return Optional.empty();
        }
    }

    /**
     * Result of an order to fill a group. It says nothing about the content of the volume.
     *
     * @param stamp of the group that was ordered: its number alone may be another group's, from before the namenodes'
     *     state was rolled back; empty: the datanode is of a release that does not report it
     * @param length user bytes that it was filled with
     * @param finished its chunks, which are on disk; none when it was not filled
     * @param reason why not; empty text otherwise
     */
    record Rewritten(
            VolumeId volume, GroupId group, Optional<Integer> stamp, long length, List<ChunkId> finished, String reason)
            implements ChunkChange {
        public static final int MAX_REASON = 1000;

        public Rewritten {
            Objects.requireNonNull(volume, "volume");
            Objects.requireNonNull(group, "group");
            Objects.requireNonNull(stamp, "stamp");
            finished = List.copyOf(finished);
            reason = reason.length() <= MAX_REASON ? reason : reason.substring(0, MAX_REASON);
        }

        @Override
        public Optional<ChunkId> reportedChunk() {
            return Optional.empty();
        }
    }
}
