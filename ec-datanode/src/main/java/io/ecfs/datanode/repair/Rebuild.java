package io.ecfs.datanode.repair;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.code.ErasureCode;
import io.ecfs.datanode.repair.WorkMeter.Step;
import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.datanode.DatanodeOrder;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One chunk being rebuilt: create; its slices through a {@link SlicePipeline} of read, compute and append; then all of
 * it read back and compared with its checksums; then publish. Each step runs on whichever thread the step before ended.
 * The result is checked against more than its sources: against the chunk that it replaces if that can be read
 * ({@link OriginalCheck}), otherwise against the result of other sources for some slices. Its {@link Evidence} is the
 * outcome.
 *
 * <p>A source that fails is not asked again: the pipeline ends before the slice that it failed in and begins anew
 * there, planned without it. After any final failure the unfinished chunk is removed.
 */
final class Rebuild implements SlicePipeline.Stages {
    private static final Logger LOG = LoggerFactory.getLogger(Rebuild.class);

    private final DatanodeOrder.Rebuild order;
    private final Volume volume;
    private final VolumeQueue queue;
    private final ErasureCode code;
    private final RepairResources shared;
    private final GroupLayout layout;
    private final List<Slice> slices;
    private final Sources sources;
    private final SliceReads reads;
    private final OriginalCheck original;
    private final WorkMeter meter;

    @GuardedBy("this")
    private Evidence evidence = Evidence.COPIED;

    /** @param sliceBytes most of one chunk in a slice */
    Rebuild(
            DatanodeOrder.Rebuild order,
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
        this.meter = meter;
        this.layout = new GroupLayout(order.policy(), order.groupLength());
        this.slices = Slice.of(layout, index(), sliceBytes);
        this.sources = new Sources(order.chunk(), order.sources(), code);
        this.reads =
                new SliceReads(order.chunk(), layout, code, sources, shared.client(), order.token(), badChunks, meter);
        this.original =
                new OriginalCheck(order, shared.client(), badChunks, Math.toIntExact(layout.chunkBytes(index())));
    }

    /**
     * The chunk that the rebuilt one is to replace, or that itself, of which it has other bytes, though all match their
     * checksums.
     */
    Optional<ChunkId> disputed() {
        return switch (evidence()) {
            case DIFFERS_FROM_ORIGINAL -> original.chunk();
            case SOURCES_DIFFER -> Optional.of(order.chunk());
            case COPIED, NONE, CROSS_CHECKED, EQUAL_TO_ORIGINAL -> Optional.empty();
        };
    }

    /** Once it is published: all that is known. */
    synchronized Evidence evidence() {
        return evidence;
    }

    private synchronized void found(Evidence found) {
        evidence = evidence.and(found);
    }

    private int index() {
        return order.chunk().index();
    }

    /**
     * Completes when the chunk is published and on disk; fails with {@link EcfsException} when it cannot be rebuilt.
     */
    CompletableFuture<Void> run() {
        return onQueue(this::begin).thenCompose(there -> there ? done() : rebuild());
    }

    private CompletableFuture<Void> rebuild() {
        CompletableFuture<Void> result = new CompletableFuture<>();
        CompletableFuture<Void> written = original.begin().thenCompose(begun -> slicesFrom(0));
        written.thenCompose(all -> onQueue(this::publish)).whenComplete((published, failure) -> {
            if (failure == null) {
                LOG.info(
                        "event=chunk_rebuilt chunk={} volume={} bytes={} read={} failed={} evidence={}",
                        order.chunk(),
                        order.volume(),
                        layout.chunkBytes(index()),
                        meter.work().bytesRead(),
                        sources.failed(),
                        evidence());
                result.complete(null);
                return;
            }
            onQueue(this::abort)
                    .whenComplete((gone, unused) -> result.completeExceptionally(EcfsException.of(failure)));
        });
        return result;
    }

    private static CompletableFuture<Void> done() {
        return CompletableFuture.completedFuture(null);
    }

    /** True when the chunk is there already. What an interrupted run of the same order has left is begun anew. */
    private boolean begin() throws EcfsException {
        ChunkId chunk = order.chunk();
        Optional<ChunkRecord> found = volume.find(chunk);
        if (found.filter(record -> record.state() == ChunkState.FINALISED
                        && record.stamp() == order.token().stamp()
                        && record.groupLength() == order.groupLength()
                        && record.bytes() == layout.chunkBytes(index()))
                .isPresent()) {
            return true;
        }
        volume.requireStamp(chunk, order.token().stamp());
        volume.abort(chunk, order.writer());
        volume.create(chunk, order.token().stamp(), order.policy(), order.writer());
        return false;
    }

    private boolean abort() throws EcfsException {
        volume.abort(order.chunk(), order.writer());
        return true;
    }

    private boolean publish() throws EcfsException {
        if (original.state() == OriginalCheck.State.READ) {
            found(Evidence.EQUAL_TO_ORIGINAL);
        }
        if (!slices.isEmpty()) {
            readBack();
        }
        long since = meter.nanos();
        volume.finish(order.chunk(), order.writer(), layout.chunkBytes(index()), order.groupLength(), true);
        meter.ended(Step.WRITE, since);
        return true;
    }

    private void readBack() throws EcfsException {
        long since = meter.nanos();
        boolean sound = volume.verify(order.chunk())
                .filter(record -> record.state() == ChunkState.BEING_WRITTEN)
                .isPresent();
        if (!sound) {
            throw new EcfsException(
                    ErrorCode.CHUNK_CORRUPT,
                    "rebuilt chunk " + order.chunk() + " does not match its checksums when it is read back");
        }
        meter.ended(Step.VERIFY, since);
    }

    private CompletableFuture<Void> slicesFrom(int number) {
        return new SlicePipeline(
                        slices, number, order.calm() ? 1 : shared.settings().slicesAtOnce(), this)
                .run()
                .thenCompose(written -> written == slices.size() ? done() : slicesFrom(written));
    }

    @Override
    public CompletableFuture<SliceWork> begin(Slice slice) {
        Recipe with;
        try {
            with = sources.recipe(slice, toCrossCheck(slice));
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
        long reads = slice.readBytes(with);
        CompletableFuture<Void> mayRead = order.calm() ? shared.yielding().take(reads) : done();
        return mayRead.thenCompose(may -> shared.pace().take(reads)).thenCompose(turn -> shared.lend(slice, with));
    }

    /**
     * With an original to compare with there is no need; without it the first and the last slice are however few there
     * are, and all from where it was rejected: the chunk was found wrong, and may not be the only one.
     */
    private boolean toCrossCheck(Slice slice) {
        int every = shared.settings().crossCheckOneSliceIn();
        int number = slices.indexOf(slice);
        return every > 0
                && switch (original.state()) {
                    case EXPECTED, READ, DISPUTED -> false;
                    case ABSENT -> number % every == 0 || number == slices.size() - 1;
                    case REJECTED -> true;
                };
    }

    @Override
    public void end(SliceWork work) {
        shared.end(work);
    }

    /**
     * Reads all that the slice needs and computes it; false when a source or the original failed, which is then none
     * any more.
     */
    @Override
    public CompletableFuture<Boolean> prepare(SliceWork work) {
        return reads.of(work).thenCompose(all -> all ? compute(work) : CompletableFuture.completedFuture(false));
    }

    private CompletableFuture<Boolean> compute(SliceWork work) {
        Slice slice = work.slice();
        return shared.workers()
                .submit(() -> {
                    long begun = meter.nanos();
                    work.buffer().compute(code);
                    meter.ended(Step.DECODE, begun);
                    if (work.recipe().check().isPresent()) {
                        crossCheck(work);
                    } else if (!work.recipe().copies()) {
                        found(Evidence.NONE);
                    }
                    return work.buffer().payload();
                })
                .thenCompose(payload -> original.compare(slice.offset(), slice.storedBytes(), payload))
                .thenApply(compared -> mayAppend(work, compared));
    }

    private boolean mayAppend(SliceWork work, OriginalCheck.Compared compared) {
        if (compared instanceof OriginalCheck.Compared.Disputed disputed) {
            found(Evidence.DIFFERS_FROM_ORIGINAL);
            throw new CompletionException(disputed.why());
        }
        return compared instanceof OriginalCheck.Compared.Alike && !neverCompared(work);
    }

    /**
     * Begun while there was an original to compare with, which another slice has rejected since: to be computed anew.
     */
    private boolean neverCompared(SliceWork work) {
        return original.state() == OriginalCheck.State.REJECTED
                && work.recipe().check().isEmpty()
                && toCrossCheck(work.slice())
                && sources.mayCrossCheck(work.slice());
    }

    private void crossCheck(SliceWork work) throws EcfsException {
        long begun = meter.nanos();
        boolean alike = work.buffer().verify(code);
        meter.ended(Step.VERIFY, begun);
        found(alike ? Evidence.CROSS_CHECKED : Evidence.SOURCES_DIFFER);
        if (!alike) {
            Slice slice = work.slice();
            throw new EcfsException(
                    ErrorCode.CHUNK_CORRUPT,
                    "rebuilt chunk " + order.chunk() + " differs at [" + slice.offset() + ", "
                            + (slice.offset() + slice.codedBytes())
                            + ") when it is computed from "
                            + work.recipe().plan().sources() + " and from "
                            + work.recipe().check().orElseThrow().sources()
                            + ": one of these chunks holds other bytes than its group's");
        }
    }

    @Override
    public CompletableFuture<Long> append(SliceWork work) {
        return onQueue(() -> {
            long since = meter.nanos();
            Slice slice = work.slice();
            long length = volume.append(
                    order.chunk(),
                    order.writer(),
                    slice.offset(),
                    slice.storedBytes(),
                    slice.tail() ? order.groupLength() : 0,
                    work.buffer().payload());
            meter.ended(Step.WRITE, since);
            meter.wrote(slice.storedBytes());
            return length;
        });
    }

    private interface Work<T> {
        T run() throws EcfsException;
    }

    private <T> CompletableFuture<T> onQueue(Work<T> work) {
        return queue.submit(order.chunk(), work::run);
    }
}
