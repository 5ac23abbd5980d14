package io.ecfs.message.chunk;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.message.Message;
import io.ecfs.message.VolumeId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Requests to a datanode about the bytes of a chunk. Payloads of {@link WriteCells}, {@link PutChunk},
 * {@link WriteTail}, {@link ChunkReply.Data} and {@link ChunkReply.TailBytes} are CRC32Cs (4 bytes big endian for each
 * window of {@link Policy#CHECKSUM_WINDOW_BYTES}), then the bytes.
 */
public sealed interface ChunkRequest extends Message {
    ChunkId chunk();

    /**
     * Begins a chunk on a volume. Answered by {@link ChunkReply.Opened}; refused when the chunk exists in any state.
     *
     * @param writer a random number of the caller's: later messages must carry it, so that a fenced writer is
     *     recognised
     */
    record OpenChunk(ChunkId chunk, VolumeId volume, Policy policy, long writer, BlockToken token)
            implements ChunkRequest {
        public OpenChunk {
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(volume, "volume");
            Objects.requireNonNull(policy, "policy");
            Objects.requireNonNull(token, "token");
        }
    }

    /**
     * Appends bytes at {@code offset}, which must be the chunk's present end and a multiple of the checksum window.
     * Answered by {@link ChunkReply.Written} when the bytes are in the file (page cache).
     *
     * @param tailOf 0 for cells of full stripes; for the cell of the split tail, which nothing may follow, the group's
     *     length
     * @param token to write; here as in all messages of a chunk's writer empty when the writer's is of version 1
     */
    record WriteCells(ChunkId chunk, long writer, long offset, int bytes, long tailOf, Optional<BlockToken> token)
            implements ChunkRequest {
        public WriteCells(ChunkId chunk, long writer, long offset, int bytes, long tailOf) {
            this(chunk, writer, offset, bytes, tailOf, Optional.empty());
        }

        public WriteCells {
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(token, "token");
            if (offset < 0 || offset % Policy.CHECKSUM_WINDOW_BYTES != 0) {
                throw new IllegalArgumentException(
                        "write of " + chunk + " at offset " + offset + ": not a multiple of the checksum window");
            }
            if (bytes < 0) {
                throw new IllegalArgumentException("write of " + bytes + " bytes to " + chunk);
            }
            if (tailOf < 0) {
                throw new IllegalArgumentException("tail of a group of " + tailOf + " bytes for " + chunk);
            }
        }

        public boolean tail() {
            return tailOf > 0;
        }
    }

    /**
     * Has the datanode of {@code chunk} encode stripes of the group and write all their cells, until {@link RelayCell}s
     * stop coming for a while. Answered by {@link ChunkReply.RelayBegun}, also a repeated one; refused with
     * {@code BUSY} when the datanode relays for as many writers as it may.
     *
     * @param chunk of the group, on the datanode that is asked
     * @param targets all chunks of the group, in the order of their indexes
     * @param relay the namenode's word that the datanode may write these, there; of the group and stamp of
     *     {@code token}
     */
    record BeginRelay(
            ChunkId chunk, Policy policy, long writer, List<RelayTarget> targets, RelayToken relay, BlockToken token)
            implements ChunkRequest {
        public BeginRelay {
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(policy, "policy");
            Objects.requireNonNull(token, "token");
            Objects.requireNonNull(relay, "relay");
            targets = List.copyOf(targets);
            int previous = -1;
            for (RelayTarget target : targets) {
                int index = target.chunk().index();
                if (!target.chunk().group().equals(chunk.group()) || index <= previous || index >= policy.chunks()) {
                    throw new IllegalArgumentException("targets of a relay of " + chunk.group()
                            + " must be chunks of the group, each index once and in order");
                }
                previous = index;
            }
        }
    }

    /**
     * One cell of a stripe that a datanode relays. The payload is that of {@link WriteCells} for a data chunk, and
     * empty for a parity chunk, whose cell the datanode computes. All cells of a stripe that are stored are sent, in
     * any order; those of one chunk in the order of their offsets. Answered by {@link ChunkReply.Relayed} when the
     * chunk's datanode has answered, with its failure when it refused; refused with {@code BUSY} when there is no room
     * for the stripe, and with {@code CHUNK_MISSING} when this writer has no relay here.
     *
     * @param wanted false when the chunk is not written any more: the cell is needed for the parity alone
     */
    record RelayCell(
            ChunkId chunk, long writer, long offset, int bytes, long tailOf, boolean wanted, Optional<BlockToken> token)
            implements ChunkRequest {
        public RelayCell {
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(token, "token");
            if (offset < 0 || offset % Policy.CHECKSUM_WINDOW_BYTES != 0) {
                throw new IllegalArgumentException(
                        "cell of " + chunk + " at offset " + offset + ": not a multiple of the checksum window");
            }
            if (bytes <= 0 || tailOf < 0) {
                throw new IllegalArgumentException(
                        "cell of " + chunk + " of " + bytes + " bytes in a group of " + tailOf);
            }
        }
    }

    /**
     * Publishes the chunk as finalised.
     *
     * @param chunkBytes what the writer believes it wrote; another length on disk is refused
     * @param groupLength user bytes of the sealed group, stored in the chunk's header
     * @param sync true: on disk before the answer; false: in the page cache
     */
    record FinishChunk(
            ChunkId chunk, long writer, long chunkBytes, long groupLength, boolean sync, Optional<BlockToken> token)
            implements ChunkRequest {
        public FinishChunk(ChunkId chunk, long writer, long chunkBytes, long groupLength, boolean sync) {
            this(chunk, writer, chunkBytes, groupLength, sync, Optional.empty());
        }

        public FinishChunk {
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(token, "token");
        }
    }

    /**
     * Makes a chunk and publishes it with all its bytes, as {@link OpenChunk}, {@link WriteCells} and
     * {@link FinishChunk} together do: a small chunk costs one message. Answered by {@link ChunkReply.Finished}, also
     * when this writer has published this chunk before; refused when the chunk exists in any other state. A failure
     * leaves nothing of it behind, except that a crash leaves what it would leave of the three messages.
     *
     * @param bytes all of the chunk's, as the group's length gives them; possibly 0
     * @param sync true: on disk before the answer; false: in the page cache
     */
    record PutChunk(
            ChunkId chunk,
            VolumeId volume,
            Policy policy,
            long writer,
            int bytes,
            long groupLength,
            boolean sync,
            BlockToken token)
            implements ChunkRequest {
        public PutChunk {
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(volume, "volume");
            Objects.requireNonNull(policy, "policy");
            Objects.requireNonNull(token, "token");
            long due = new GroupLayout(policy, groupLength).chunkBytes(chunk.index());
            if (groupLength == 0 || bytes != due) {
                throw new IllegalArgumentException("put of " + chunk + " with " + bytes + " bytes: a group of "
                        + groupLength + " bytes under " + policy + " gives it " + due);
            }
        }
    }

    /**
     * Drops a chunk being written by this writer; a no-op when it is gone already. Answered by
     * {@link ChunkReply.Aborted}.
     */
    record AbortChunk(ChunkId chunk, long writer, Optional<BlockToken> token) implements ChunkRequest {
        public AbortChunk(ChunkId chunk, long writer) {
            this(chunk, writer, Optional.empty());
        }

        public AbortChunk {
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(token, "token");
        }
    }

    /**
     * Asks for chunk bytes [offset, offset + bytes). Answered by {@link ChunkReply.Data} with the checksum windows that
     * cover the range. Bytes of a chunk being written are readable as far as they were acknowledged.
     *
     * @param spare whether the bytes are needed only if others are late: it is served when its volume is idle, and
     *     refused with {@code BUSY} when that does not happen within a second, or there is no room for it
     */
    record ReadChunk(ChunkId chunk, VolumeId volume, long offset, int bytes, BlockToken token, boolean spare)
            implements ChunkRequest {
        public ReadChunk(ChunkId chunk, VolumeId volume, long offset, int bytes, BlockToken token) {
            this(chunk, volume, offset, bytes, token, false);
        }

        public ReadChunk {
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(volume, "volume");
            Objects.requireNonNull(token, "token");
            if (offset < 0 || bytes <= 0) {
                throw new IllegalArgumentException("read of " + bytes + " bytes at " + offset + " of " + chunk);
            }
        }
    }

    /**
     * Asks for the checksums of the windows that cover bytes [offset, offset + bytes) of a chunk, without the bytes.
     * Answered by {@link ChunkReply.Checksums}; refused with {@code UNSUPPORTED} while the chunk is being written,
     * unless the bytes end with a window or with the chunk.
     */
    record ReadChecksums(ChunkId chunk, VolumeId volume, long offset, int bytes, BlockToken token)
            implements ChunkRequest {
        public ReadChecksums {
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(volume, "volume");
            Objects.requireNonNull(token, "token");
            if (offset < 0 || bytes <= 0) {
                throw new IllegalArgumentException(
                        "read of checksums of " + bytes + " bytes at " + offset + " of " + chunk);
            }
        }
    }

    /** Requests the datanode's record of a chunk. Answered by {@link ChunkReply.Probed}. */
    record ProbeChunk(ChunkId chunk, VolumeId volume, BlockToken token) implements ChunkRequest {
        public ProbeChunk {
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(volume, "volume");
            Objects.requireNonNull(token, "token");
        }
    }

    /**
     * Requests the paths of a published chunk's files, for a reader on the same machine. Answered by
     * {@link ChunkReply.LocalFiles}; refused with {@code UNSUPPORTED} by a datanode that does not offer local reads.
     * Besides the token, file permissions guard the files (HDFS-2246).
     */
    record FindLocally(ChunkId chunk, VolumeId volume, BlockToken token) implements ChunkRequest {
        public FindLocally {
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(volume, "volume");
            Objects.requireNonNull(token, "token");
        }
    }

    /**
     * Appends a tail record to the chunk's tail log; payload: the checksums and bytes that this chunk stores of it.
     * Answered by {@link ChunkReply.TailWritten} when they are in the log.
     *
     * @param settled group bytes before this need no record any more, on any chunk: a log with only such records is
     *     restarted
     * @param sync true: answered when all that the chunk has, this record among it, is on disk
     * @param sent what the record builds on; refused with {@code CHUNK_INCOMPLETE} when the chunk lacks some of it
     */
    record WriteTail(
            ChunkId chunk,
            long writer,
            TailRecord record,
            long settled,
            boolean sync,
            SentBefore sent,
            Optional<BlockToken> token)
            implements ChunkRequest {
        public WriteTail {
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(token, "token");
            Objects.requireNonNull(record, "record");
            Objects.requireNonNull(sent, "sent");
            if (settled < 0 || settled > record.offset()) {
                throw new IllegalArgumentException("tail record of " + chunk + " at " + record.offset() + " says that "
                        + settled + " are settled");
            }
        }
    }

    /**
     * Syncs all that the writer sent of a chunk to disk. Answered by {@link ChunkReply.Synced}.
     *
     * @param sent as in {@link WriteTail}
     */
    record SyncChunk(ChunkId chunk, long writer, SentBefore sent, Optional<BlockToken> token) implements ChunkRequest {
        public SyncChunk {
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(token, "token");
            Objects.requireNonNull(sent, "sent");
        }
    }

    /**
     * Checks that the chunk still has all that its writer sent, on disk or not. Answered by {@link ChunkReply.Checked};
     * refused with {@code CHUNK_INCOMPLETE} when it does not.
     */
    record CheckChunk(ChunkId chunk, long writer, SentBefore sent, Optional<BlockToken> token) implements ChunkRequest {
        public CheckChunk {
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(token, "token");
            Objects.requireNonNull(sent, "sent");
        }
    }

    /** Asks what a chunk has of an open group, its tail records too. Answered by {@link ChunkReply.TailProbed}. */
    record ProbeTail(ChunkId chunk, VolumeId volume, BlockToken token) implements ChunkRequest {
        public ProbeTail {
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(volume, "volume");
            Objects.requireNonNull(token, "token");
        }
    }

    /**
     * Asks for what the chunk's tail log has of the group byte at {@code from}: bytes from there on, at most
     * {@code most}, when it has them mirrored; otherwise its cell of the coded record that covers it. Answered by
     * {@link ChunkReply.TailBytes}.
     */
    record ReadTail(ChunkId chunk, VolumeId volume, long from, int most, BlockToken token) implements ChunkRequest {
        public ReadTail {
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(volume, "volume");
            Objects.requireNonNull(token, "token");
            if (from < 0 || most <= 0) {
                throw new IllegalArgumentException("read of " + most + " tail bytes at " + from + " of " + chunk);
            }
        }
    }
}
