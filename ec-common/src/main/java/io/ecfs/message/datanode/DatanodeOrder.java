package io.ecfs.message.datanode;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.TailSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Orders of the leader to a datanode. Every order may arrive twice or late and must then do no harm. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "order")
@JsonSubTypes({
    @JsonSubTypes.Type(value = DatanodeOrder.Delete.class, name = "delete"),
    @JsonSubTypes.Type(value = DatanodeOrder.Fence.class, name = "fence"),
    @JsonSubTypes.Type(value = DatanodeOrder.Finalise.class, name = "finalise"),
    @JsonSubTypes.Type(value = DatanodeOrder.FillTail.class, name = "fillTail"),
    @JsonSubTypes.Type(value = DatanodeOrder.FillStripes.class, name = "fillStripes"),
    @JsonSubTypes.Type(value = DatanodeOrder.Rebuild.class, name = "rebuild"),
    @JsonSubTypes.Type(value = DatanodeOrder.ReportFully.class, name = "reportFully"),
    @JsonSubTypes.Type(value = DatanodeOrder.Verify.class, name = "verify"),
    @JsonSubTypes.Type(value = DatanodeOrder.CheckParity.class, name = "checkParity"),
    @JsonSubTypes.Type(value = DatanodeOrder.Compare.class, name = "compare"),
    @JsonSubTypes.Type(value = DatanodeOrder.Condemn.class, name = "condemn"),
    @JsonSubTypes.Type(value = DatanodeOrder.Rewrite.class, name = "rewrite")
})
public sealed interface DatanodeOrder {
    VolumeId volume();

    /**
     * The log says this chunk is garbage. Answered by {@link ChunkChange.Gone}, also when it is not there. A chunk with
     * the same id and another stamp is another group's and stays: it is reported by a {@link ChunkChange.Present} after
     * that.
     */
    record Delete(VolumeId volume, ChunkId chunk, int stamp) implements DatanodeOrder {}

    /**
     * Shuts out the chunk's writer for good. Answered by {@link ChunkChange.Fenced}, or by {@link ChunkChange.Gone}.
     *
     * @param fence grows from round to round of recovery, across leaders
     */
    record Fence(VolumeId volume, ChunkId chunk, long fence) implements DatanodeOrder {}

    /**
     * Publishes a chunk left open by its writer, cut to {@code chunkBytes}; a chunk that is finalised with this group
     * length stays. Answered by {@link ChunkChange.Present}.
     */
    record Finalise(VolumeId volume, ChunkId chunk, long chunkBytes, long groupLength) implements DatanodeOrder {}

    /**
     * Writes to an open chunk, whose writer is fenced, its cell of the tail of a group of this length; the tail's bytes
     * are in the tail logs of {@code sources}. The chunk stays open, and its log remains. Answered by
     * {@link ChunkChange.Present}.
     *
     * @param fence of the round of recovery that found this length: if a later one has fenced the chunk, nothing is
     *     done
     */
    record FillTail(
            VolumeId volume,
            ChunkId chunk,
            long fence,
            Policy policy,
            long groupLength,
            List<TailSource> sources,
            BlockToken token)
            implements DatanodeOrder {
        public FillTail {
            Objects.requireNonNull(volume, "volume");
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(policy, "policy");
            Objects.requireNonNull(token, "token");
            sources = List.copyOf(sources);
        }
    }

    /**
     * Writes to an open chunk, whose writer is fenced, the cells that it lacks of the full stripes of a group of this
     * length, computed from other chunks. The chunk stays open. Answered by {@link ChunkChange.Present}.
     *
     * @param fence as in {@link FillTail}
     * @param sources chunks that have all full stripes, at most one for each index
     */
    record FillStripes(
            VolumeId volume,
            ChunkId chunk,
            long fence,
            Policy policy,
            long groupLength,
            List<ChunkLocation> sources,
            BlockToken token)
            implements DatanodeOrder {
        public FillStripes {
            Objects.requireNonNull(volume, "volume");
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(policy, "policy");
            Objects.requireNonNull(token, "token");
            sources = List.copyOf(sources);
        }
    }

    /**
     * Rebuilds this chunk from others of its sealed group and publishes it here, verified and on disk. Answered by
     * {@link ChunkChange.Present}, also when it is there already, or by {@link ChunkChange.RepairFailed}.
     *
     * @param groupLength user bytes of the group
     * @param writer which the chunk carries while it is written: the fence of this one repair
     * @param sources chunks of the group that can be read, at most one for each index. One of the index itself, of an
     *     older generation, is to be copied; the others are for when that fails
     * @param original the chunk to replace, if it can still be read: the rebuilt chunk must have its checksums. LIVE:
     *     nothing replaces it before they were compared; LAST_RESORT: its volume failed, and its checksums may be
     *     unreadable. MISSING: it was found wrong, and is not read; the whole replacement is cross-checked
     * @param calm nothing is lost or in danger: requests of users go first
     * @param token to read them
     */
    record Rebuild(
            VolumeId volume,
            ChunkId chunk,
            Policy policy,
            long groupLength,
            long writer,
            List<ChunkLocation> sources,
            Optional<ChunkLocation> original,
            boolean calm,
            BlockToken token)
            implements DatanodeOrder {
        public Rebuild {
            Objects.requireNonNull(original, "original");
            Objects.requireNonNull(volume, "volume");
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(policy, "policy");
            Objects.requireNonNull(token, "token");
            sources = List.copyOf(sources);
        }
    }

    /**
     * Reads these chunks of a sealed group and compares the parity with the data; the others are erasures. Answered by
     * {@link ChunkChange.ParityChecked}, unless a later order for the group takes its place.
     *
     * @param volume one of the datanode that executes it
     * @param chunks in the order of their indexes: enough to compute all n without any one of them
     * @param token to read them
     */
    record CheckParity(
            VolumeId volume,
            GroupId group,
            Policy policy,
            long groupLength,
            List<ChunkLocation> chunks,
            BlockToken token)
            implements DatanodeOrder {
        public CheckParity {
            Objects.requireNonNull(volume, "volume");
            Objects.requireNonNull(group, "group");
            Objects.requireNonNull(policy, "policy");
            Objects.requireNonNull(token, "token");
            chunks = List.copyOf(chunks);
        }
    }

    /**
     * Reads a chunk whole and compares it with the checksums of the one that it stands in for. Answered by
     * {@link ChunkChange.Compared}, unless a later order for the old chunk takes its place.
     *
     * @param volume one of the datanode that executes it, which has neither chunk
     * @param fresh the chunk that takes the place
     * @param old the chunk that is garbage when they are alike
     * @param bytes of both
     * @param token to read them
     */
    record Compare(VolumeId volume, ChunkLocation fresh, ChunkLocation old, int bytes, BlockToken token)
            implements DatanodeOrder {
        public Compare {
            Objects.requireNonNull(volume, "volume");
            Objects.requireNonNull(fresh, "fresh");
            Objects.requireNonNull(old, "old");
            Objects.requireNonNull(token, "token");
            if (bytes <= 0) {
                throw new IllegalArgumentException("comparison of " + bytes + " bytes of " + old.chunk());
            }
        }
    }

    /**
     * Marks a chunk corrupt that the others of its group prove wrong, even if its checksums match. Answered by
     * {@link ChunkChange.Present}.
     */
    record Condemn(VolumeId volume, ChunkId chunk) implements DatanodeOrder {}

    /**
     * Fills an open group with bytes of sealed ones, encodes it and publishes its chunks, on disk. Answered by {@link
     * ChunkChange.Rewritten}, unless the most that may run do so already.
     *
     * @param volume one of the datanode that executes it
     * @param target with all its chunks and the right of this datanode to write them
     * @param sources whole groups, each with the right of this datanode to read it
     * @param ranges bytes of the sources, in the order in which the target has them; between them it has zeros
     */
    record Rewrite(VolumeId volume, Group target, List<Group> sources, List<Range> ranges) implements DatanodeOrder {
        /** @param length user bytes of a source; 0 of the target, which is open */
        public record Group(GroupId group, Policy policy, long length, List<ChunkLocation> chunks, BlockToken token) {
            public Group {
                Objects.requireNonNull(group, "group");
                Objects.requireNonNull(policy, "policy");
                Objects.requireNonNull(token, "token");
                chunks = List.copyOf(chunks);
            }

            /** Identifies the group beside its number. */
            public int stamp() {
                return token.stamp();
            }

            /**
             * The place of the chunk of an index.
             *
             * @throws EcfsException {@code GROUP_UNREADABLE} when it has none
             */
            public ChunkLocation chunk(int index) throws EcfsException {
                return chunks.stream()
                        .filter(location -> location.chunk().index() == index)
                        .findFirst()
                        .orElseThrow(() -> new EcfsException(
                                ErrorCode.GROUP_UNREADABLE,
                                "chunk " + index + " of " + group + " has no place at present"));
            }
        }

        /**
         * Bytes of a source.
         *
         * @param at offset in the target. It is in the order, since it follows from the files that the bytes belong to,
         *     which a datanode does not know
         */
        public record Range(GroupId group, long offset, long length, long at) {
            public Range {
                Objects.requireNonNull(group, "group");
                if (offset < 0 || length <= 0 || at < 0) {
                    throw new IllegalArgumentException(
                            "range of " + length + " bytes at " + offset + " of " + group + ", for offset " + at);
                }
            }

            /** Offset in the target of the first byte behind it. */
            public long end() {
                return Math.addExact(at, length);
            }

            /** Its bytes from {@code skip} on, so many of them. */
            public Range part(long skip, long bytes) {
                return new Range(group, offset + skip, bytes, at + skip);
            }
        }

        public Rewrite {
            Objects.requireNonNull(volume, "volume");
            Objects.requireNonNull(target, "target");
            sources = List.copyOf(sources);
            ranges = List.copyOf(ranges);
            long end = 0;
            for (Range range : ranges) {
                if (range.at() < end) {
                    throw new IllegalArgumentException(range + " begins before the end of the one before it: " + end);
                }
                end = range.end();
            }
        }

        /** Each group once. */
        public Map<GroupId, Group> sourcesById() {
            return sources.stream().collect(Collectors.toMap(Group::group, Function.identity()));
        }

        /** Bytes of the target when it is filled, those of gaps included. */
        public long length() {
            return ranges.isEmpty() ? 0 : ranges.get(ranges.size() - 1).end();
        }

        /** Users' bytes that it copies. */
        public long userBytes() {
            return ranges.stream().mapToLong(Range::length).sum();
        }
    }

    /** Requests a full report of the volume. */
    record ReportFully(VolumeId volume) implements DatanodeOrder {}

    /**
     * Verifies a chunk, about which a reader complained, against its checksums. Answered by {@link ChunkChange.Present}
     * (or Gone).
     */
    record Verify(VolumeId volume, ChunkId chunk) implements DatanodeOrder {}
}
