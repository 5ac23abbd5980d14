package io.ecfs.datanode.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.buffer.BufferPool;
import io.ecfs.code.construction.Codes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.datanode.rewrite.Rewriter;
import io.ecfs.datanode.store.Chunks;
import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.env.ManualTime;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.CellRange;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Stamp;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.Message;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.datanode.DatanodeOrder.Rewrite.Group;
import io.ecfs.message.datanode.DatanodeOrder.Rewrite.Range;
import io.ecfs.message.datanode.TokenKey;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.stripe.Stripe;
import io.ecfs.stripe.write.ChunkSetWriter;
import io.ecfs.stripe.write.DirectRoute;
import io.ecfs.stripe.write.WriteTimes;
import io.ecfs.token.BlockTokenVerifier;
import io.ecfs.token.BlockTokens;
import io.ecfs.transfer.ChunkBytes;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.Session;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** A datanode with one volume in memory, on which all chunks of all groups lie, and the network to it. */
final class OneDatanode implements Caller {
    static final GroupId TARGET = new GroupId(9);
    private static final VolumeId VOLUME = new VolumeId(1);
    private static final Address ADDRESS = new Address("dn1", 1);
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final TokenKey KEY =
            new TokenKey(1, new byte[TokenKey.SECRET_BYTES], ManualTime.EPOCH_AT_START + 1_000_000_000);
    private static final Session SESSION =
            new Session(new Address("client", 1), "ann", List.of("staff"), "client", "", false);

    /** Makes of a read the one that is answered in its place, as if it was that. */
    UnaryOperator<ChunkRequest.ReadChunk> onRead = read -> read;

    /** Makes of a write the index of the chunk that it goes to. */
    ToIntFunction<ChunkRequest.WriteCells> onWrite = write -> write.chunk().index();

    /** Groups of which no checksums are there to read. */
    Predicate<GroupId> lostChecksums = group -> false;

    private final ManualTime time = new ManualTime(7);
    private final Scheduler owner = time.scheduler("control");
    private final BufferPool reads = new BufferPool("reads", 64 << 20, true);
    private final BufferPool stripes = new BufferPool("stripes", 64 << 20, true);
    private final Codes codes = new Codes(Kernels.java());
    private final ChunkClient client = new ChunkClient(this, PATIENCE);
    private final Rewriter rewriter =
            new Rewriter("dn1", client, codes, time.environment(), bytes -> CompletableFuture.completedFuture(null));
    private final List<Group> sources = new ArrayList<>();
    private ChunkService service;
    private long bytesRead;

    void start() throws IOException {
        Volume volume = Chunks.open(new MemoryVolumeIo("disk", 1 << 28, new Random(1)), new Random(2));
        Volumes volumes = new Volumes(
                List.of(new ServedVolume(volume, new VolumeQueue(time.workers("volume", 1, 10_000), 1, 9_000, time))));
        volumes.number(Map.of(volume.uuid(), VOLUME));
        BlockTokenVerifier tokens = new BlockTokenVerifier(time, () -> "c1");
        tokens.keys(List.of(KEY));
        service = new ChunkService(volumes, tokens, reads, 4 << 20, false, change -> {}, time, Optional.empty());
    }

    @Override
    public void close() {
        rewriter.close();
        assertThat(reads.loans()).isZero();
        assertThat(stripes.loans()).isZero();
    }

    @Override
    public CompletableFuture<Envelope> call(Address to, Message request, ByteBuf payload, Duration timeout) {
        if (request instanceof ChunkRequest.ReadChunk read) {
            bytesRead += read.bytes();
            ChunkRequest.ReadChunk other = onRead.apply(read);
            long shift = other.offset() - read.offset();
            return handle(other, payload).thenApply(answer -> {
                ChunkReply.Data data = (ChunkReply.Data) answer.head();
                return new Envelope(
                        new ChunkReply.Data(read.chunk(), data.offset() - shift, data.bytes()), answer.payload());
            });
        }
        if (request instanceof ChunkRequest.WriteCells write) {
            ChunkId chunk = write.chunk();
            ChunkId other = new ChunkId(chunk.group(), onWrite.applyAsInt(write), chunk.generation());
            return handle(
                            new ChunkRequest.WriteCells(
                                    other,
                                    write.writer(),
                                    write.offset(),
                                    write.bytes(),
                                    write.tailOf(),
                                    write.token()),
                            payload)
                    .thenApply(answer ->
                            Envelope.of(new ChunkReply.Written(chunk, ((ChunkReply.Written) answer.head()).length())));
        }
        if (request instanceof ChunkRequest.ReadChecksums read
                && lostChecksums.test(read.chunk().group())) {
            payload.release();
            return CompletableFuture.failedFuture(
                    new EcfsException(ErrorCode.CHUNK_MISSING, read.chunk() + " is not there"));
        }
        return handle(request, payload);
    }

    /** The answer, on the network's thread. */
    private CompletableFuture<Envelope> handle(Message request, ByteBuf payload) {
        CompletableFuture<Envelope> answer = new CompletableFuture<>();
        owner.execute(() -> service.handle(SESSION, new Envelope(request, payload))
                .whenComplete((envelope, failure) -> owner.execute(() -> {
                    if (failure == null) {
                        answer.complete(envelope);
                    } else {
                        answer.completeExceptionally(EcfsException.of(failure));
                    }
                })));
        return answer;
    }

    /** Bytes that reads asked for since {@link #forgetReads}. */
    long bytesRead() {
        return bytesRead;
    }

    void forgetReads() {
        bytesRead = 0;
    }

    private static List<ChunkLocation> chunks(GroupId group, Policy policy) {
        return IntStream.range(0, policy.chunks())
                .mapToObj(index -> new ChunkLocation(
                        new ChunkId(group, index, 0),
                        VOLUME,
                        new DatanodeId("dn1"),
                        ADDRESS,
                        "/rack",
                        ChunkLocation.State.LIVE))
                .toList();
    }

    private static BlockToken token(GroupId group, Right right) {
        return BlockTokens.sign(KEY, group, Stamp.NONE, right, ManualTime.EPOCH_AT_START + 500_000_000);
    }

    /** Writes a sealed group of random bytes, which rewrites may read from here on. */
    byte[] write(GroupId id, Policy policy, int length) throws IOException {
        byte[] bytes = new byte[length];
        new Random(id.value()).nextBytes(bytes);
        write(id, policy, bytes);
        return bytes;
    }

    void write(GroupId id, Policy policy, byte[] bytes) throws IOException {
        LocatedGroup group =
                new LocatedGroup(id, policy, LocatedGroup.OPEN, chunks(id, policy), token(id, Right.WRITE));
        ChunkSetWriter writer = new ChunkSetWriter(
                group,
                id.value(),
                client,
                new WriteTimes(),
                time,
                owner::execute,
                (number, token, atFallback) -> new DirectRoute(client, number, token::now));
        writer.open(Set.of());
        time.until(() -> !writer.opening(), PATIENCE);
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining()) {
            Stripe stripe = new Stripe(policy, stripes, () -> {});
            stripe.fill(left);
            stripe.seal(codes.of(policy.code()));
            writer.send(stripe);
        }
        time.until(writer::drained, PATIENCE);
        writer.finish(false);
        time.until(() -> !writer.finishing(), PATIENCE);
        assertThat(writer.sealed().finished()).hasSize(policy.chunks());
        sources.add(new Group(id, policy, bytes.length, chunks(id, policy), token(id, Right.READ)));
    }

    /** Has {@link #TARGET} filled with these ranges of what was written. */
    CompletableFuture<SealedGroup> rewrite(Policy policy, List<Range> ranges, Consumer<BadChunk> badChunks) {
        Group target = new Group(TARGET, policy, 0, chunks(TARGET, policy), token(TARGET, Right.WRITE));
        CompletableFuture<SealedGroup> done =
                rewriter.rewrite(new DatanodeOrder.Rewrite(VOLUME, target, sources, ranges), owner::execute, badChunks);
        time.until(done::isDone, PATIENCE);
        return done;
    }

    CompletableFuture<SealedGroup> rewrite(Policy policy, List<Range> ranges) {
        return rewrite(policy, ranges, chunk -> {});
    }

    /** The user bytes of the target. */
    byte[] readBack(Policy policy, int length) throws EcfsException {
        byte[] bytes = new byte[length];
        for (CellRange cell : new GroupLayout(policy, length).cells(0, length)) {
            ChunkLocation chunk = chunks(TARGET, policy).get(cell.chunkIndex());
            CompletableFuture<ChunkBytes> read = client.read(
                    chunk.address(),
                    chunk.chunk(),
                    chunk.volume(),
                    cell.chunkOffset(),
                    cell.bytes(),
                    token(TARGET, Right.READ));
            time.until(read::isDone, PATIENCE);
            try (ChunkBytes got = read.join()) {
                got.slice(cell.chunkOffset(), cell.chunkOffset() + cell.bytes())
                        .readBytes(bytes, (int) cell.groupOffset(), cell.bytes());
            }
        }
        return bytes;
    }

    static EcfsException failure(CompletableFuture<?> failed) {
        assertThat(failed).isCompletedExceptionally();
        return EcfsException.of(failed.handle((ok, why) -> why).join());
    }
}
