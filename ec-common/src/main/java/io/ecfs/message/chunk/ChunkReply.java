package io.ecfs.message.chunk;

import io.ecfs.layout.ChunkId;
import io.ecfs.message.Failure;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.Message;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/** A datanode's answers to {@link ChunkRequest}; failures travel as {@link Failure}. */
public sealed interface ChunkReply extends Message {
    ChunkId chunk();

    record Opened(ChunkId chunk) implements ChunkReply {}

    /**
     * @param length bytes of the chunk that are now acknowledged
     * @param handled microseconds from the arrival of the request to this answer; none of a peer of feature level 1
     */
    record Written(ChunkId chunk, long length, OptionalInt handled) implements ChunkReply {
        public Written(ChunkId chunk, long length) {
            this(chunk, length, OptionalInt.empty());
        }
    }

    /** @param handled as in {@link Written} */
    record Finished(ChunkId chunk, OptionalInt handled) implements ChunkReply {
        public Finished(ChunkId chunk) {
            this(chunk, OptionalInt.empty());
        }
    }

    record RelayBegun(ChunkId chunk) implements ChunkReply {}

    /**
     * @param length bytes of the chunk that are now acknowledged; 0 where the cell was not wanted
     * @param times of the stripe, as far as this cell shows them
     */
    record Relayed(ChunkId chunk, long length, RelayTimes times) implements ChunkReply {}

    record Aborted(ChunkId chunk) implements ChunkReply {}

    /**
     * Payload: the checksums and bytes of chunk range [offset, offset + bytes).
     *
     * @param offset at or before the requested offset, a multiple of the checksum window
     * @param writing the volume is in its ring's window of writing, so that reads of it are slow; false to peers below
     *     {@link FeatureLevel#RINGS}
     */
    record Data(ChunkId chunk, long offset, int bytes, boolean writing) implements ChunkReply {
        /** Of a volume that reads. */
        public Data(ChunkId chunk, long offset, int bytes) {
            this(chunk, offset, bytes, false);
        }

        public Data {
            Objects.requireNonNull(chunk, "chunk");
            if (offset < 0 || bytes < 0) {
                throw new IllegalArgumentException("data of " + bytes + " bytes at " + offset + " of " + chunk);
            }
        }
    }

    /**
     * Payload: the CRC32Cs (4 bytes big endian a window) of chunk range [offset, offset + bytes), as the datanode has
     * them on disk.
     *
     * @param offset at or before the requested offset, a multiple of the checksum window
     * @param bytes of the chunk that the checksums are of; the last window is short at the end of the chunk only
     */
    record Checksums(ChunkId chunk, long offset, int bytes) implements ChunkReply {
        public Checksums {
            Objects.requireNonNull(chunk, "chunk");
            if (offset < 0 || bytes < 0) {
                throw new IllegalArgumentException("checksums of " + bytes + " bytes at " + offset + " of " + chunk);
            }
        }
    }

    /**
     * @param file path of the chunk's data file, for operators and tests: absolute for a caller on its machine,
     *     otherwise below its volume
     */
    record Probed(ChunkRecord record, String file) implements ChunkReply {
        @Override
        public ChunkId chunk() {
            return record.chunk();
        }
    }

    /**
     * A published chunk's files, whose bytes never change as long as they are there.
     *
     * @param bytes length of the chunk
     * @param dataFile absolute path of the file with the chunk's bytes
     * @param fileKey device and inode of that file as the datanode sees it: the same path may be another file to the
     *     reader
     * @param checksumFile absolute path of the file with the CRC32Cs (4 bytes big endian a window)
     * @param checksumsAt where in it the first one is
     * @param headerCrc CRC32C of all that is before: once it is another one the chunk was found wrong, or the files are
     *     another chunk's
     * @param socket path of the Unix socket at which the datanode passes both files, open for reading, to whom it does
     *     not let into its directories; empty: it passes none, as releases before
     */
    record LocalFiles(
            ChunkId chunk,
            long bytes,
            String dataFile,
            String fileKey,
            String checksumFile,
            long checksumsAt,
            int headerCrc,
            Optional<String> socket)
            implements ChunkReply {
        /** Most bytes that are before the checksums. */
        public static final int MAX_HEADER = 64 << 10;

        /** The same with the socket at which the files are passed. */
        public LocalFiles at(String passedAt) {
            return new LocalFiles(
                    chunk, bytes, dataFile, fileKey, checksumFile, checksumsAt, headerCrc, Optional.of(passedAt));
        }

        public LocalFiles {
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(dataFile, "dataFile");
            Objects.requireNonNull(fileKey, "fileKey");
            Objects.requireNonNull(checksumFile, "checksumFile");
            Objects.requireNonNull(socket, "socket");
            if (bytes < 0 || checksumsAt < 0 || checksumsAt > MAX_HEADER) {
                throw new IllegalArgumentException(
                        "files of " + chunk + " with " + bytes + " bytes and checksums at " + checksumsAt);
            }
        }
    }

    record TailWritten(ChunkId chunk) implements ChunkReply {}

    record Synced(ChunkId chunk) implements ChunkReply {}

    record Checked(ChunkId chunk) implements ChunkReply {}

    /** @param interrupted as in {@link ChunkChange.Fenced} */
    record TailProbed(ChunkRecord record, TailCoverage tail, boolean interrupted) implements ChunkReply {
        @Override
        public ChunkId chunk() {
            return record.chunk();
        }
    }

    /**
     * Payload: checksums and bytes.
     *
     * @param form in which the log stores the bytes
     * @param offset of the first group byte; for {@code CODED} that of the record
     * @param length group bytes that this is about; 0: the log has nothing there
     * @param bytes in the payload: {@code length} of mirrored ones, otherwise those of the cell
     */
    record TailBytes(ChunkId chunk, TailForm form, long offset, int length, int bytes) implements ChunkReply {
        public TailBytes {
            Objects.requireNonNull(chunk, "chunk");
            Objects.requireNonNull(form, "form");
            if (offset < 0
                    || length < 0
                    || bytes < 0
                    || bytes > length
                    || (form == TailForm.MIRRORED && bytes != length)) {
                throw new IllegalArgumentException(
                        form + " tail of " + chunk + " at " + offset + ": " + bytes + " bytes for " + length);
            }
        }
    }
}
