package io.ecfs.datanode.server;

import io.ecfs.code.ParityCheck.Verdict;
import io.ecfs.datanode.repair.Repairer;
import io.ecfs.datanode.repair.Repairer.Rebuilding;
import io.ecfs.datanode.rewrite.Rewriter;
import io.ecfs.datanode.store.Volume;
import io.ecfs.dispatch.FunctionTable;
import io.ecfs.dispatch.HandlerTable;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.TailCoverage;
import io.ecfs.message.datanode.DatanodeOrder;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the leader's orders, some at a time. The same order is not taken twice while it waits or runs; carried
 * out again it does no harm. A change report carries the outcome.
 *
 * <p>The highest term seen lives in memory alone, and a datanode that starts anew may take the orders of a leader that
 * is deposed without knowing it. That is safe, because what a leader orders never depends on its being the last one,
 * only on facts that no later entry of the log takes back: a chunk that is garbage never takes a place again, a sealed
 * group keeps its length, and a file in recovery is not given back to its writer. A deposed leader has a first part of
 * the log, so whatever was right to order there is right for ever. The term keeps a datanode from working for two
 * leaders at once, which would be a waste. Owner thread: the control plane's.
 */
final class Orders {
    private static final Logger LOG = LoggerFactory.getLogger(Orders.class);

    /** They are never urgent, and each reads a whole group. */
    private static final int PARITY_AT_ONCE = 1;

    /** Orders about one chunk of one volume, which its queue carries out. */
    private static final HandlerTable<DatanodeOrder, At, CompletableFuture<Void>> ON_QUEUE =
            HandlerTable.<DatanodeOrder, At, CompletableFuture<Void>>builder()
                    .on(DatanodeOrder.Delete.class, (at, delete) -> at.orders().delete(at.served(), delete))
                    .on(DatanodeOrder.Fence.class, (at, fence) -> at.orders().fence(at.served(), fence))
                    .on(
                            DatanodeOrder.Finalise.class,
                            (at, finalise) -> at.orders().finalise(at.served(), finalise))
                    .on(
                            DatanodeOrder.Condemn.class,
                            (at, condemn) -> at.orders().condemn(at.served(), condemn))
                    .on(DatanodeOrder.Verify.class, (at, verify) -> at.orders().verify(at.served(), verify))
                    .on(DatanodeOrder.ReportFully.class, (at, report) -> {
                        throw new EcfsException(ErrorCode.UNSUPPORTED, "a datanode cannot carry out " + report);
                    })
                    .build();

    /** Those not on a queue run beside the others, since they take long. */
    private static final FunctionTable<DatanodeOrder, Orders, Void> TAKERS =
            FunctionTable.<DatanodeOrder, Orders, Void>of(DatanodeOrder.class)
                    .run(DatanodeOrder.Rebuild.class, Orders::rebuild)
                    .run(DatanodeOrder.CheckParity.class, (orders, check) -> orders.parityChecks.take(check))
                    .run(DatanodeOrder.Rewrite.class, (orders, rewrite) -> orders.rewrites.take(rewrite))
                    .run(DatanodeOrder.Compare.class, (orders, compare) -> orders.comparisons.take(compare))
                    .run(DatanodeOrder.FillTail.class, Orders::takeFillTail)
                    .run(DatanodeOrder.FillStripes.class, Orders::takeFillStripes)
                    .run(ON_QUEUE.kinds(), Orders::await)
                    .build();

    private record At(Orders orders, ServedVolume served) {}

    private final Volumes volumes;
    private final Scheduler scheduler;
    private final ControlSettings settings;
    private final ChangeSink changes;
    private final Repairer repairer;
    private final Consumer<BadChunk> badChunks;
    private final OrderQueue<ChunkId, DatanodeOrder.Compare, Boolean> comparisons;
    private final OrderQueue<GroupId, DatanodeOrder.CheckParity, Verdict> parityChecks;
    private final RewriteOrders rewrites;
    private final Set<ChunkId> rebuilding = new HashSet<>();
    private final Set<Filling> filling = new HashSet<>();
    private final Set<DatanodeOrder> waiting = new LinkedHashSet<>();
    private final Set<DatanodeOrder> running = new HashSet<>();
    private long highestTerm;

    private record Filling(ChunkId chunk, long fence) {}

    /** @param badChunks receives chunks that could not be used when they were read */
    Orders(
            Volumes volumes,
            Scheduler scheduler,
            ControlSettings settings,
            ChangeSink changes,
            Repairer repairer,
            Rewriter rewriter,
            Consumer<BadChunk> badChunks) {
        this.volumes = volumes;
        this.scheduler = scheduler;
        this.settings = settings;
        this.changes = changes;
        this.repairer = repairer;
        this.badChunks = badChunks;
        this.rewrites = new RewriteOrders(scheduler, changes, rewriter, badChunks);
        this.comparisons = new OrderQueue<>(
                scheduler, repairer.atOnce(), settings.orderBound(), new ComparisonWork(changes, repairer, badChunks));
        this.parityChecks = new OrderQueue<>(
                scheduler, PARITY_AT_ONCE, settings.orderBound(), new ParityCheckWork(changes, repairer, badChunks));
    }

    /** Takes the orders of a leader of {@code term}; those of a deposed one are dropped, those that still wait too. */
    void take(long term, List<DatanodeOrder> orders) {
        if (term < highestTerm) {
            LOG.warn(
                    "event=orders_refused reason=deposed_leader term={} highestTerm={} orders={}",
                    term,
                    highestTerm,
                    orders.size());
            return;
        }
        if (term > highestTerm) {
            LOG.info("event=leader_term_seen from={} to={}", highestTerm, term);
            highestTerm = term;
            waiting.clear();
            comparisons.dropWaiting();
            parityChecks.dropWaiting();
        }
        orders.forEach(order -> TAKERS.apply(this, order));
        runSome();
    }

    private void takeFillTail(DatanodeOrder.FillTail fill) {
        fill(fill, fill.chunk(), fill.fence(), at -> repairer.fillTail(fill, at.volume(), at.queue()));
    }

    private void takeFillStripes(DatanodeOrder.FillStripes fill) {
        fill(fill, fill.chunk(), fill.fence(), at -> repairer.fillStripes(fill, at.volume(), at.queue(), badChunks));
    }

    private void await(DatanodeOrder order) {
        if (waiting.size() < settings.orderBound() && !running.contains(order)) {
            waiting.add(order);
        }
    }

    /** A follower tells no orders but may know of a newer leader. */
    void termSeen(long term) {
        if (term > highestTerm) {
            take(term, List.of());
        }
    }

    int waiting() {
        return waiting.size();
    }

    private void runSome() {
        Iterator<DatanodeOrder> next = waiting.iterator();
        while (running.size() < settings.ordersAtOnce() && next.hasNext()) {
            DatanodeOrder order = next.next();
            next.remove();
            run(order);
        }
    }

    private void run(DatanodeOrder order) {
        running.add(order);
        carryOut(order)
                .whenComplete((done, failure) -> scheduler.execute(() -> {
                    running.remove(order);
                    if (failure != null) {
                        LOG.warn(
                                "event=order_failed order={} error=\"{}\"",
                                order,
                                EcfsException.of(failure).getMessage());
                    }
                    runSome();
                }));
    }

    /**
     * Beside the others, since it takes long. One that finds no room, or whose chunk is being rebuilt, comes again with
     * a later heartbeat; the one under way says what became of it.
     */
    private void rebuild(DatanodeOrder.Rebuild order) {
        if (rebuilding.size() >= repairer.atOnce() || !rebuilding.add(order.chunk())) {
            return;
        }
        Optional<Rebuilding> work;
        CompletableFuture<Void> outcome;
        try {
            Rebuilding begun = begin(order);
            work = Optional.of(begun);
            outcome = begun.done().thenCompose(done -> tellRebuilt(order, begun));
        } catch (EcfsException e) {
            work = Optional.empty();
            outcome = CompletableFuture.failedFuture(e);
        }
        Optional<Rebuilding> spent = work;
        outcome.whenComplete((done, failure) -> scheduler.execute(() -> {
            rebuilding.remove(order.chunk());
            if (failure != null) {
                String reason = EcfsException.of(failure).getMessage();
                LOG.warn("event=rebuild_failed chunk={} volume={} error=\"{}\"", order.chunk(), order.volume(), reason);
                Optional.ofNullable(volumes.numbered().get(order.volume()))
                        .ifPresent(served -> tell(
                                order.volume(), order.chunk(), served.volume().find(order.chunk())));
                changes.changed(new ChunkChange.RepairFailed(
                        order.volume(),
                        order.chunk(),
                        reason,
                        spent.map(s -> s.work().get()),
                        spent.flatMap(s -> s.disputed().get())));
            }
        }));
    }

    /**
     * Beside the others, since a source may hang. It comes with every heartbeat until it is done: the same chunk again
     * only for a later round of recovery, which the chunk prefers to an earlier one that ends after it.
     */
    private void fill(
            DatanodeOrder order,
            ChunkId chunk,
            long fence,
            Function<ServedVolume, CompletableFuture<ChunkRecord>> work) {
        ServedVolume served = volumes.numbered().get(order.volume());
        boolean again = filling.stream().anyMatch(under -> under.chunk().equals(chunk) && under.fence() >= fence);
        if (served == null || again || filling.size() >= settings.ordersAtOnce()) {
            return;
        }
        Filling mine = new Filling(chunk, fence);
        filling.add(mine);
        work.apply(served)
                .whenComplete((filled, failure) -> scheduler.execute(() -> {
                    filling.remove(mine);
                    if (failure == null) {
                        changes.changed(new ChunkChange.Present(order.volume(), filled));
                        return;
                    }
                    LOG.warn(
                            "event=chunk_not_filled chunk={} order={} fence={} error=\"{}\"",
                            chunk,
                            order.getClass().getSimpleName(),
                            fence,
                            EcfsException.of(failure).getMessage());
                    tell(order.volume(), chunk, served.volume().find(chunk));
                }));
    }

    private Rebuilding begin(DatanodeOrder.Rebuild order) throws EcfsException {
        ServedVolume served = volumes.numbered().get(order.volume());
        if (served == null) {
            throw new EcfsException(ErrorCode.NOT_FOUND, "volume " + order.volume() + " is not one of this datanode's");
        }
        boolean elsewhere = volumes.holding(order.chunk())
                .filter(holder -> !holder.equals(served))
                .isPresent();
        if (elsewhere) {
            throw new EcfsException(ErrorCode.ALREADY_EXISTS, order.chunk() + " is on another volume of this datanode");
        }
        return repairer.rebuild(order, served.volume(), served.queue(), badChunks);
    }

    private CompletableFuture<Void> tellRebuilt(DatanodeOrder.Rebuild order, Rebuilding rebuilding) {
        ServedVolume served = volumes.numbered().get(order.volume());
        return submit(
                served,
                order.chunk(),
                () -> served.volume()
                        .find(order.chunk())
                        .ifPresentOrElse(
                                record -> changes.changed(new ChunkChange.Present(
                                        order.volume(),
                                        record,
                                        Optional.of(rebuilding.work().get()))),
                                () -> tell(order.volume(), order.chunk(), Optional.empty())));
    }

    private CompletableFuture<Void> carryOut(DatanodeOrder order) {
        ServedVolume served = volumes.numbered().get(order.volume());
        if (served == null) {
            return CompletableFuture.failedFuture(new EcfsException(
                    ErrorCode.NOT_FOUND, "volume " + order.volume() + " is not one of this datanode's"));
        }
        try {
            return ON_QUEUE.handle(new At(this, served), order);
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<Void> delete(ServedVolume served, DatanodeOrder.Delete order) {
        Volume volume = served.volume();
        return submit(served, order.chunk(), () -> {
            boolean was = volume.delete(order.chunk(), order.stamp());
            if (was) {
                LOG.info("event=chunk_deleted volume={} chunk={} reason=ordered", order.volume(), order.chunk());
            }
            changes.changed(new ChunkChange.Gone(order.volume(), order.chunk()));
            volume.find(order.chunk()).ifPresent(other -> {
                LOG.warn(
                        "event=chunk_kept volume={} chunk={} reason=\"its stamp is another than that of the garbage\"",
                        order.volume(),
                        other);
                changes.changed(new ChunkChange.Present(order.volume(), other));
            });
        });
    }

    private CompletableFuture<Void> fence(ServedVolume served, DatanodeOrder.Fence order) {
        Volume volume = served.volume();
        return submit(served, order.chunk(), () -> {
            Optional<ChunkRecord> record = volume.fence(order.chunk(), order.fence());
            changes.changed(
                    record.isPresent()
                            ? new ChunkChange.Fenced(
                                    order.volume(),
                                    record.get(),
                                    order.fence(),
                                    Optional.of(volume.tails().coverage(order.chunk()))
                                            .filter(tail -> !tail.equals(TailCoverage.NONE)),
                                    volume.tails().wasInterrupted(order.chunk()))
                            : new ChunkChange.Gone(order.volume(), order.chunk()));
        });
    }

    private CompletableFuture<Void> finalise(ServedVolume served, DatanodeOrder.Finalise order) {
        Volume volume = served.volume();
        return submit(served, order.chunk(), () -> {
            try {
                volume.finalise(order.chunk(), order.chunkBytes(), order.groupLength());
            } finally {
                tell(order.volume(), order.chunk(), volume.find(order.chunk()));
            }
        });
    }

    private CompletableFuture<Void> condemn(ServedVolume served, DatanodeOrder.Condemn order) {
        Volume volume = served.volume();
        return submit(served, order.chunk(), () -> {
            volume.condemn(order.chunk());
            tell(order.volume(), order.chunk(), volume.find(order.chunk()));
        });
    }

    private CompletableFuture<Void> verify(ServedVolume served, DatanodeOrder.Verify order) {
        return submit(
                served,
                order.chunk(),
                () -> tell(order.volume(), order.chunk(), served.volume().verify(order.chunk())));
    }

    private void tell(VolumeId volume, ChunkId chunk, Optional<ChunkRecord> record) {
        changes.changed(
                record.isPresent()
                        ? new ChunkChange.Present(volume, record.get())
                        : new ChunkChange.Gone(volume, chunk));
    }

    private interface Work {
        void run() throws EcfsException;
    }

    private static CompletableFuture<Void> submit(ServedVolume served, ChunkId chunk, Work work) {
        return served.queue().submit(chunk, () -> {
            work.run();
            return null;
        });
    }
}
