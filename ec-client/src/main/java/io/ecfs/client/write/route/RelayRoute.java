package io.ecfs.client.write.route;

import io.ecfs.code.ErasureCode;
import io.ecfs.env.Clock;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.EncodingSide;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.stripe.Stripe;
import io.ecfs.stripe.write.StripeCell;
import io.ecfs.stripe.write.StripeRoute;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.wire.Futures;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Through one datanode of the group, the master, which encodes and writes to all; directly, once that failed.
 *
 * <pre>
 *   RELAYING --a cell failed, the master is busy, lost or silent--&gt; DIRECT, and stays so
 *
 *   each chunk then:   calls under way end --&gt; probe --&gt; what it has is acknowledged, the rest is sent again
 *                                                ^                               |
 *                                                `---- refused: another came first
 * </pre>
 *
 * A cell that the master still sends after its failure has the same bytes as the one that is sent again, so the chunk
 * takes whichever comes first and refuses the other by its offset. Parity is computed here only for cells that are sent
 * again. Owned by the client's owner thread.
 */
public final class RelayRoute implements StripeRoute {
    private static final Logger LOG = LoggerFactory.getLogger(RelayRoute.class);

    /** Of one chunk: each cell under way at the master's failure can make one more of them necessary. */
    private static final int MOST_PROBES = 16;

    /** What the route needs of its client. */
    public record Services(ChunkClient client, Workers codecs, Clock clock) {}

    /** What the client's routes under one policy, and over all masters, have measured; they share it. */
    record Measured(SideChoice sides, MasterLoads masters) {}

    /** A cell that is not acknowledged, and the latest call for it. */
    private static final class Unanswered {
        private final StripeCell cell;
        private final CompletableFuture<ChunkReply> answer = new CompletableFuture<>();
        private CompletableFuture<?> call = CompletableFuture.completedFuture(null);
        /** Its call goes to the master, whose stripe needs the cell whatever becomes of its chunk. */
        private boolean relayed;

        private Unanswered(StripeCell cell) {
            this.cell = cell;
        }
    }

    /** One chunk's cells, in order. */
    private static final class Lane {
        private final ChunkLocation chunk;
        private final Deque<Unanswered> cells = new ArrayDeque<>();
        private int calls; // under way
        private boolean probing;
        private boolean probed; // since the route is direct, or nothing was relayed before
        private int probes;
        private CompletableFuture<Void> turn = CompletableFuture.completedFuture(null);

        /** Some are not on their way to the chunk's own datanode. */
        private boolean holdsCells() {
            return !turn.isDone() || (!probed && !cells.isEmpty());
        }

        private Lane(ChunkLocation chunk, boolean relayed) {
            this.chunk = chunk;
            this.probed = !relayed;
        }
    }

    private final Services services;
    private final Measured measured;
    private final LocatedGroup group;
    private final ErasureCode code;
    private final Optional<ChunkLocation> master;
    private final long writer;
    private final Supplier<BlockToken> token;
    private final Executor owner;
    private final Consumer<EcfsException> atFallback;
    private final Map<Integer, Lane> lanes = new HashMap<>();
    private boolean relaying;
    private final List<CompletableFuture<?>> calls = new ArrayList<>(); // under way to the master
    private long silentSince;

    /**
     * @param measured learns how long stripes take
     * @param group with a relay token, if there is a master
     * @param master the chunk whose datanode relays; empty: the route is direct from the start
     * @param writer the number that the chunks are opened with
     * @param owner runs what follows from answers on the owner thread
     * @param atFallback called with the reason when the route becomes direct
     */
    RelayRoute(
            Services services,
            Measured measured,
            LocatedGroup group,
            ErasureCode code,
            Optional<ChunkLocation> master,
            long writer,
            Supplier<BlockToken> token,
            Executor owner,
            Consumer<EcfsException> atFallback) {
        this.services = services;
        this.measured = measured;
        this.group = group;
        this.code = code;
        this.master = master;
        this.relaying = master.isPresent();
        this.writer = writer;
        this.token = token;
        this.owner = owner;
        this.atFallback = atFallback;
    }

    @Override
    public CompletableFuture<Void> begin() {
        if (!relaying) {
            return CompletableFuture.completedFuture(null);
        }
        ChunkLocation at = master.orElseThrow();
        CompletableFuture<Void> begun = new CompletableFuture<>();
        CompletableFuture<ChunkReply.RelayBegun> call = services.client()
                .beginRelay(
                        at.address(),
                        new ChunkRequest.BeginRelay(
                                at.chunk(),
                                group.policy(),
                                writer,
                                group.relayTargets(),
                                group.relay().orElseThrow(),
                                token.get()));
        asked(call);
        call.whenComplete((reply, failure) -> owner.execute(() -> {
            answeredByMaster(failure == null);
            if (failure != null) {
                fallBack(EcfsException.of(failure));
            }
            begun.complete(null);
        }));
        return begun;
    }

    @Override
    public CompletableFuture<? extends ChunkReply> write(StripeCell cell) {
        Lane lane = lanes.computeIfAbsent(cell.index(), index -> new Lane(cell.chunk(), relaying));
        Unanswered one = new Unanswered(cell);
        Futures.whenCancelled(one.answer, () -> givenUp(one));
        lane.cells.add(one);
        if (relaying) {
            relay(lane, one);
        } else if (lane.probed) {
            send(lane, one);
        } else {
            probe(lane);
        }
        return one.answer;
    }

    /** Its chunk's datanode is silent, which proves nothing against the master that waits for it too. */
    private void givenUp(Unanswered one) {
        if (one.relayed) {
            calls.removeIf(call -> call == one.call);
        } else {
            one.call.cancel(false);
        }
    }

    @Override
    public void skip(StripeCell cell) {
        if (relaying) {
            CompletableFuture<ChunkReply.Relayed> call = toMaster(cell, false);
            call.whenComplete((reply, failure) -> owner.execute(() -> {
                answeredByMaster(failure == null);
                if (failure != null) {
                    fallBack(EcfsException.of(failure));
                }
            }));
        }
    }

    @Override
    public boolean relays() {
        return relaying;
    }

    @Override
    public void stripeAnswered(long bytes, long nanos) {
        if (relaying == master.isPresent()) { // not after a fallback, which shows neither side
            measured.sides().took(relaying ? EncodingSide.MASTER : EncodingSide.CLIENT, bytes, nanos);
        }
    }

    @Override
    public boolean mayBeOvertaken() {
        return relaying || lanes.values().stream().anyMatch(Lane::holdsCells);
    }

    @Override
    public void giveUpSilent(Duration patience) {
        if (!calls.isEmpty() && masterSilence() >= patience.toNanos()) {
            fallBack(new EcfsException(ErrorCode.TIMEOUT, "it answered nothing for " + patience.toMillis() + " ms"));
            List.copyOf(calls).forEach(call -> call.cancel(false));
        }
    }

    /** Nanoseconds in which the master answered no writer of this client: this one may wait behind others. */
    private long masterSilence() {
        return measured.masters().silence(master.orElseThrow().datanode(), silentSince);
    }

    private void relay(Lane lane, Unanswered one) {
        lane.calls++;
        CompletableFuture<ChunkReply.Relayed> call = toMaster(one.cell, true);
        one.call = call;
        one.relayed = true;
        call.whenComplete((reply, failure) -> owner.execute(() -> {
            lane.calls--;
            answeredByMaster(failure == null);
            if (failure == null) {
                noteLoad(one.cell, reply);
                acknowledged(lane, one, reply);
            } else if (EcfsException.of(failure).code() == ErrorCode.FENCED) {
                failed(lane, one, EcfsException.of(failure));
            } else {
                fallBack(EcfsException.of(failure));
            }
            probe(lane);
        }));
    }

    /** Of the parity cells: those of data are on their way before the stripe is there. */
    private void noteLoad(StripeCell cell, ChunkReply.Relayed reply) {
        if (cell.index() >= group.policy().dataChunks()) {
            measured.masters()
                    .took(
                            master.orElseThrow().datanode(),
                            reply.times().managing(),
                            cell.stripe().bytes());
        }
    }

    private CompletableFuture<ChunkReply.Relayed> toMaster(StripeCell cell, boolean wanted) {
        boolean data = cell.index() < group.policy().dataChunks();
        ByteBuf payload = data ? cell.stripe().share(cell.index()) : Unpooled.EMPTY_BUFFER;
        CompletableFuture<ChunkReply.Relayed> call = services.client()
                .relay(
                        master.orElseThrow().address(),
                        new ChunkRequest.RelayCell(
                                cell.chunk().chunk(),
                                writer,
                                cell.offset(),
                                cell.bytes(),
                                cell.tailOf(),
                                wanted,
                                token.get().bound()),
                        payload);
        asked(call);
        return call;
    }

    private void asked(CompletableFuture<?> call) {
        if (calls.isEmpty()) {
            silentSince = services.clock().nanos();
        }
        calls.add(call);
    }

    /** @param well a failure may be of this side: it proves nothing for the other writers */
    private void answeredByMaster(boolean well) {
        calls.removeIf(CompletableFuture::isDone);
        silentSince = services.clock().nanos();
        if (well) {
            measured.masters().answered(master.orElseThrow().datanode());
        }
    }

    private void fallBack(EcfsException reason) {
        if (relaying) {
            relaying = false;
            LOG.info(
                    "event=relay_ended group={} master={} code={} reason=\"{}\" action=\"this client encodes what"
                            + " follows\"",
                    group.group(),
                    master.map(ChunkLocation::datanode).orElseThrow(),
                    reason.code(),
                    reason.getMessage());
            measured.sides().failed(EncodingSide.MASTER);
            atFallback.accept(reason);
            lanes.values().forEach(this::probe);
        }
    }

    /** Finds out what the chunk has of the cells whose outcome is unknown, when no call for them is under way. */
    private void probe(Lane lane) {
        lane.cells.removeIf(one -> one.answer.isDone());
        if (relaying || lane.probing || lane.probed || lane.calls > 0 || lane.cells.isEmpty()) {
            return;
        }
        lane.probing = true;
        lane.probes++;
        services.client()
                .probe(lane.chunk.address(), lane.chunk.chunk(), lane.chunk.volume(), token.get())
                .whenComplete((found, failure) -> owner.execute(() -> {
                    lane.probing = false;
                    lane.probed = true;
                    lane.cells.removeIf(one -> one.answer.isDone());
                    List<Unanswered> all = new ArrayList<>(lane.cells);
                    Optional<EcfsException> lost = failure != null
                            ? Optional.of(EcfsException.of(failure))
                            : lost(lane.chunk, found.record().state());
                    if (lost.isPresent()) {
                        all.forEach(one -> failed(lane, one, lost.get()));
                        return;
                    }
                    long length = found.record().bytes();
                    for (Unanswered one : all) {
                        if (one.cell.end() <= length) {
                            acknowledged(lane, one, new ChunkReply.Written(lane.chunk.chunk(), one.cell.end()));
                        } else {
                            send(lane, one);
                        }
                    }
                }));
    }

    /** The reason why this writer can add nothing to a chunk; empty while it is being written. */
    private static Optional<EcfsException> lost(ChunkLocation chunk, ChunkState state) {
        return switch (state) {
            case BEING_WRITTEN -> Optional.empty();
            case FINALISED ->
                Optional.of(new EcfsException(
                        ErrorCode.FENCED,
                        chunk.chunk() + " on " + chunk.datanode() + " was published without this writer"));
            case CORRUPT ->
                Optional.of(new EcfsException(
                        ErrorCode.CHUNK_CORRUPT, chunk.chunk() + " on " + chunk.datanode() + " is corrupt"));
        };
    }

    /** Directly, behind the cell before it; one that is not given up, so its stripe is open. */
    private void send(Lane lane, Unanswered one) {
        Stripe stripe = one.cell.stripe();
        boolean parity = one.cell.index() >= group.policy().dataChunks();
        CompletableFuture<Void> encoded =
                parity ? stripe.encodeLater(services.codecs(), code, owner) : CompletableFuture.completedFuture(null);
        lane.calls++;
        CompletableFuture<Void> sent = new CompletableFuture<>();
        lane.turn.thenCombine(encoded, (turn, done) -> null).whenComplete((now, failure) -> {
            if (failure != null) {
                lane.calls--;
                failed(lane, one, EcfsException.of(failure));
                probe(lane);
            } else {
                sendNow(lane, one);
            }
            sent.complete(null);
        });
        lane.turn = sent;
    }

    private void sendNow(Lane lane, Unanswered one) {
        if (one.answer.isDone()) {
            lane.calls--;
            probe(lane);
            return;
        }
        StripeCell cell = one.cell;
        CompletableFuture<ChunkReply.Written> call = services.client()
                .write(
                        cell.chunk().address(),
                        cell.chunk().chunk(),
                        writer,
                        cell.offset(),
                        cell.stripe().share(cell.index()),
                        cell.bytes(),
                        cell.tailOf(),
                        token.get());
        one.call = call;
        one.relayed = false;
        call.whenComplete((written, failure) -> owner.execute(() -> {
            lane.calls--;
            if (failure == null) {
                acknowledged(lane, one, written);
            } else if (EcfsException.of(failure).code() == ErrorCode.INVALID_ARGUMENT && lane.probes < MOST_PROBES) {
                lane.probed = false; // perhaps the master's cell came first
            } else {
                failed(lane, one, EcfsException.of(failure));
            }
            probe(lane);
        }));
    }

    private static void acknowledged(Lane lane, Unanswered one, ChunkReply reply) {
        lane.cells.remove(one);
        one.answer.complete(reply);
    }

    private static void failed(Lane lane, Unanswered one, EcfsException failure) {
        lane.cells.remove(one);
        one.answer.completeExceptionally(failure);
    }
}
