package io.ecfs.datanode.repair;

import io.ecfs.code.ErasureCode;
import io.ecfs.code.construction.ErasureCodes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Stamp;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.Message;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.transfer.ChunkPayload;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/** The chunks of one group, encoded stripe by stripe as a writer does it, and the datanodes that serve them. */
final class StoredGroup implements Caller {
    static final VolumeId TARGET = new VolumeId(100);
    static final long WRITER = 77;
    private static final GroupId GROUP = new GroupId(17);
    private static final BlockToken TOKEN =
            new BlockToken(GROUP, Stamp.NONE, BlockToken.Right.READ, 1, 1, new byte[BlockToken.SIGNATURE_BYTES]);

    /** How a source behaves. */
    enum Mood {
        WELL,
        /** One bit is wrong on the way, so that the checksum does not match. */
        DAMAGED,
        UNREACHABLE,
        /** It answers once, and not again. */
        DIES_LATER,
        /** Its bytes are others than its group's, with checksums that match. */
        SWAPPED,
        /** The same of one byte, that at {@link #wrongAt}. */
        WRONG_BYTE,
        /** Its checksums on disk do not fit its bytes, which are right, in the window at {@link #wrongAt}. */
        ROTTEN_SUM,
        /** It answers with fewer bytes than it was asked for. */
        SHORT
    }

    /** Where in the chunk the wrong byte of {@link Mood#WRONG_BYTE} is. */
    long wrongAt;

    /** What happens when bytes of a chunk from an offset on are asked for. */
    LongConsumer onRead = offset -> {};

    /** How requests for checksums fail. */
    Optional<ErrorCode> checksumsFail = Optional.empty();

    final Policy policy;
    final GroupLayout layout;
    final byte[][] chunks;
    final Mood[] moods;
    final AtomicLong bytesAsked = new AtomicLong();
    final AtomicLong checksumsAsked = new AtomicLong();

    /** Reads in each message of several. */
    final Queue<Integer> messages = new ConcurrentLinkedQueue<>();
    /** Of answers that nobody has released yet. */
    final AtomicLong bytesOut = new AtomicLong();

    final AtomicLong mostBytesOut = new AtomicLong();
    private final AtomicLong answered = new AtomicLong();

    StoredGroup(String policy, long length, long seed) {
        this.policy = Policy.parse(policy);
        this.layout = new GroupLayout(this.policy, length);
        this.moods = new Mood[this.policy.chunks()];
        Arrays.fill(moods, Mood.WELL);
        chunks = new byte[this.policy.chunks()][Math.toIntExact(layout.codedChunkBytes())];
        byte[] data = new byte[Math.toIntExact(length)];
        new Random(seed).nextBytes(data);
        layoutData(data);
        encode();
        for (int i = 0; i < chunks.length; i++) {
            chunks[i] = Arrays.copyOf(chunks[i], Math.toIntExact(layout.chunkBytes(i)));
        }
    }

    private void layoutData(byte[] data) {
        if (data.length > 0) {
            layout.cells(0, data.length)
                    .forEach(cell -> System.arraycopy(
                            data,
                            (int) cell.groupOffset(),
                            chunks[cell.chunkIndex()],
                            (int) cell.chunkOffset(),
                            cell.bytes()));
        }
    }

    private void encode() {
        ErasureCode code = ErasureCodes.create(policy.code(), Kernels.java());
        int k = policy.dataChunks();
        for (long stripe = 0; stripe < layout.stripes(); stripe++) {
            int at = (int) layout.cellOffset(stripe);
            int bytes = layout.cellBytes(stripe);
            ByteBuffer[] cells = new ByteBuffer[policy.chunks()];
            for (int i = 0; i < cells.length; i++) {
                cells[i] = ByteBuffer.allocateDirect(bytes);
                cells[i].put(chunks[i], at, bytes).flip();
            }
            code.encode(Arrays.copyOf(cells, k), Arrays.copyOfRange(cells, k, cells.length));
            for (int i = k; i < cells.length; i++) {
                cells[i].get(0, chunks[i], at, bytes);
            }
        }
    }

    DatanodeOrder.Rebuild order(int lost) {
        List<ChunkLocation> sources = IntStream.range(0, policy.chunks())
                .filter(i -> i != lost)
                .mapToObj(this::location)
                .toList();
        return new DatanodeOrder.Rebuild(
                TARGET,
                new ChunkId(GROUP, lost, 1),
                policy,
                layout.length(),
                WRITER,
                sources,
                Optional.empty(),
                false,
                TOKEN);
    }

    /** As {@link #order}, with the chunk itself, of its older generation, among the sources. */
    DatanodeOrder.Rebuild move(int index) {
        DatanodeOrder.Rebuild order = order(index);
        List<ChunkLocation> sources = new ArrayList<>(order.sources());
        sources.add(location(index));
        return new DatanodeOrder.Rebuild(
                TARGET,
                order.chunk(),
                policy,
                layout.length(),
                WRITER,
                sources,
                Optional.of(location(index)),
                true,
                order.token());
    }

    /** As {@link #order}, of a chunk whose volume failed and may still give it. */
    DatanodeOrder.Rebuild lastResort(int index) {
        return replacing(index, location(index, ChunkLocation.State.LAST_RESORT), false);
    }

    /** As {@link #order}, of a chunk that was found wrong. */
    DatanodeOrder.Rebuild condemned(int index) {
        return replacing(index, location(index, ChunkLocation.State.MISSING), false);
    }

    /** As {@link #order}, of a chunk that can still be read and is computed from the others all the same. */
    DatanodeOrder.Rebuild computedMove(int index) {
        return replacing(index, location(index), true);
    }

    private DatanodeOrder.Rebuild replacing(int index, ChunkLocation original, boolean calm) {
        DatanodeOrder.Rebuild order = order(index);
        return new DatanodeOrder.Rebuild(
                TARGET,
                order.chunk(),
                policy,
                layout.length(),
                WRITER,
                order.sources(),
                Optional.of(original),
                calm,
                order.token());
    }

    /** Of all chunks but these. */
    DatanodeOrder.CheckParity check(Integer... without) {
        List<ChunkLocation> read = IntStream.range(0, policy.chunks())
                .filter(index -> !List.of(without).contains(index))
                .mapToObj(this::location)
                .toList();
        return new DatanodeOrder.CheckParity(TARGET, GROUP, policy, layout.length(), read, TOKEN);
    }

    /** Of the chunk of an index with the one of the next generation that stands in for it. */
    DatanodeOrder.Compare comparison(int index) {
        ChunkLocation old = location(index);
        ChunkLocation fresh = new ChunkLocation(
                new ChunkId(GROUP, index, 1),
                new VolumeId(50),
                new DatanodeId("dn50"),
                new Address("dn50", 9000),
                "/rack",
                ChunkLocation.State.LIVE);
        return new DatanodeOrder.Compare(TARGET, fresh, old, chunks[index].length, TOKEN);
    }

    private ChunkLocation location(int index) {
        return location(index, ChunkLocation.State.LIVE);
    }

    private static ChunkLocation location(int index, ChunkLocation.State state) {
        return new ChunkLocation(
                new ChunkId(GROUP, index, 0),
                new VolumeId(index + 1),
                new DatanodeId("dn" + index),
                new Address("dn" + index, 9000),
                "/rack",
                state);
    }

    @Override
    public CompletableFuture<Envelope> call(Address to, Message request, ByteBuf payload, Duration timeout) {
        payload.release();
        if (request instanceof ChunkRequest.ReadChecksums read) {
            return checksums(to, read);
        }
        ChunkRequest.ReadChunk read = (ChunkRequest.ReadChunk) request;
        int index = read.chunk().index();
        bytesAsked.addAndGet(read.bytes());
        onRead.accept(read.offset());
        if (silent(index)) {
            return CompletableFuture.failedFuture(
                    new EcfsException(ErrorCode.UNREACHABLE, "datanode " + to + " does not answer"));
        }
        byte[] chunk = chunks[index];
        if (read.offset() + read.bytes() > chunk.length) {
            return CompletableFuture.failedFuture(
                    new EcfsException(ErrorCode.INVALID_ARGUMENT, "beyond the end of chunk " + index));
        }
        int from = (int) (read.offset() / Policy.CHECKSUM_WINDOW_BYTES * Policy.CHECKSUM_WINDOW_BYTES);
        int end = (int) read.offset() + read.bytes();
        int to4k = Math.min(
                chunk.length,
                (end + Policy.CHECKSUM_WINDOW_BYTES - 1) / Policy.CHECKSUM_WINDOW_BYTES * Policy.CHECKSUM_WINDOW_BYTES);
        if (moods[index] == Mood.SHORT && to4k - from > 1) {
            to4k = from + (to4k - from) / 2;
        }
        return CompletableFuture.completedFuture(
                new Envelope(new ChunkReply.Data(read.chunk(), from, to4k - from), sealed(index, from, to4k)));
    }

    @Override
    public List<CompletableFuture<Envelope>> callAll(Address to, List<ChunkRequest.ReadChunk> reads, Duration timeout) {
        messages.add(reads.size());
        return Caller.super.callAll(to, reads, timeout);
    }

    private boolean silent(int index) {
        return moods[index] == Mood.UNREACHABLE || (moods[index] == Mood.DIES_LATER && answered.incrementAndGet() > 1);
    }

    private CompletableFuture<Envelope> checksums(Address to, ChunkRequest.ReadChecksums read) {
        int index = read.chunk().index();
        checksumsAsked.incrementAndGet();
        Optional<ErrorCode> failure =
                checksumsFail.or(() -> silent(index) ? Optional.of(ErrorCode.UNREACHABLE) : Optional.empty());
        if (failure.isPresent()) {
            return CompletableFuture.failedFuture(
                    new EcfsException(failure.get(), "datanode " + to + " does not answer"));
        }
        ByteBuf sealed = sealed(index, 0, chunks[index].length);
        ByteBuf sums = Unpooled.copiedBuffer(sealed.slice(0, ChunkPayload.checksumBytes(chunks[index].length)));
        sealed.release();
        return CompletableFuture.completedFuture(
                new Envelope(new ChunkReply.Checksums(read.chunk(), 0, chunks[index].length), sums));
    }

    private ByteBuf sealed(int index, int from, int to) {
        int bytes = to - from;
        byte[] sent = Arrays.copyOfRange(chunks[index], from, to);
        if (moods[index] == Mood.SWAPPED) {
            sent[bytes / 2] ^= 1;
        } else if (moods[index] == Mood.WRONG_BYTE && wrongAt >= from && wrongAt < to) {
            sent[(int) wrongAt - from] ^= 1;
        }
        int payloadBytes = ChunkPayload.payloadBytes(bytes);
        mostBytesOut.accumulateAndGet(bytesOut.addAndGet(payloadBytes), Math::max);
        ByteBuf payload = new UnpooledDirectByteBuf(UnpooledByteBufAllocator.DEFAULT, payloadBytes, payloadBytes) {
            @Override
            protected void deallocate() {
                bytesOut.addAndGet(-payloadBytes);
                super.deallocate();
            }
        };
        payload.writeZero(ChunkPayload.checksumBytes(bytes)).writeBytes(sent);
        ChunkPayload.seal(payload, bytes);
        if (moods[index] == Mood.ROTTEN_SUM && wrongAt >= from && wrongAt < to) {
            int window = (int) (wrongAt - from) / ChunkPayload.WINDOW_BYTES * ChunkPayload.CHECKSUM_BYTES;
            payload.setByte(window, payload.getByte(window) ^ 1);
        }
        if (moods[index] == Mood.DAMAGED) {
            int last = payload.writerIndex() - 1;
            payload.setByte(last, payload.getByte(last) ^ 1);
        }
        return payload;
    }

    @Override
    public void close() {}
}
