package io.ecfs.client.local;

import io.ecfs.buffer.BufferPool;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.transfer.ChunkBytes;
import io.ecfs.transfer.ChunkPayload;
import io.ecfs.transfer.ReadRange;
import io.netty.buffer.ByteBuf;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.zip.CRC32C;

/**
 * A published chunk on this machine, open for reading: its bytes never change and stay readable when they are deleted.
 * Its header does change when the datanode finds the chunk wrong, and every read checks that. Closing it while others
 * read fails their reads with {@link java.nio.channels.ClosedChannelException}. Safe for use by several threads.
 */
final class LocalChunk implements AutoCloseable {
    private final ChunkReply.LocalFiles files;
    private final FileChannel data;
    private final FileChannel checksums;

    private LocalChunk(ChunkReply.LocalFiles files, FileChannel data, FileChannel checksums) {
        this.files = files;
        this.data = data;
        this.checksums = checksums;
    }

    /** @param open the bytes and the checksums, owned by the result */
    static LocalChunk of(ChunkReply.LocalFiles files, List<FileChannel> open) {
        return new LocalChunk(files, open.get(0), open.get(1));
    }

    /** @throws IOException also when another file is at that path here, or it is not accessible */
    static LocalChunk open(ChunkReply.LocalFiles files) throws IOException {
        Path path = Path.of(files.dataFile());
        BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
        if (!found.isRegularFile()) {
            throw new IOException(path + " is no regular file"); // opening a FIFO would block
        }
        FileChannel data = FileChannel.open(path, StandardOpenOption.READ);
        try {
            Object key = found.fileKey();
            if (!Objects.toString(key).equals(files.fileKey())) {
                throw new IOException(
                        path + " is another file here than on the datanode: " + key + ", not " + files.fileKey());
            }
            return new LocalChunk(
                    files, data, FileChannel.open(Path.of(files.checksumFile()), StandardOpenOption.READ));
        } catch (IOException | RuntimeException e) {
            data.close();
            throw e;
        }
    }

    /**
     * Reads chunk bytes [offset, offset + bytes) with the checksum windows that cover them; blocks on the disk.
     *
     * @param pool lends the memory
     * @return verified bytes, owned by the caller
     * @throws EcfsException {@code CHUNK_CORRUPT} when a checksum does not match, {@code INVALID_ARGUMENT} past the
     *     chunk's end
     * @throws EOFException when the files are too short
     */
    ChunkBytes read(long offset, int bytes, BufferPool pool) throws IOException {
        ReadRange range = ReadRange.covering(offset, bytes, files.bytes())
                .orElseThrow(() -> new EcfsException(
                        ErrorCode.INVALID_ARGUMENT,
                        "read of " + bytes + " bytes at " + offset + " of " + files.chunk() + ", which has "
                                + files.bytes()));
        int checksumBytes = ChunkPayload.checksumBytes(range.bytes());
        ByteBuf payload = pool.allocate(checksumBytes + range.bytes());
        try {
            long window = range.from() / ChunkPayload.WINDOW_BYTES;
            fill(
                    checksums,
                    files.checksumsAt() + window * ChunkPayload.CHECKSUM_BYTES,
                    payload.nioBuffer(0, checksumBytes));
            fill(data, range.from(), payload.nioBuffer(checksumBytes, range.bytes()));
            requireSameHeader();
            payload.writerIndex(checksumBytes + range.bytes());
            OptionalInt mismatch = ChunkPayload.firstMismatch(payload, range.bytes());
            if (mismatch.isPresent()) {
                throw new EcfsException(
                        ErrorCode.CHUNK_CORRUPT,
                        files.dataFile() + ": the checksum window at byte " + (range.from() + mismatch.getAsInt())
                                + " does not match its bytes");
            }
            return new ChunkBytes(files.chunk(), range.from(), range.bytes(), payload);
        } catch (IOException | RuntimeException | Error e) {
            payload.release();
            throw e;
        }
    }

    /**
     * Checks that the header is unchanged. A chunk whose checksums match may be wrong all the same, by the others of
     * its group: the datanode marks that in the header.
     */
    private void requireSameHeader() throws IOException {
        ByteBuffer header = ByteBuffer.allocate((int) files.checksumsAt());
        fill(checksums, 0, header);
        CRC32C crc = new CRC32C();
        crc.update(header.flip());
        if ((int) crc.getValue() != files.headerCrc()) {
            throw new EcfsException(
                    ErrorCode.CHUNK_CORRUPT,
                    files.checksumFile() + ": the header changed since the chunk was opened: it was found wrong, or the"
                            + " file is another chunk's");
        }
    }

    @Override
    public void close() throws IOException {
        try (data;
                checksums) {
            return;
        }
    }

    private static void fill(FileChannel file, long offset, ByteBuffer into) throws IOException {
        for (long at = offset; into.hasRemaining(); ) {
            int n = file.read(into, at);
            if (n < 0) {
                throw new EOFException("a chunk's file ends at byte " + at);
            }
            at += n;
        }
    }
}
