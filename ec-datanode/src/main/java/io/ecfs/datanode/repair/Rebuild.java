package io.ecfs.datanode.repair;

import io.ecfs.buffer.BufferPool;
import io.ecfs.code.ChunkSet;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.SubChunkRange;
import io.ecfs.datanode.repair.WorkMeter.Step;
import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.VolumeQueue;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.BadChunk;
import io.ecfs.message.ChunkLocation;
import io.ecfs.message.ChunkRecord;
import io.ecfs.message.ChunkState;
import io.ecfs.message.DatanodeOrder;
import io.ecfs.transfer.ChunkClient;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One chunk being rebuilt: create, then slice by slice read, compute, append, then verify what no second computation has verified,
 * then publish. Its steps run one after the other, on whichever thread the step before ended; only the reads of one slice run side by
 * side, and each writes its own part of the slice's buffer.
 *
 * <p>A source that fails is not asked again: the rest of the chunk is planned without it. Whatever fails for good, the unfinished
 * chunk is removed.
 */
final class Rebuild {
    private static final Logger LOG = LoggerFactory.getLogger(Rebuild.class);

    private final DatanodeOrder.Rebuild order;
    private final Volume volume;
    private final VolumeQueue queue;
    private final ChunkClient client;
    private final ErasureCode code;
    private final BufferPool buffers;
    private final Workers workers;
    private final Consumer<BadChunk> badChunks;
    private final GroupLayout layout;
    private final List<Slice> slices;
    private final TreeMap<Integer, ChunkLocation> sources = new TreeMap<>();
    private final TreeMap<Integer, EcfsException> failed = new TreeMap<>();
    private Optional<Recipe> recipe = Optional.empty();
    /** Some slice was computed in one way only. */
    private boolean unchecked;

    private final WorkMeter meter;

    Rebuild(
            DatanodeOrder.Rebuild order,
            Volume volume,
            VolumeQueue queue,
            ChunkClient client,
            ErasureCode code,
            BufferPool buffers,
            Workers workers,
            Consumer<BadChunk> badChunks,
            int sliceBytes,
            WorkMeter meter) {
        this.order = order;
        this.volume = volume;
        this.queue = queue;
        this.client = client;
        this.code = code;
        this.buffers = buffers;
        this.workers = workers;
        this.badChunks = badChunks;
        this.meter = meter;
        this.layout = new GroupLayout(order.policy(), order.groupLength());
        this.slices = Slice.of(layout, index(), sliceBytes);
        order.sources().stream()
                .filter(source -> source.chunk().index() != index())
                .forEach(source -> sources.put(source.chunk().index(), source));
    }

    private int index() {
        return order.chunk().index();
    }

    /** Completes when the chunk is published and on disk; fails with {@link EcfsException} when it cannot be rebuilt. */
    CompletableFuture<Void> run() {
        return onQueue(this::begin).thenCompose(there -> there ? done() : rebuild());
    }

    private CompletableFuture<Void> rebuild() {
        CompletableFuture<Void> result = new CompletableFuture<>();
        slicesFrom(0).thenCompose(all -> onQueue(this::publish)).whenComplete((published, failure) -> {
            if (failure == null) {
                LOG.info(
                        "event=chunk_rebuilt chunk={} volume={} bytes={} read={} sources={} failed={}",
                        order.chunk(),
                        order.volume(),
                        layout.chunkBytes(index()),
                        meter.work().bytesRead(),
                        recipe.map(r -> r.sources().toString()).orElse("none"),
                        failed.keySet());
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
                        && record.groupLength() == order.groupLength()
                        && record.bytes() == layout.chunkBytes(index()))
                .isPresent()) {
            return true;
        }
        volume.abort(chunk, order.writer());
        volume.create(chunk, order.policy(), order.writer());
        return false;
    }

    private boolean abort() throws EcfsException {
        volume.abort(order.chunk(), order.writer());
        return true;
    }

    private boolean publish() throws EcfsException {
        long since = meter.nanos();
        if (unchecked) {
            boolean sound = volume.verify(order.chunk())
                    .filter(record -> record.state() == ChunkState.BEING_WRITTEN)
                    .isPresent();
            if (!sound) {
                throw new EcfsException(
                        ErrorCode.CHUNK_CORRUPT,
                        "rebuilt chunk " + order.chunk() + " does not match its checksums when it is read back");
            }
            meter.ended(Step.VERIFY, since);
            since = meter.nanos();
        }
        volume.finish(order.chunk(), order.writer(), layout.chunkBytes(index()), order.groupLength(), true);
        meter.ended(Step.WRITE, since);
        return true;
    }

    private CompletableFuture<Void> slicesFrom(int number) {
        if (number == slices.size()) {
            return done();
        }
        return slice(slices.get(number)).thenCompose(written -> slicesFrom(number + 1));
    }

    private CompletableFuture<Void> slice(Slice slice) {
        Recipe with;
        try {
            with = recipe();
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
        return buffers.acquire(SliceBuffer.bytes(slice, with)).thenCompose(memory -> {
            SliceBuffer buffer = new SliceBuffer(slice, with, memory);
            long since = meter.nanos();
            CompletableFuture<Boolean> written = read(slice, with, buffer).thenCompose(whole -> {
                meter.ended(Step.READ, since);
                return whole ? write(slice, with, buffer) : no();
            });
            return written.whenComplete((outcome, failure) -> buffer.release())
                    // A source failed: once more without it.
                    .thenCompose(whole -> whole ? done() : slice(slice));
        });
    }

    private static CompletableFuture<Boolean> no() {
        return CompletableFuture.completedFuture(false);
    }

    private Recipe recipe() throws EcfsException {
        if (recipe.isEmpty()) {
            ChunkSet available = ChunkSet.of(sources.keySet());
            recipe = Recipe.of(code, index(), available);
        }
        return recipe.orElseThrow(() -> new EcfsException(
                ErrorCode.GROUP_UNREADABLE,
                "chunk " + order.chunk() + " cannot be rebuilt from the chunks " + sources.keySet() + failures()));
    }

    private String failures() {
        StringBuilder text = new StringBuilder();
        failed.forEach((index, failure) ->
                text.append("; ").append(index).append(" failed: ").append(failure.getMessage()));
        return text.toString();
    }

    /** Reads all that the slice needs; false when a source failed, which is then none any more. */
    private CompletableFuture<Boolean> read(Slice slice, Recipe with, SliceBuffer buffer) {
        Map<Integer, CompletableFuture<Void>> reads = new TreeMap<>();
        for (int source : with.sources()) {
            reads.put(source, readSource(slice, with, source, buffer));
        }
        // All of them end before the buffer goes: a late answer must not write into memory that is somebody else's.
        CompletableFuture<Boolean> whole = new CompletableFuture<>();
        CompletableFuture.allOf(reads.values().toArray(CompletableFuture[]::new))
                .whenComplete((all, failure) -> {
                    if (failure != null) {
                        reads.forEach((source, read) -> read.whenComplete((bytes, why) -> {
                            if (why != null) {
                                dropSource(source, EcfsException.of(why));
                            }
                        }));
                    }
                    whole.complete(failure == null);
                });
        return whole;
    }

    private void dropSource(int index, EcfsException failure) {
        ChunkLocation source = sources.remove(index);
        failed.put(index, failure);
        recipe = Optional.empty();
        LOG.warn(
                "event=repair_source_failed chunk={} source={} datanode={} code={} error=\"{}\"",
                order.chunk(),
                source.chunk(),
                source.datanode(),
                failure.code(),
                failure.getMessage());
        if (failure.code() == ErrorCode.CHUNK_CORRUPT || failure.code() == ErrorCode.CHUNK_MISSING) {
            badChunks.accept(new BadChunk(
                    source.chunk(),
                    source.volume(),
                    source.datanode(),
                    failure.code() == ErrorCode.CHUNK_CORRUPT ? BadChunk.Reason.CORRUPT : BadChunk.Reason.MISSING));
        }
    }

    private CompletableFuture<Void> readSource(Slice slice, Recipe with, int index, SliceBuffer buffer) {
        ChunkLocation source = sources.get(index);
        long storedEnd = Math.min(slice.offset() + slice.codedBytes(), layout.chunkBytes(index));
        int subChunkBytes = slice.codedBytes() / code.subChunks();
        List<CompletableFuture<Void>> parts = new ArrayList<>();
        int at = 0;
        for (SubChunkRange range : with.planOf(index).reads().get(index)) {
            int bytes = range.count() * subChunkBytes;
            long from = slice.offset() + (long) range.from() * subChunkBytes;
            // What is not stored of a tail cell is zeros.
            int stored = (int) Math.max(0, Math.min(bytes, storedEnd - from));
            buffer.zero(index, at + stored, bytes - stored);
            if (stored > 0) {
                meter.asked(index, source.datanode(), stored);
                parts.add(readInto(source, from, stored, buffer, index, at));
            }
            at += bytes;
        }
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<Void> readInto(
            ChunkLocation source, long from, int bytes, SliceBuffer buffer, int index, int at) {
        return client.read(source.address(), source.chunk(), source.volume(), from, bytes, order.token())
                .thenAccept(answer -> {
                    try (answer) {
                        buffer.put(index, at, answer.slice(from, from + bytes));
                    }
                });
    }

    private CompletableFuture<Boolean> write(Slice slice, Recipe with, SliceBuffer buffer) {
        return workers.submit(() -> {
                    long begun = meter.nanos();
                    buffer.compute(code);
                    meter.ended(Step.DECODE, begun);
                    long computed = meter.nanos();
                    boolean alike = buffer.verify(code);
                    if (with.check().isPresent()) {
                        meter.ended(Step.VERIFY, computed);
                    }
                    if (!alike) {
                        throw new EcfsException(
                                ErrorCode.CHUNK_CORRUPT,
                                "rebuilt chunk " + order.chunk() + " differs at [" + slice.offset() + ", "
                                        + (slice.offset() + slice.codedBytes())
                                        + ") when it is computed from "
                                        + with.plan().sources() + " and from "
                                        + with.check().orElseThrow().sources()
                                        + ": one of these chunks holds other bytes than its group's");
                    }
                    return buffer.payload();
                })
                .thenCompose(payload -> onQueue(() -> append(slice, payload)))
                .thenApply(length -> {
                    unchecked |= with.check().isEmpty();
                    return true;
                });
    }

    private long append(Slice slice, ByteBuf payload) throws EcfsException {
        long since = meter.nanos();
        long length = volume.append(
                order.chunk(), order.writer(), slice.offset(), slice.storedBytes(), slice.tail(), payload);
        meter.ended(Step.WRITE, since);
        meter.wrote(slice.storedBytes());
        return length;
    }

    private interface Work<T> {
        T run() throws EcfsException;
    }

    private <T> CompletableFuture<T> onQueue(Work<T> work) {
        return queue.submit(order.chunk(), work::run);
    }
}
