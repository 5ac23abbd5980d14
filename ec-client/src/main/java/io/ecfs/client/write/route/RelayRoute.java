package io.ecfs.client.write.route;

import io.ecfs.code.ErasureCode;
import io.ecfs.dispatch.StateMachine;
import io.ecfs.env.Clock;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.WriteSide;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.stripe.write.StripeCell;
import io.ecfs.stripe.write.StripeRoute;
import io.ecfs.stripe.write.WriteToken;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.wire.Futures;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Through one datanode of the group, the master, which encodes and writes to all; directly, once that failed: then each
 * {@link ChunkLane} finds out what its chunk has. Parity is computed here only for cells that are sent directly. Owned
 * by the client's owner thread.
 */
public final class RelayRoute implements StripeRoute {
    private static final Logger LOG = LoggerFactory.getLogger(RelayRoute.class);

    /**
     * States of a route.
     *
     * <pre>
     *   RELAYING --a cell failed, the master is busy, lost or silent--&gt; FELL_BACK
     *   DIRECT, of a group without a master
     * </pre>
     */
    private enum State {
        RELAYING,
        FELL_BACK,
        DIRECT;

        private boolean mayBecome(State next) {
            return this == RELAYING && next == FELL_BACK;
        }
    }

    /** What the route needs of its client. */
    public record Services(ChunkClient client, Workers codecs, Clock clock) {}

    /** What the client's routes under one policy, and over all masters, have measured; they share it. */
    record Measured(SideChoice sides, MasterLoads masters) {}

    private final Services services;
    private final Measured measured;
    private final LocatedGroup group;
    private final Optional<ChunkLocation> master;
    private final long writer;
    private final WriteToken token;
    private final Executor owner;
    private final Consumer<EcfsException> atFallback;
    private final DirectCalls direct;
    private final StateMachine<State> state;
    private final Map<Integer, ChunkLane> lanes = new HashMap<>();
    private final List<CompletableFuture<?>> calls = new ArrayList<>(); // under way to the master
    private long silentSince;

    /**
     * @param measured learns how long stripes take
     * @param master the chunk whose datanode relays; empty: the route is direct from the start
     * @param writer the number that the chunks are opened with
     * @param token with one for relays, if there is a master
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
            WriteToken token,
            Executor owner,
            Consumer<EcfsException> atFallback) {
        this.services = services;
        this.measured = measured;
        this.group = group;
        this.master = master;
        this.writer = writer;
        this.token = token;
        this.owner = owner;
        this.atFallback = atFallback;
        this.direct = new DirectCalls(
                services.client(), services.codecs(), code, group.policy().dataChunks(), writer, token::now, owner);
        this.state = new StateMachine<>(
                LOG,
                "stripe_route",
                () -> "group=" + group.group(),
                master.isPresent() ? State.RELAYING : State.DIRECT,
                State::mayBecome);
    }

    @Override
    public CompletableFuture<Void> begin() {
        if (!relays()) {
            return CompletableFuture.completedFuture(null);
        }
        ChunkLocation at = master.orElseThrow();
        LocatedGroup granted = token.granted();
        CompletableFuture<Void> begun = new CompletableFuture<>();
        CompletableFuture<ChunkReply.RelayBegun> call = services.client()
                .beginRelay(
                        at.address(),
                        new ChunkRequest.BeginRelay(
                                at.chunk(),
                                group.policy(),
                                writer,
                                granted.relayTargets(),
                                granted.relay().orElseThrow(),
                                token.now()));
        ask(call, reply -> begun.complete(null), failure -> {
            fallBack(failure);
            begun.complete(null);
        });
        return begun;
    }

    @Override
    public CompletableFuture<? extends ChunkReply> write(StripeCell cell) {
        ChunkLane lane = lanes.computeIfAbsent(
                cell.index(),
                index -> new ChunkLane(cell.chunk(), relays() ? LaneState.RELAYED : LaneState.DIRECT, direct));
        return relays() ? relay(lane, cell) : lane.write(cell);
    }

    private CompletableFuture<ChunkReply> relay(ChunkLane lane, StripeCell cell) {
        LaneCell one = lane.relay(cell);
        CompletableFuture<ChunkReply.Relayed> call = callMaster(cell, true);
        // Its chunk's datanode is silent, which proves nothing against the master that waits for it too.
        Futures.whenCancelled(one.answer(), () -> calls.removeIf(waiting -> waiting == call));
        ask(
                call,
                reply -> {
                    noteLoad(cell, reply);
                    lane.relayed(one, reply);
                },
                failure -> {
                    if (failure.code() == ErrorCode.FENCED) {
                        lane.refused(one, failure);
                    } else {
                        lane.relayFailed();
                        fallBack(failure);
                    }
                });
        return one.answer();
    }

    @Override
    public void skip(StripeCell cell) {
        if (relays()) {
            ask(callMaster(cell, false), reply -> {}, this::fallBack);
        }
    }

    @Override
    public boolean relays() {
        return state.is(State.RELAYING);
    }

    @Override
    public void stripeAnswered(long bytes, long nanos) {
        switch (state.state()) {
            case RELAYING -> measured.sides().took(WriteSide.MASTER, bytes, nanos);
            case DIRECT -> measured.sides().took(WriteSide.CLIENT, bytes, nanos);
            case FELL_BACK -> {} // shows neither side
        }
    }

    @Override
    public boolean mayBeOvertaken() {
        return relays() || lanes.values().stream().anyMatch(ChunkLane::holdsCells);
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

    private CompletableFuture<ChunkReply.Relayed> callMaster(StripeCell cell, boolean wanted) {
        boolean data = cell.index() < group.policy().dataChunks();
        ByteBuf payload = data ? cell.stripe().share(cell.index()) : Unpooled.EMPTY_BUFFER;
        return services.client()
                .relay(
                        master.orElseThrow().address(),
                        new ChunkRequest.RelayCell(
                                cell.chunk().chunk(),
                                writer,
                                cell.offset(),
                                cell.bytes(),
                                cell.tailOf(),
                                wanted,
                                token.now().bound()),
                        payload);
    }

    /** Waits for the master's answer; the receivers run on the owner thread. */
    private <T> void ask(CompletableFuture<T> call, Consumer<T> onReply, Consumer<EcfsException> onFailure) {
        if (calls.isEmpty()) {
            silentSince = services.clock().nanos();
        }
        calls.add(call);
        call.whenComplete((reply, failure) -> owner.execute(() -> {
            calls.removeIf(CompletableFuture::isDone);
            silentSince = services.clock().nanos();
            if (failure == null) { // a failure may be of this side: it proves nothing for the other writers
                measured.masters().answered(master.orElseThrow().datanode());
                onReply.accept(reply);
            } else {
                onFailure.accept(EcfsException.of(failure));
            }
        }));
    }

    private void fallBack(EcfsException reason) {
        if (!relays()) {
            return;
        }
        state.enter(State.FELL_BACK, reason.getMessage());
        LOG.info(
                "event=relay_ended group={} master={} code={} reason=\"{}\" action=\"this client encodes what"
                        + " follows\"",
                group.group(),
                master.map(ChunkLocation::datanode).orElseThrow(),
                reason.code(),
                reason.getMessage());
        measured.sides().failed(WriteSide.MASTER);
        atFallback.accept(reason);
        lanes.values().forEach(ChunkLane::becomeDirect);
    }
}
