package io.ecfs.datanode.store;

import io.ecfs.buffer.BufferPool;
import io.ecfs.buffer.FileSlice;
import io.ecfs.datanode.store.ChunkFiles.Place;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Policy;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.transfer.ChunkPayload;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32C;

/**
 * Changes the two files of one chunk, step by step, in an order that leaves the old or the new state after a crash at
 * any step. Has no state of chunks in memory; the caller orders the calls on one chunk.
 *
 * <p>Publishing a chunk: the header says FINALISED, then both files move. A start that finds only one of them moved
 * completes the move when its bytes verify, and otherwise undoes the header.
 */
final class ChunkStorage {
    private static final int VERIFY_WINDOWS = 64;
    private static final int VERIFY_BYTES = VERIFY_WINDOWS * (ChunkPayload.WINDOW_BYTES + ChunkPayload.CHECKSUM_BYTES);
    /** Upper bound of the threads of a volume. */
    private static final int VERIFIED_AT_ONCE = 256;

    private final VolumeIo io;
    private final UUID volume;
    private final Set<String> directories = ConcurrentHashMap.newKeySet();
    private final BufferPool verifyBuffers = new BufferPool("verify", (long) VERIFIED_AT_ONCE * VERIFY_BYTES);

    /** @param volume uuid that every header has */
    ChunkStorage(VolumeIo io, UUID volume) {
        this.io = io;
        this.volume = volume;
    }

    StoredChunk create(ChunkId chunk, int stamp, Policy policy, long writer) throws IOException {
        ChunkFiles files = new ChunkFiles(Place.WRITING, chunk);
        ChunkHeader header = ChunkHeader.opened(chunk, stamp, policy, writer);
        makeDirectory(files);
        io.create(files.sum());
        try {
            writeHeader(files, header);
            io.create(files.data());
        } catch (IOException e) {
            undo(e, () -> io.delete(files.sum()));
            throw e;
        }
        return StoredChunk.sound(files, header, 0);
    }

    /**
     * Makes a chunk that is published at once; on failure nothing of it is left. Its header says FINALISED from the
     * beginning, but until both files have moved a start accepts it only when all bytes verify. The header is written
     * before the first byte: a crash never leaves bytes of an unknown chunk.
     *
     * @param header a published one
     * @param payload all of the chunk, verified
     */
    StoredChunk put(ChunkHeader header, ByteBuf payload, boolean sync) throws IOException {
        ChunkFiles files = new ChunkFiles(Place.WRITING, header.chunk());
        ChunkFiles published = files.in(Place.FINALISED);
        int bytes = Math.toIntExact(header.chunkBytes());
        makeDirectory(files);
        makeDirectory(published);
        io.create(files.sum());
        try {
            io.create(files.data());
            io.write(files.sum(), 0, headerAndChecksums(header, payload, bytes));
            writeAll(files.data(), 0, ChunkPayload.data(payload, bytes));
            if (sync) {
                io.sync(files.data());
                io.sync(files.sum());
            }
            io.rename(files.sum(), published.sum()); // an unknown chunk has no files that could be in the way
            io.rename(files.data(), published.data());
        } catch (IOException e) {
            undo(e, () -> removeUnpublished(files));
            throw e;
        }
        if (sync) {
            io.syncDirectory(published.directory());
            io.syncDirectory(files.directory());
        }
        return StoredChunk.sound(published, header, bytes);
    }

    /**
     * Truncates the files before it deletes them: after a crash at any step, a start finds an empty chunk, or one never
     * begun.
     */
    private void removeUnpublished(ChunkFiles files) throws IOException {
        ChunkFiles moved = files.in(Place.FINALISED);
        if (io.length(moved.data()).isPresent()) {
            io.rename(moved.data(), files.data());
        }
        if (io.length(moved.sum()).isPresent()) {
            io.rename(moved.sum(), files.sum());
        }
        for (String file : new String[] {files.data(), files.sum()}) {
            if (io.length(file).isPresent()) {
                io.truncate(file, 0);
            }
        }
        delete(files);
    }

    private ByteBuffer headerAndChecksums(ChunkHeader header, ByteBuf payload, int bytes) {
        int checksumBytes = ChunkPayload.checksumBytes(bytes);
        ByteBuffer start = ByteBuffer.allocate(ChunkHeader.BYTES + checksumBytes);
        start.put((int) header.slotOffset(), header.encode(volume), 0, ChunkHeader.SLOT_BYTES);
        payload.getBytes(payload.readerIndex(), start.slice(ChunkHeader.BYTES, checksumBytes));
        return start;
    }

    /** Appends verified bytes; on failure the files are truncated to their previous lengths. */
    StoredChunk append(StoredChunk chunk, ByteBuf payload, int bytes) throws IOException {
        ChunkFiles files = chunk.files();
        int checksumBytes = ChunkPayload.checksumBytes(bytes);
        try {
            writeAll(files.data(), chunk.bytes(), ChunkPayload.data(payload, bytes));
            writeAll(files.sum(), sumOffset(chunk.bytes()), payload.slice(payload.readerIndex(), checksumBytes));
        } catch (IOException e) {
            undo(e, () -> cutTo(files, chunk.bytes()));
            throw e;
        }
        return new StoredChunk(files, chunk.state(), chunk.header(), Math.addExact(chunk.bytes(), bytes));
    }

    /** Writes a changed header of a chunk that stays where it is. */
    StoredChunk change(StoredChunk chunk, ChunkHeader header, boolean sync) throws IOException {
        writeHeader(chunk.files(), header);
        if (sync) {
            io.sync(chunk.files().sum());
        }
        return new StoredChunk(chunk.files(), header.state(), Optional.of(header), chunk.bytes());
    }

    /** Syncs bytes, checksums and header to disk, but not the names in the directories. */
    void syncBytes(StoredChunk chunk) throws IOException {
        if (chunk.bytes() > 0) {
            io.sync(chunk.files().data());
        }
        io.sync(chunk.files().sum());
    }

    /** Syncs the names of a chunk being written. */
    void syncWriting(ChunkId chunk) throws IOException {
        io.syncDirectory(new ChunkFiles(Place.WRITING, chunk).directory());
    }

    /** Truncates the chunk to its full stripes. */
    StoredChunk cutTail(StoredChunk chunk, long fullStripeBytes) throws IOException {
        cutTo(chunk.files(), fullStripeBytes);
        return new StoredChunk(chunk.files(), chunk.state(), chunk.header(), fullStripeBytes);
    }

    /**
     * Notes on disk that the next bytes are the tail cell of a group of this length: after a crash they are never taken
     * for a full one.
     */
    StoredChunk beginTail(StoredChunk chunk, long groupLength) throws IOException {
        return change(chunk, chunk.validHeader().withTail(chunk.bytes(), groupLength), true);
    }

    /** Notes that there is no tail cell any more: full cells follow. */
    StoredChunk endTail(StoredChunk chunk) throws IOException {
        return change(chunk, chunk.validHeader().withTail(-1, -1), true);
    }

    /** Syncs all of a chunk: names, bytes, checksums. */
    void syncWhole(StoredChunk chunk) throws IOException {
        io.sync(chunk.files().data());
        io.sync(chunk.files().sum());
        io.syncDirectory(chunk.files().directory());
    }

    /** @param header a published one of {@code chunk} */
    StoredChunk publish(StoredChunk chunk, ChunkHeader header, boolean sync) throws IOException {
        ChunkFiles from = chunk.files();
        requireBoth(from);
        makeDirectory(from.in(Place.FINALISED));
        if (sync) {
            io.sync(from.data());
            io.sync(from.sum());
        }
        try {
            writeHeader(from, header);
            if (sync) {
                io.sync(from.sum());
            }
            move(from, Place.FINALISED);
        } catch (IOException e) {
            undo(e, () -> {
                gather(from.chunk(), Place.WRITING);
                writeHeader(from, header.reopened());
            });
            throw e;
        }
        if (header.chunkBytes() < chunk.bytes()) {
            cutTo(from.in(Place.FINALISED), header.chunkBytes()); // bytes left behind the end by a crash are never read
        }
        if (sync) {
            io.syncDirectory(from.in(Place.FINALISED).directory());
            io.syncDirectory(from.directory());
        }
        return StoredChunk.sound(from.in(Place.FINALISED), header, header.chunkBytes());
    }

    /**
     * Checks that both files exist, before one of them is changed: a change of only one could not be completed or
     * undone.
     */
    void requireBoth(ChunkFiles files) throws IOException {
        for (String file : new String[] {files.data(), files.sum()}) {
            if (io.length(file).isEmpty()) {
                throw new NoSuchFileException(file);
            }
        }
    }

    /** Moves both files; nothing must be in their way. */
    void move(ChunkFiles from, Place place) throws IOException {
        ChunkFiles to = from.in(place);
        makeDirectory(to);
        for (String target : new String[] {to.sum(), to.data()}) {
            if (io.length(target).isPresent()) {
                throw new IOException(io.describe() + "/" + target + " is in the way of " + from.chunk());
            }
        }
        io.rename(from.sum(), to.sum());
        io.rename(from.data(), to.data());
    }

    /** Brings both files of a half-moved chunk to one place. */
    void gather(ChunkId chunk, Place place) throws IOException {
        ChunkFiles to = new ChunkFiles(place, chunk);
        ChunkFiles from = to.in(place == Place.WRITING ? Place.FINALISED : Place.WRITING);
        makeDirectory(to);
        if (io.length(to.data()).isEmpty()) {
            io.rename(from.data(), to.data());
        }
        if (io.length(to.sum()).isEmpty()) {
            io.rename(from.sum(), to.sum());
        }
    }

    /** Deletes the files, the header last: it identifies what a crash leaves. */
    void delete(ChunkFiles files) throws IOException {
        for (String file : new String[] {files.data(), files.sum()}) {
            if (io.length(file).isPresent()) {
                io.delete(file);
            }
        }
    }

    /** Cuts both files to {@code bytes}, the end of a window or of the chunk. */
    void cutTo(ChunkFiles files, long bytes) throws IOException {
        io.truncate(files.data(), bytes);
        io.truncate(files.sum(), sumOffset(roundUp(bytes)));
    }

    /**
     * Reads the windows of [from, to) and their checksums as a {@link ChunkPayload}.
     *
     * @param from a multiple of the window
     * @param to a multiple of the window, or the chunk's end
     * @return false when the files are shorter than that, or another chunk's
     */
    boolean read(ChunkFiles files, long from, long to, ByteBuf into) throws IOException {
        int bytes = Math.toIntExact(to - from);
        int checksumBytes = ChunkPayload.checksumBytes(bytes);
        boolean whole = ownChecksums(files, from, into.nioBuffer(into.writerIndex(), checksumBytes))
                && fill(files.data(), from, into.nioBuffer(into.writerIndex() + checksumBytes, bytes));
        if (whole) {
            into.writerIndex(into.writerIndex() + checksumBytes + bytes);
        }
        return whole;
    }

    /**
     * As {@link #read}, but lends the bytes in their file.
     *
     * @param checksums receives those of the windows
     * @return empty when the files are shorter than that or another chunk's, or cannot be lent
     */
    Optional<FileSlice> lend(ChunkFiles files, long from, long to, ByteBuf checksums) throws IOException {
        int bytes = Math.toIntExact(to - from);
        int checksumBytes = ChunkPayload.checksumBytes(bytes);
        if (!ownChecksums(files, from, checksums.nioBuffer(checksums.writerIndex(), checksumBytes))) {
            return Optional.empty();
        }
        checksums.writerIndex(checksums.writerIndex() + checksumBytes);
        return io.lend(files.data(), from, bytes);
    }

    /**
     * Reads the checksums of the windows [from, to) alone.
     *
     * @return false when there are fewer, or the files are not {@link #own}
     */
    boolean checksums(ChunkFiles files, long from, long to, ByteBuf into) throws IOException {
        int bytes = ChunkPayload.checksumBytes(Math.toIntExact(to - from));
        boolean whole = ownChecksums(files, from, into.nioBuffer(into.writerIndex(), bytes));
        into.writerIndex(into.writerIndex() + (whole ? bytes : 0));
        return whole;
    }

    /**
     * Paths of a published chunk for other processes of this machine; empty when they cannot open them.
     *
     * @param bytes of the chunk
     */
    Optional<ChunkReply.LocalFiles> local(ChunkFiles files, long bytes) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(ChunkHeader.BYTES);
        io.read(files.sum(), 0, header);
        CRC32C crc = new CRC32C();
        crc.update(header.flip());
        Optional<VolumeIo.LocalFile> data = io.local(files.data());
        Optional<VolumeIo.LocalFile> sum = io.local(files.sum());
        return data.isEmpty() || sum.isEmpty()
                ? Optional.empty()
                : Optional.of(new ChunkReply.LocalFiles(
                        files.chunk(),
                        bytes,
                        data.get().path(),
                        data.get().key(),
                        sum.get().path(),
                        sumOffset(0),
                        (int) crc.getValue(),
                        Optional.empty()));
    }

    /**
     * Reads the checksums of the windows from {@code from} on. Those of a chunk's beginning, which may be all of it,
     * come with the header.
     *
     * @return false when there are fewer, or the files are not {@link #own}
     */
    private boolean ownChecksums(ChunkFiles files, long from, ByteBuffer into) throws IOException {
        if (from > 0) {
            return own(files) && fill(files.sum(), sumOffset(from), into);
        }
        ByteBuffer start = ByteBuffer.allocate(ChunkHeader.BYTES + into.remaining());
        boolean whole = fill(files.sum(), 0, start)
                && ChunkHeader.names(start.slice(0, ChunkHeader.BYTES), files.chunk(), volume);
        if (whole) {
            into.put(start.slice(ChunkHeader.BYTES, into.remaining()));
        }
        return whole;
    }

    /**
     * Returns whether the files are this chunk's and not another's under its name, whose checksums would match its own
     * bytes.
     */
    boolean own(ChunkFiles files) throws IOException {
        ByteBuffer slots = ByteBuffer.allocate(ChunkHeader.BYTES);
        io.read(files.sum(), 0, slots);
        return ChunkHeader.names(slots.flip(), files.chunk(), volume);
    }

    /** The newest header on disk that is this chunk's own. */
    Optional<ChunkHeader> readHeader(ChunkFiles files) throws IOException {
        ByteBuffer slots = ByteBuffer.allocate(ChunkHeader.BYTES);
        try {
            io.read(files.sum(), 0, slots);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        return ChunkHeader.decode(slots.flip(), volume)
                .filter(header -> header.chunk().equals(files.chunk()));
    }

    /** Returns whether both files are at least as long as a published chunk of {@code bytes} bytes needs. */
    boolean longEnough(ChunkFiles files, long bytes) throws IOException {
        OptionalLong data = io.length(files.data());
        OptionalLong sums = io.length(files.sum());
        return data.isPresent()
                && sums.isPresent()
                && data.getAsLong() >= bytes
                && sums.getAsLong() >= sumOffset(roundUp(bytes));
    }

    /**
     * Length of the longest first part of the chunk, at most {@code limit}, all of whose windows match their checksums.
     */
    long verifiedBytes(ChunkFiles files, long limit) throws IOException {
        return verifiedEnd(files, 0, limit);
    }

    /**
     * As {@link #verifiedBytes}, of the part that begins at a window.
     *
     * @return end of the windows that match, {@code from} when the first does not
     */
    long verifiedEnd(ChunkFiles files, long from, long limit) throws IOException {
        // Direct memory: the JDK would read into heap memory through a copy.
        ByteBuf memory = verifyBuffers.allocate(VERIFY_BYTES);
        try {
            return verifiedEnd(files, from, limit, memory.nioBuffer(0, VERIFY_BYTES));
        } finally {
            memory.release();
        }
    }

    private long verifiedEnd(ChunkFiles files, long from, long limit, ByteBuffer memory) throws IOException {
        ByteBuffer data = memory.slice(0, VERIFY_WINDOWS * ChunkPayload.WINDOW_BYTES);
        ByteBuffer sums = memory.slice(data.capacity(), VERIFY_WINDOWS * ChunkPayload.CHECKSUM_BYTES);
        long verified = from;
        while (verified < limit) {
            data.clear().limit((int) Math.min(data.capacity(), limit - verified));
            sums.clear().limit(ChunkPayload.checksumBytes(data.limit())); // those behind may be unreadable
            io.read(files.data(), verified, data);
            io.read(files.sum(), sumOffset(verified), sums);
            int matching = matchingBytes(data.flip(), sums.flip());
            verified += matching;
            if (matching < data.capacity()) {
                break;
            }
        }
        return verified;
    }

    private static int matchingBytes(ByteBuffer data, ByteBuffer sums) {
        CRC32C crc = new CRC32C();
        int matching = 0;
        while (matching < data.limit() && sums.remaining() >= ChunkPayload.CHECKSUM_BYTES) {
            int bytes = Math.min(ChunkPayload.WINDOW_BYTES, data.limit() - matching);
            crc.reset();
            crc.update(data.slice(matching, bytes));
            if (sums.getInt() != (int) crc.getValue()) {
                break;
            }
            matching += bytes;
        }
        return matching;
    }

    private void writeHeader(ChunkFiles files, ChunkHeader header) throws IOException {
        io.write(files.sum(), header.slotOffset(), header.encode(volume));
    }

    private void makeDirectory(ChunkFiles files) throws IOException {
        if (!directories.contains(files.directory())) {
            io.createDirectory(files.directory());
            io.syncDirectory(files.place().directory());
            directories.add(files.directory());
        }
    }

    private void writeAll(String file, long offset, ByteBuf bytes) throws IOException {
        long at = offset;
        for (ByteBuffer part : bytes.nioBuffers()) {
            int length = part.remaining();
            io.write(file, at, part);
            at += length;
        }
    }

    private boolean fill(String file, long offset, ByteBuffer into) throws IOException {
        int wanted = into.remaining();
        return io.read(file, offset, into) == wanted;
    }

    /** Position of the checksum of the window that begins at {@code dataOffset}. */
    private static long sumOffset(long dataOffset) {
        return ChunkHeader.BYTES + dataOffset / ChunkPayload.WINDOW_BYTES * ChunkPayload.CHECKSUM_BYTES;
    }

    private static long roundUp(long bytes) {
        return Math.addExact(bytes, ChunkPayload.WINDOW_BYTES - 1)
                / ChunkPayload.WINDOW_BYTES
                * ChunkPayload.WINDOW_BYTES;
    }

    private interface Undo {
        void run() throws IOException;
    }

    /**
     * Undoes a step. If that fails too, the disk is broken: the caller gets an error that fails the volume. A missing
     * file needs no undo.
     */
    private static void undo(IOException cause, Undo undo) throws IOException {
        try {
            undo.run();
        } catch (IOException e) {
            if (cause instanceof NoSuchFileException && e instanceof NoSuchFileException) {
                return;
            }
            e.addSuppressed(cause);
            throw new IOException("could not take back a half-done change: " + e.getMessage(), e);
        }
    }
}
