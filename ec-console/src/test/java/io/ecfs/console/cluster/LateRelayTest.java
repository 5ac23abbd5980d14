package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.buffer.BufferPool;
import io.ecfs.client.write.route.RelayRoute;
import io.ecfs.client.write.route.StripeRoutes;
import io.ecfs.code.construction.Codes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.datanode.relay.CellSink;
import io.ecfs.datanode.relay.RelayService;
import io.ecfs.datanode.relay.RelaySettings;
import io.ecfs.env.ManualTime;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.Message;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.chunk.RelayToken;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.stripe.Stripe;
import io.ecfs.stripe.write.ChunkSetWriter;
import io.ecfs.stripe.write.WriteTimes;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.transfer.ChunkPayload;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A writer and the datanode that relays for it, with messages that are late, lost, or held by a machine that stalls and
 * goes on: whatever cells the former master still sends, chunks have all bytes of the writer when it takes them for
 * acknowledged, and no others when it has finished them.
 */
class LateRelayTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-4k");
    private static final GroupId GROUP = new GroupId(10);
    private static final int MASTER = (int) (GROUP.value() % POLICY.chunks());
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int SEEDS = Integer.getInteger("ecfs.sim.plots", 100);

    @Test
    void chunksHaveTheWritersBytesWhateverIsLate() throws IOException {
        for (int seed = 0; seed < SEEDS; seed++) {
            try {
                new World(seed).run();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private static final class Chunk {
        private Optional<Long> writer = Optional.empty();
        private boolean published;
        private boolean gone;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    }

    private record Call(Address from, Address to, CompletableFuture<Envelope> answer) {}

    private static final class World {
        private static final Address CLIENT = new Address("client", 1);

        private final Random random;
        private final ManualTime time;
        private final Codes codes = new Codes(Kernels.java());
        private final BufferPool pool = new BufferPool("cells", Long.MAX_VALUE);
        private final Scheduler owner;
        private final RelayService relays;
        private final List<Chunk> chunks =
                IntStream.range(0, POLICY.chunks()).mapToObj(i -> new Chunk()).toList();
        private final Map<String, Long> arrivals = new HashMap<>();
        private final Map<Address, Long> stalledUntil = new HashMap<>();
        private final Set<Call> underWay = new HashSet<>();
        private final Set<Call> lost = new HashSet<>();
        private int open;

        private World(int seed) {
            random = new Random(seed);
            time = new ManualTime(seed);
            owner = time.scheduler("owner");
            long stripe = (long) POLICY.chunks() * ChunkPayload.payloadBytes(POLICY.cellBytes());
            relays = new RelayService(
                    "master",
                    CellSink.through(new ChunkClient(caller(address(MASTER)), Duration.ofSeconds(30))),
                    codes,
                    time.environment(),
                    new RelaySettings(
                            random.nextInt(4) == 0 ? 2 * stripe : 100 * stripe,
                            4,
                            Duration.ofSeconds(60),
                            Duration.ofSeconds(30),
                            1));
        }

        private static Address address(int index) {
            return new Address("dn" + index, 1);
        }

        private static ChunkId chunk(int index) {
            return new ChunkId(GROUP, index, 0);
        }

        private Caller caller(Address from) {
            return new Caller() {
                @Override
                public CompletableFuture<Envelope> call(
                        Address to, Message request, ByteBuf payload, Duration timeout) {
                    Call call = new Call(from, to, new CompletableFuture<>());
                    underWay.add(call);
                    call.answer.whenComplete((answer, failure) -> underWay.remove(call));
                    time.after(
                            timeout,
                            () -> call.answer.completeExceptionally(new EcfsException(ErrorCode.TIMEOUT, "late")));
                    arriveLater(from, to, () -> {
                        if (lost.contains(call)) {
                            payload.release();
                            return;
                        }
                        CompletableFuture<Envelope> done;
                        try {
                            done = handle((ChunkRequest) request, payload);
                        } catch (EcfsException e) {
                            done = CompletableFuture.failedFuture(e);
                        }
                        done.whenComplete((answer, failure) -> {
                            payload.release();
                            sendLater(to, delay(), () -> {
                                if (failure == null) {
                                    call.answer.complete(answer);
                                } else {
                                    call.answer.completeExceptionally(EcfsException.of(failure));
                                }
                            });
                        });
                    });
                    return call.answer;
                }

                @Override
                public void close() {}
            };
        }

        private long delay() {
            return Duration.ofMillis(random.nextInt(20) == 0 ? random.nextInt(3000) : random.nextInt(5))
                    .toNanos();
        }

        /** Messages from one to another arrive in order. */
        private void arriveLater(Address from, Address to, Runnable arrival) {
            long begin = Math.max(time.nanos(), stalledUntil.getOrDefault(from, Long.MIN_VALUE));
            long at = Math.max(begin + delay(), arrivals.getOrDefault(from + ">" + to, Long.MIN_VALUE));
            arrivals.put(from + ">" + to, at);
            time.after(Duration.ofNanos(at - time.nanos()), () -> handleUnlessStalled(to, arrival));
        }

        private void handleUnlessStalled(Address at, Runnable arrival) {
            long until = stalledUntil.getOrDefault(at, Long.MIN_VALUE);
            if (until > time.nanos()) {
                time.after(Duration.ofNanos(until - time.nanos()), () -> handleUnlessStalled(at, arrival));
            } else {
                arrival.run();
            }
        }

        private void sendLater(Address from, long delay, Runnable arrival) {
            long begin = Math.max(time.nanos(), stalledUntil.getOrDefault(from, Long.MIN_VALUE));
            time.after(Duration.ofNanos(begin + delay - time.nanos()), arrival);
        }

        private CompletableFuture<Envelope> handle(ChunkRequest request, ByteBuf payload) throws EcfsException {
            Chunk chunk = chunks.get(request.chunk().index());
            boolean byMaster = request instanceof ChunkRequest.BeginRelay || request instanceof ChunkRequest.RelayCell;
            if (chunk.gone && !byMaster) {
                throw new EcfsException(ErrorCode.CHUNK_MISSING, "its volume failed");
            }
            if (request instanceof ChunkRequest.OpenChunk open) {
                chunk.writer = Optional.of(open.writer());
                return done(new ChunkReply.Opened(open.chunk()));
            } else if (request instanceof ChunkRequest.BeginRelay begin) {
                return relays.begin(begin).thenApply(Envelope::of);
            } else if (request instanceof ChunkRequest.RelayCell cell) {
                return relays.take(cell, payload, (target, write, bytes) -> own(write, bytes))
                        .thenApply(Envelope::of);
            } else if (request instanceof ChunkRequest.WriteCells write) {
                return done(append(write, payload));
            } else if (request instanceof ChunkRequest.ProbeChunk probe) {
                ChunkState state = chunk.published ? ChunkState.FINALISED : ChunkState.BEING_WRITTEN;
                return done(new ChunkReply.Probed(
                        new ChunkRecord(probe.chunk(), state, chunk.bytes.size(), chunk.bytes.size(), -1, 0), ""));
            } else if (request instanceof ChunkRequest.FinishChunk finish) {
                if (finish.chunkBytes() != chunk.bytes.size()) {
                    throw new EcfsException(ErrorCode.INVALID_ARGUMENT, "another length");
                }
                chunk.published = true;
                return done(new ChunkReply.Finished(finish.chunk()));
            }
            throw new AssertionError(request.toString());
        }

        private static CompletableFuture<Envelope> done(ChunkReply reply) {
            return CompletableFuture.completedFuture(Envelope.of(reply));
        }

        private CompletableFuture<ChunkReply.Written> own(ChunkRequest.WriteCells write, ByteBuf bytes) {
            CompletableFuture<ChunkReply.Written> written = new CompletableFuture<>();
            arriveLater(address(MASTER), address(MASTER), () -> {
                try {
                    written.complete(append(write, bytes));
                } catch (EcfsException e) {
                    written.completeExceptionally(e);
                } finally {
                    bytes.release();
                }
            });
            return written;
        }

        private ChunkReply.Written append(ChunkRequest.WriteCells write, ByteBuf payload) throws EcfsException {
            Chunk chunk = chunks.get(write.chunk().index());
            if (chunk.gone) {
                throw new EcfsException(ErrorCode.CHUNK_MISSING, "its volume failed");
            }
            if (chunk.published || write.offset() != chunk.bytes.size()) {
                throw new EcfsException(ErrorCode.INVALID_ARGUMENT, "not behind what is there");
            }
            assertThat(chunk.writer).contains(write.writer());
            assertThat(ChunkPayload.firstMismatch(payload, write.bytes())).isEmpty();
            byte[] bytes = new byte[write.bytes()];
            ChunkPayload.data(payload, write.bytes()).getBytes(0, bytes);
            chunk.bytes.writeBytes(bytes);
            return new ChunkReply.Written(write.chunk(), chunk.bytes.size());
        }

        private ChunkSetWriter writer() {
            BlockToken token =
                    new BlockToken(GROUP, 0, BlockToken.Right.WRITE, 1, 1, new byte[BlockToken.SIGNATURE_BYTES]);
            RelayToken relay = new RelayToken(GROUP, 0, 1, 1, new byte[BlockToken.SIGNATURE_BYTES]);
            List<ChunkLocation> places = IntStream.range(0, POLICY.chunks())
                    .mapToObj(index -> new ChunkLocation(
                            chunk(index),
                            new VolumeId(index + 1),
                            new DatanodeId("dn" + index),
                            address(index),
                            "/rack",
                            ChunkLocation.State.LIVE))
                    .toList();
            LocatedGroup group = new LocatedGroup(GROUP, POLICY, LocatedGroup.OPEN, places, token, Optional.of(relay));
            ChunkClient client = new ChunkClient(caller(CLIENT), TIMEOUT);
            StripeRoutes routes = new StripeRoutes(
                    new RelayRoute.Services(client, time.workers("codecs", 1, 1000), time), codes, Optional.empty());
            return new ChunkSetWriter(
                    group,
                    5,
                    client,
                    new WriteTimes(),
                    time,
                    owner::execute,
                    (number, current, atFallback) -> routes.of(
                            EncodingSide.MASTER, group, number, current, owner::execute, Set.of(), atFallback));
        }

        private void disturb() {
            int kind = random.nextInt(6);
            long until = time.nanos() + Duration.ofSeconds(random.nextInt(40)).toNanos();
            if (kind == 0) {
                stalledUntil.put(address(MASTER), until);
            } else if (kind == 1) {
                stalledUntil.put(address(random.nextInt(POLICY.chunks())), until);
            } else if (kind == 2) {
                cutConnectionToMaster();
            } else if (kind == 3 && chunks.stream().noneMatch(chunk -> chunk.gone)) {
                loseOne();
            }
        }

        /** The outcome of what is under way is unknown: it came, or it is lost. */
        private void cutConnectionToMaster() {
            List<Call> cut = underWay.stream()
                    .filter(call -> call.from.equals(CLIENT) && call.to.equals(address(MASTER)))
                    .toList();
            if (random.nextBoolean()) {
                lost.addAll(cut);
            }
            cut.forEach(call -> call.answer.completeExceptionally(new EcfsException(ErrorCode.CONNECTION_LOST, "cut")));
        }

        private void loseOne() {
            chunks.get(random.nextInt(POLICY.chunks())).gone = true;
        }

        private void run() throws IOException {
            ChunkSetWriter writer = writer();
            int stripes = 1 + random.nextInt(12);
            byte[] bytes = new byte[(int) POLICY.stripeBytes() * stripes - (random.nextBoolean() ? 0 : 5000)];
            random.nextBytes(bytes);
            ByteBuffer source = ByteBuffer.wrap(bytes);
            List<Stripe> expected = new ArrayList<>();
            if (random.nextInt(5) == 0) {
                loseOne(); // the other chunks are written
            }
            writer.open(Set.of());
            int liveAtStart = -1;
            int window = 1 + random.nextInt(5);
            long end = time.nanos() + Duration.ofMinutes(15).toNanos();
            long watched = time.nanos();
            boolean finishing = false;
            while (!finishing || writer.finishing()) {
                assertThat(time.nanos()).as("time without an end: " + writer).isLessThan(end);
                time.advance(Duration.ofMillis(1 + random.nextInt(30)));
                if (random.nextInt(60) == 0) {
                    disturb();
                }
                if (time.nanos() - watched > PATIENCE.toNanos() / 2) {
                    watched = time.nanos();
                    writer.giveUpSilent(PATIENCE);
                }
                if (writer.opening()) {
                    continue;
                }
                liveAtStart = liveAtStart < 0 ? writer.chunks().live() : liveAtStart;
                boolean whole = writer.chunks().live() == liveAtStart;
                while (whole && source.hasRemaining() && open < window) {
                    Stripe copy = stripe(source.duplicate(), () -> {});
                    copy.encode(codes.of(POLICY.code()));
                    expected.add(copy);
                    open++;
                    Stripe stripe = stripe(source, () -> open--);
                    if (!writer.relays()) {
                        stripe.encode(codes.of(POLICY.code()));
                    }
                    writer.send(stripe);
                }
                if (!finishing && (!whole || !source.hasRemaining()) && writer.drained()) {
                    finishing = true;
                    List<ChunkId> acknowledged = writer.readable().chunks().stream()
                            .map(ChunkLocation::chunk)
                            .toList();
                    haveTheirBytes(acknowledged, expected);
                    writer.finish(false);
                }
            }
            haveTheirBytes(writer.sealed().finished(), expected);
            expected.forEach(Stripe::close);
            nothingIsLeft();
        }

        private Stripe stripe(ByteBuffer source, Runnable atClose) throws IOException {
            Stripe stripe = new Stripe(POLICY, pool, atClose);
            stripe.fill(source);
            stripe.seal();
            return stripe;
        }

        private void haveTheirBytes(List<ChunkId> written, List<Stripe> expected) {
            for (ChunkId finished : written) {
                ByteArrayOutputStream whole = new ByteArrayOutputStream();
                for (Stripe stripe : expected) {
                    int stored = stripe.storedBytes(finished.index());
                    if (stored > 0) {
                        byte[] cell = new byte[stored];
                        ByteBuf payload = stripe.share(finished.index());
                        ChunkPayload.data(payload, stored).getBytes(0, cell);
                        payload.release();
                        whole.writeBytes(cell);
                    }
                }
                assertThat(chunks.get(finished.index()).bytes.toByteArray())
                        .as("bytes of %s", finished)
                        .isEqualTo(whole.toByteArray());
            }
        }

        private void nothingIsLeft() {
            time.advance(Duration.ofMinutes(5));
            assertThat(open).as("stripes that are not closed").isZero();
            assertThat(pool.loans()).isZero();
            assertThat(relays.totals().bytes()).isZero();
            assertThat(relays.loans()).isZero();
        }
    }
}
