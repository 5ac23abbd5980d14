package io.ecfs.transfer;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.SentBefore;
import io.ecfs.message.chunk.VolumeLoad;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.Futures;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Typed calls to datanodes. Every answer is checked: it must be about the requested chunk, and bytes are verified
 * against their checksums before they are returned. Futures fail with {@link EcfsException}, never wrapped; they
 * complete on a network thread, which must not be blocked. Cancelling one cancels its call; see {@link Caller}. Safe
 * for use by several threads.
 */
public final class ChunkClient {
    private final Caller caller;
    private final Duration timeout;

    /** @param timeout of every call, from now to its answer */
    public ChunkClient(Caller caller, Duration timeout) {
        this.caller = Objects.requireNonNull(caller, "caller");
        this.timeout = Objects.requireNonNull(timeout, "timeout");
    }

    /** Begins a chunk; see {@link ChunkRequest.OpenChunk}. */
    public CompletableFuture<ChunkReply.Opened> open(
            Address to, ChunkId chunk, VolumeId volume, Policy policy, long writer, BlockToken token) {
        return ask(
                to,
                new ChunkRequest.OpenChunk(chunk, volume, policy, writer, token),
                Unpooled.EMPTY_BUFFER,
                ChunkReply.Opened.class);
    }

    /**
     * Appends sealed bytes; see {@link ChunkRequest.WriteCells}.
     *
     * @param payload made by {@link ChunkPayload#seal}; it belongs to the call from here on
     * @param bytes of data in the payload
     * @param tailOf the group's length when this is the cell of its tail; otherwise 0
     */
    public CompletableFuture<ChunkReply.Written> write(
            Address to,
            ChunkId chunk,
            long writer,
            long offset,
            ByteBuf payload,
            int bytes,
            long tailOf,
            BlockToken token) {
        return write(to, new ChunkRequest.WriteCells(chunk, writer, offset, bytes, tailOf, token.bound()), payload);
    }

    /**
     * As {@link #write(Address, ChunkId, long, long, ByteBuf, int, long, BlockToken)}, of a cell that another sent.
     *
     * @param payload belongs to the call from here on
     */
    public CompletableFuture<ChunkReply.Written> write(Address to, ChunkRequest.WriteCells write, ByteBuf payload) {
        requireFits(write.chunk(), payload, write.bytes());
        long end = Math.addExact(write.offset(), write.bytes());
        return ask(
                to,
                write,
                payload,
                ChunkReply.Written.class,
                written -> requireLength(to, write.chunk(), written.length(), end));
    }

    /** Begins a relay at the datanode of one of the chunks; see {@link ChunkRequest.BeginRelay}. */
    public CompletableFuture<ChunkReply.RelayBegun> beginRelay(Address to, ChunkRequest.BeginRelay begin) {
        return ask(to, begin, Unpooled.EMPTY_BUFFER, ChunkReply.RelayBegun.class);
    }

    /**
     * Has a datanode relay a cell; see {@link ChunkRequest.RelayCell}.
     *
     * @param payload sealed bytes of a data cell, empty for a parity cell; it belongs to the call from here on
     */
    public CompletableFuture<ChunkReply.Relayed> relay(Address to, ChunkRequest.RelayCell cell, ByteBuf payload) {
        if (payload.isReadable()) {
            requireFits(cell.chunk(), payload, cell.bytes());
        }
        long end = cell.wanted() ? Math.addExact(cell.offset(), cell.bytes()) : 0;
        return ask(
                to,
                cell,
                payload,
                ChunkReply.Relayed.class,
                relayed -> requireLength(to, cell.chunk(), relayed.length(), end));
    }

    private static void requireLength(Address to, ChunkId chunk, long acknowledged, long end) throws EcfsException {
        if (acknowledged != end) {
            throw malformed(to, chunk, "acknowledged " + acknowledged + " bytes where " + end + " are written");
        }
    }

    /** Publishes a chunk; see {@link ChunkRequest.FinishChunk}. */
    public CompletableFuture<ChunkReply.Finished> finish(
            Address to, ChunkId chunk, long writer, long chunkBytes, long groupLength, boolean sync, BlockToken token) {
        return ask(
                to,
                new ChunkRequest.FinishChunk(chunk, writer, chunkBytes, groupLength, sync, token.bound()),
                Unpooled.EMPTY_BUFFER,
                ChunkReply.Finished.class);
    }

    /**
     * Makes and publishes a whole chunk; see {@link ChunkRequest.PutChunk}.
     *
     * @param payload made by {@link ChunkPayload#seal}; it belongs to the call from here on
     */
    public CompletableFuture<ChunkReply.Finished> put(Address to, ChunkRequest.PutChunk put, ByteBuf payload) {
        requireFits(put.chunk(), payload, put.bytes());
        return ask(to, put, payload, ChunkReply.Finished.class);
    }

    /**
     * Appends a tail record; see {@link ChunkRequest.WriteTail}.
     *
     * @param payload made by {@link ChunkPayload#seal}; it belongs to the call from here on
     */
    public CompletableFuture<ChunkReply.TailWritten> writeTail(
            Address to, ChunkRequest.WriteTail write, ByteBuf payload) {
        return ask(to, write, payload, ChunkReply.TailWritten.class);
    }

    /** Syncs the sent bytes of a chunk to disk; see {@link ChunkRequest.SyncChunk}. */
    public CompletableFuture<ChunkReply.Synced> sync(
            Address to, ChunkId chunk, long writer, SentBefore sent, BlockToken token) {
        return ask(
                to,
                new ChunkRequest.SyncChunk(chunk, writer, sent, token.bound()),
                Unpooled.EMPTY_BUFFER,
                ChunkReply.Synced.class);
    }

    /** Checks that a chunk still has what was sent of it; see {@link ChunkRequest.CheckChunk}. */
    public CompletableFuture<ChunkReply.Checked> check(
            Address to, ChunkId chunk, long writer, SentBefore sent, BlockToken token) {
        return ask(
                to,
                new ChunkRequest.CheckChunk(chunk, writer, sent, token.bound()),
                Unpooled.EMPTY_BUFFER,
                ChunkReply.Checked.class);
    }

    /** Requests what a chunk has of an open group; see {@link ChunkRequest.ProbeTail}. */
    public CompletableFuture<ChunkReply.TailProbed> probeTail(
            Address to, ChunkId chunk, VolumeId volume, BlockToken token) {
        return ask(
                to,
                new ChunkRequest.ProbeTail(chunk, volume, token),
                Unpooled.EMPTY_BUFFER,
                ChunkReply.TailProbed.class);
    }

    /**
     * Reads what a tail log has of the group byte at {@code from}; see {@link ChunkRequest.ReadTail}.
     *
     * @return verified bytes, in memory of their own; fails with {@code CHUNK_CORRUPT} when a checksum does not match
     *     here
     */
    public CompletableFuture<TailPart> readTail(
            Address to, ChunkId chunk, VolumeId volume, long from, int most, BlockToken token) {
        return call(
                to,
                new ChunkRequest.ReadTail(chunk, volume, from, most, token),
                Unpooled.EMPTY_BUFFER,
                envelope -> tailPart(to, chunk, from, most, envelope),
                part -> {});
    }

    private static TailPart tailPart(Address to, ChunkId chunk, long from, int most, Envelope envelope)
            throws EcfsException {
        ChunkReply.TailBytes answer = envelope.expect(ChunkReply.TailBytes.class);
        try {
            requireSameChunk(to, chunk, answer.chunk());
            boolean covers =
                    answer.length() == 0 || (answer.offset() <= from && from < answer.offset() + answer.length());
            if (!covers || answer.bytes() > most || !ChunkPayload.fits(envelope.payload(), answer.bytes())) {
                throw malformed(to, chunk, "sent " + answer + " where the tail at " + from + " was asked for");
            }
            if (ChunkPayload.firstMismatch(envelope.payload(), answer.bytes()).isPresent()) {
                throw new EcfsException(
                        ErrorCode.CHUNK_CORRUPT, "tail of " + chunk + " from " + to + " at " + from + " is damaged");
            }
            byte[] bytes = new byte[answer.bytes()];
            ChunkPayload.data(envelope.payload(), answer.bytes()).readBytes(bytes);
            return new TailPart(answer.form(), answer.offset(), answer.length(), bytes);
        } finally {
            envelope.release();
        }
    }

    /** Drops a chunk being written; see {@link ChunkRequest.AbortChunk}. */
    public CompletableFuture<ChunkReply.Aborted> abort(Address to, ChunkId chunk, long writer, BlockToken token) {
        return ask(
                to,
                new ChunkRequest.AbortChunk(chunk, writer, token.bound()),
                Unpooled.EMPTY_BUFFER,
                ChunkReply.Aborted.class);
    }

    /** Requests the datanode's record of a chunk. */
    public CompletableFuture<ChunkReply.Probed> probe(Address to, ChunkId chunk, VolumeId volume, BlockToken token) {
        return ask(
                to, new ChunkRequest.ProbeChunk(chunk, volume, token), Unpooled.EMPTY_BUFFER, ChunkReply.Probed.class);
    }

    /** Requests the load of a volume, answered when its queue gets to it; see {@link VolumeLoad}. */
    public CompletableFuture<VolumeLoad.Reply> load(Address to, VolumeId volume, Duration patience) {
        return answered(
                caller.call(to, new VolumeLoad.Ask(volume), patience),
                envelope -> {
                    VolumeLoad.Reply load = envelope.expect(VolumeLoad.Reply.class);
                    envelope.release();
                    return load;
                },
                load -> {});
    }

    /** Requests the paths of a published chunk's files; see {@link ChunkRequest.FindLocally}. */
    public CompletableFuture<ChunkReply.LocalFiles> findLocally(
            Address to, ChunkId chunk, VolumeId volume, BlockToken token) {
        return ask(
                to,
                new ChunkRequest.FindLocally(chunk, volume, token),
                Unpooled.EMPTY_BUFFER,
                ChunkReply.LocalFiles.class);
    }

    /**
     * Reads chunk bytes [offset, offset + bytes), which the chunk must have.
     *
     * @return verified bytes that cover the range, owned by the caller; fails with {@code CHUNK_CORRUPT} when a
     *     checksum does not match here
     */
    public CompletableFuture<ChunkBytes> read(
            Address to, ChunkId chunk, VolumeId volume, long offset, int bytes, BlockToken token) {
        return read(to, new ChunkRequest.ReadChunk(chunk, volume, offset, bytes, token));
    }

    /**
     * As {@link #read(Address, ChunkId, VolumeId, long, int, BlockToken)}, which asks for no
     * {@linkplain ChunkRequest.ReadChunk#spare spare}.
     */
    public CompletableFuture<ChunkBytes> read(Address to, ChunkRequest.ReadChunk read) {
        return call(
                to,
                read,
                Unpooled.EMPTY_BUFFER,
                envelope -> verified(to, read.chunk(), read.offset(), read.bytes(), envelope),
                ChunkBytes::close);
    }

    /**
     * Sends several reads in as few messages as possible; each as by {@link #read}.
     *
     * @return for each read its bytes
     */
    public List<CompletableFuture<ChunkBytes>> readAll(Address to, List<ChunkRequest.ReadChunk> reads) {
        List<CompletableFuture<Envelope>> calls = caller.callAll(to, reads, timeout);
        List<CompletableFuture<ChunkBytes>> results = new ArrayList<>(reads.size());
        for (int i = 0; i < reads.size(); i++) {
            ChunkRequest.ReadChunk read = reads.get(i);
            results.add(answered(
                    calls.get(i),
                    envelope -> verified(to, read.chunk(), read.offset(), read.bytes(), envelope),
                    ChunkBytes::close));
        }
        return results;
    }

    /**
     * Requests the checksums of chunk bytes [offset, offset + bytes), which the chunk must have; see
     * {@link ChunkRequest.ReadChecksums}.
     *
     * @param offset a multiple of the checksum window
     * @return the CRC32C of each window, as the datanode has them on disk; fails as {@link #read} does
     */
    public CompletableFuture<int[]> readChecksums(
            Address to, ChunkId chunk, VolumeId volume, long offset, int bytes, BlockToken token) {
        if (offset % ChunkPayload.WINDOW_BYTES != 0) {
            throw new IllegalArgumentException(
                    "checksums of " + chunk + " from " + offset + " on: not a window's begin");
        }
        return call(
                to,
                new ChunkRequest.ReadChecksums(chunk, volume, offset, bytes, token),
                Unpooled.EMPTY_BUFFER,
                envelope -> checksums(to, chunk, offset, bytes, envelope),
                windows -> {});
    }

    private static int[] checksums(Address from, ChunkId chunk, long offset, int bytes, Envelope envelope)
            throws EcfsException {
        ChunkReply.Checksums answer = envelope.expect(ChunkReply.Checksums.class);
        try {
            requireSameChunk(from, chunk, answer.chunk());
            int size = ChunkPayload.checksumBytes(answer.bytes());
            if (answer.offset() != offset
                    || answer.bytes() < bytes
                    || envelope.payload().readableBytes() != size) {
                throw malformed(
                        from, chunk, "sent " + answer + " where " + bytes + " bytes at " + offset + " were asked for");
            }
            int[] windows = new int[size / ChunkPayload.CHECKSUM_BYTES];
            for (int i = 0; i < windows.length; i++) {
                windows[i] = envelope.payload().readInt();
            }
            return windows;
        } finally {
            envelope.release();
        }
    }

    private static void requireFits(ChunkId chunk, ByteBuf payload, int bytes) {
        if (!ChunkPayload.fits(payload, bytes)) {
            payload.release();
            throw new IllegalArgumentException(
                    "payload of a write to " + chunk + " does not carry " + bytes + " bytes");
        }
    }

    private interface Check<T> {
        void accept(T reply) throws EcfsException;
    }

    private <T extends ChunkReply> CompletableFuture<T> ask(
            Address to, ChunkRequest request, ByteBuf payload, Class<T> kind) {
        return ask(to, request, payload, kind, reply -> {});
    }

    private <T extends ChunkReply> CompletableFuture<T> ask(
            Address to, ChunkRequest request, ByteBuf payload, Class<T> kind, Check<T> check) {
        return call(
                to,
                request,
                payload,
                envelope -> {
                    T reply = envelope.expect(kind);
                    envelope.release();
                    requireSameChunk(to, request.chunk(), reply.chunk());
                    check.accept(reply);
                    return reply;
                },
                reply -> {});
    }

    private interface Reading<T> {
        /** Takes ownership of the envelope, also when it fails. */
        T from(Envelope envelope) throws EcfsException;
    }

    private <T> CompletableFuture<T> call(
            Address to, ChunkRequest request, ByteBuf payload, Reading<T> reading, Consumer<T> unwanted) {
        return answered(caller.call(to, request, payload, timeout), reading, unwanted);
    }

    /**
     * Returns the outcome of one call; cancelling the result cancels the call.
     *
     * @param unwanted takes an answer that comes after that
     */
    private static <T> CompletableFuture<T> answered(
            CompletableFuture<Envelope> call, Reading<T> reading, Consumer<T> unwanted) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Futures.whenCancelled(result, () -> call.cancel(false));
        // Not forwarded as it is: the envelope is decoded here, and an answer that does not pass the checks is a
        // failure.
        call.whenComplete((envelope, failure) -> {
            if (failure != null) {
                result.completeExceptionally(EcfsException.of(failure));
                return;
            }
            try {
                T answer = reading.from(envelope);
                if (!result.complete(answer)) {
                    unwanted.accept(answer);
                }
            } catch (EcfsException e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private static ChunkBytes verified(Address from, ChunkId chunk, long offset, int bytes, Envelope envelope)
            throws EcfsException {
        ChunkReply.Data data = envelope.expect(ChunkReply.Data.class);
        try {
            requireSameChunk(from, chunk, data.chunk());
            ChunkBytes answer = new ChunkBytes(chunk, data.offset(), data.bytes(), envelope.payload(), data.writing());
            if (data.offset() % ChunkPayload.WINDOW_BYTES != 0
                    || !answer.covers(offset, offset + bytes)
                    || !ChunkPayload.fits(envelope.payload(), data.bytes())) {
                throw malformed(
                        from,
                        chunk,
                        "sent [" + data.offset() + ", " + answer.end() + ") in "
                                + envelope.payload().readableBytes() + " bytes where [" + offset + ", "
                                + (offset + bytes) + ") was asked for");
            }
            OptionalInt mismatch = ChunkPayload.firstMismatch(envelope.payload(), data.bytes());
            if (mismatch.isPresent()) {
                throw new EcfsException(
                        ErrorCode.CHUNK_CORRUPT,
                        chunk + " from " + from + ": the checksum window at byte "
                                + (data.offset() + mismatch.getAsInt()) + " does not match its bytes");
            }
            return answer;
        } catch (EcfsException | RuntimeException | Error e) {
            envelope.release();
            throw e;
        }
    }

    private static void requireSameChunk(Address from, ChunkId asked, ChunkId answered) throws EcfsException {
        if (!asked.equals(answered)) {
            throw malformed(from, asked, "answered about " + answered);
        }
    }

    private static EcfsException malformed(Address from, ChunkId chunk, String what) {
        return new EcfsException(ErrorCode.MALFORMED, "datanode at " + from + ", asked about " + chunk + ", " + what);
    }
}
