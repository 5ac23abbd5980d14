package io.ecfs.datanode.repair;

import io.ecfs.code.ErasureCode;
import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.datanode.DatanodeOrder;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a chunk whose writer has gone up to the full stripes that others of its group have: computes the cells that it
 * lacks from those, and appends them. What is computed is compared with what other sources give, where there are any.
 * Broken off at any moment, the chunk is a shorter one of the same bytes, and is brought up when it is asked for again.
 *
 * <p>It does not wait for the pace of repairs, see {@link RepairSettings.Limit}, but what it reads counts there.
 */
final class StripeFill implements SlicePipeline.Stages {
    private static final Logger LOG = LoggerFactory.getLogger(StripeFill.class);

    private final DatanodeOrder.FillStripes order;
    private final Volume volume;
    private final VolumeQueue queue;
    private final ErasureCode code;
    private final RepairResources shared;
    private final GroupLayout stripes;
    private final int sliceBytes;
    private final Sources sources;
    private final SliceReads reads;

    /** @param sliceBytes most of one chunk in a slice */
    StripeFill(
            DatanodeOrder.FillStripes order,
            Volume volume,
            VolumeQueue queue,
            ErasureCode code,
            RepairResources shared,
            Consumer<BadChunk> badChunks,
            int sliceBytes,
            WorkMeter meter) {
        this.order = order;
        this.volume = volume;
        this.queue = queue;
        this.code = code;
        this.shared = shared;
        this.sliceBytes = sliceBytes;
        GroupLayout group = new GroupLayout(order.policy(), order.groupLength());
        this.stripes = new GroupLayout(order.policy(), order.groupLength() - group.tailBytes());
        this.sources = new Sources(order.chunk(), order.sources(), code);
        this.reads =
                new SliceReads(order.chunk(), stripes, code, sources, shared.client(), order.token(), badChunks, meter);
    }

    /**
     * The chunk as it is then, on disk; fails with {@link EcfsException} when the sources or the chunk do not allow it.
     */
    CompletableFuture<ChunkRecord> run() {
        return onQueue(() -> volume.tails().beginStripes(order.chunk(), order.fence(), order.groupLength()))
                .thenCompose(from -> slicesFrom(Slice.of(stripes, order.chunk().index(), sliceBytes, from), 0)
                        .thenCompose(all -> onQueue(
                                () -> volume.tails().endStripes(order.chunk(), order.fence(), order.groupLength())))
                        .whenComplete((filled, failure) -> {
                            if (failure == null) {
                                LOG.info(
                                        "event=stripes_filled chunk={} from={} to={} failed={}",
                                        order.chunk(),
                                        from,
                                        stripes.fullStripeChunkBytes(),
                                        sources.failed());
                            }
                        }));
    }

    private CompletableFuture<Void> slicesFrom(List<Slice> slices, int number) {
        return new SlicePipeline(slices, number, 1, this)
                .run()
                .thenCompose(written -> written == slices.size()
                        ? CompletableFuture.completedFuture(null)
                        : slicesFrom(slices, written));
    }

    @Override
    public CompletableFuture<SliceWork> begin(Slice slice) {
        Recipe with;
        try {
            with = sources.recipe(slice, true);
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
        shared.pace().charge(slice.readBytes(with));
        return shared.lend(slice, with);
    }

    @Override
    public CompletableFuture<Boolean> prepare(SliceWork work) {
        return reads.of(work).thenCompose(all -> all ? compute(work) : CompletableFuture.completedFuture(false));
    }

    private CompletableFuture<Boolean> compute(SliceWork work) {
        return shared.workers().submit(() -> {
            work.buffer().compute(code);
            if (!work.buffer().verify(code)) {
                throw new EcfsException(
                        ErrorCode.CHUNK_CORRUPT,
                        "cells of " + order.chunk() + " behind byte "
                                + work.slice().offset() + " differ when they are computed from "
                                + work.recipe().sources() + " in two ways");
            }
            return true;
        });
    }

    @Override
    public CompletableFuture<Long> append(SliceWork work) {
        Slice slice = work.slice();
        return onQueue(() -> volume.tails()
                .appendStripes(
                        order.chunk(),
                        order.fence(),
                        order.groupLength(),
                        slice.offset(),
                        slice.storedBytes(),
                        work.buffer().payload()));
    }

    @Override
    public void end(SliceWork work) {
        shared.end(work);
    }

    private <T> CompletableFuture<T> onQueue(Callable<T> work) {
        return queue.submit(order.chunk(), work);
    }
}
