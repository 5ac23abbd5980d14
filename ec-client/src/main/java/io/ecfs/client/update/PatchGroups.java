package io.ecfs.client.update;

import io.ecfs.client.location.Stretch;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.error.Invariant;
import io.ecfs.layout.Policy;
import io.ecfs.patch.Write;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The patch groups of one file that is open for update: fills them with batches, seals those that are full, and moves
 * what is live of old ones to new ones. One call at a time.
 */
final class PatchGroups {
    private static final Logger LOG = LoggerFactory.getLogger(PatchGroups.class);

    /** Most bytes that are moved at once. */
    static final int MOVED_BYTES = 4 << 20;

    private static final int LEAST_GROUP_STRIPES = 16;

    /** A group has at least this part of the file. */
    private static final int GROUP_PART = 64;

    private final PatchStream stream;
    private final PatchLayout layout;
    private final Compactor compactor;
    private final FileReader reader;
    private final Policy policy;
    private final boolean synced;

    /** @param synced whether batches of users must be on the datanodes' disks */
    PatchGroups(PatchStream stream, PatchLayout layout, Compactor compactor, FileReader reader, boolean synced) {
        this.stream = stream;
        this.layout = layout;
        this.compactor = compactor;
        this.reader = reader;
        this.policy = reader.status().policy();
        this.synced = synced;
    }

    /** Where in its group the next batch begins. */
    long offset() {
        return stream.offset();
    }

    /** Bytes of a group that is full. */
    private long full() {
        return full(policy, reader.length());
    }

    /** Bytes of a group that is full, of a file of this length. */
    static long full(Policy policy, long fileLength) {
        return Math.min(
                policy.groupBytes() / 2, Math.max(LEAST_GROUP_STRIPES * policy.stripeBytes(), fileLength / GROUP_PART));
    }

    /**
     * Writes a batch.
     *
     * @param data of each write
     * @param more whether others wait
     */
    CompletableFuture<Void> put(List<Write> writes, List<ByteBuffer> data, boolean more) {
        long length = writes.stream().mapToLong(Write::end).reduce(reader.length(), Math::max);
        OptionalLong end = more ? BatchEnd.padded(policy, offset(), writes) : OptionalLong.empty();
        return stream.write(writes, data, length, end, synced).thenCompose(done -> sealIfFull());
    }

    /** Cuts the file, or makes it longer. */
    CompletableFuture<Void> cut(long length) {
        return stream.write(List.of(), List.of(), length, OptionalLong.empty(), synced);
    }

    /** Puts what is acknowledged on the datanodes' disks. */
    CompletableFuture<Void> sync() {
        return stream.sync();
    }

    private CompletableFuture<Void> sealIfFull() {
        return offset() < full() ? CompletableFuture.completedFuture(null) : seal().thenRun(compactor::plan);
    }

    private CompletableFuture<Void> seal() {
        return stream.seal().thenCompose(layout::reportSealed);
    }

    /** Notes that the file is read in order at a position. */
    void readInOrder(long position) {
        compactor.readInOrder(position);
    }

    /** Returns whether there are bytes to move. */
    boolean hasMoves() {
        return compactor.backlogBytes() > 0;
    }

    /**
     * Bytes that must be moved by now, so that all are when the group is full.
     *
     * @param written by users since the last move
     */
    long owed(long written) {
        return compactor.owed(written, full() - offset());
    }

    /** Moves about so many bytes. When they cannot be read now, their groups stay until later. */
    CompletableFuture<Void> move(long bytes) {
        SortedMap<Long, ByteBuffer> moved = memory(compactor.take(bytes));
        return read(moved)
                .handle((read, failure) -> failure == null
                        ? write(moved).thenCompose(done -> sealIfFull())
                        : notMoved(EcfsException.of(failure)))
                .thenCompose(done -> done);
    }

    private CompletableFuture<Void> notMoved(EcfsException failure) {
        LOG.info("event=not_compacted path={} reason=\"{}\"", reader.status().path(), failure.getMessage());
        compactor.stop();
        return CompletableFuture.completedFuture(null);
    }

    private SortedMap<Long, ByteBuffer> memory(List<Stretch> stretches) {
        SortedMap<Long, ByteBuffer> memory = new TreeMap<>();
        for (Stretch stretch : stretches) {
            long end = Math.min(stretch.to(), reader.length());
            for (long at = stretch.from(); at < end; at += MOVED_BYTES) {
                memory.put(at, ByteBuffer.allocate((int) Math.min(MOVED_BYTES, end - at)));
            }
        }
        return memory;
    }

    private CompletableFuture<Void> read(SortedMap<Long, ByteBuffer> into) {
        Map<Long, CompletableFuture<Integer>> reads = reader.readForCopy(into);
        return CompletableFuture.allOf(reads.values().toArray(CompletableFuture[]::new))
                .thenAccept(done -> reads.forEach((position, count) -> Invariant.check(
                        count.join() == into.get(position).capacity(), "too few bytes were read at %d", position)));
    }

    /** Nothing else is written between reading and this: they stay the newest bytes. */
    private CompletableFuture<Void> write(SortedMap<Long, ByteBuffer> bytes) {
        if (bytes.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        List<Write> writes = bytes.entrySet().stream()
                .map(one -> new Write(one.getKey(), one.getValue().capacity()))
                .toList();
        List<ByteBuffer> data = bytes.values().stream().map(ByteBuffer::rewind).toList();
        OptionalLong end = BatchEnd.padded(policy, offset(), writes);
        return stream.write(writes, data, reader.length(), end, false);
    }

    /** Seals the open group and closes the file. */
    CompletableFuture<Void> close() {
        compactor.stop();
        if (compactor.crowded()) {
            compactor.plan();
        }
        return moveAll().thenCompose(moved -> seal()).thenCompose(ended -> stream.close());
    }

    /**
     * As {@link #close}, with all bytes in order, and in extents; fails, with the file closed, when those are too many.
     */
    CompletableFuture<Void> compactAndClose() {
        compactor.stop();
        compactor.mergeAll();
        return moveAll()
                .thenCompose(moved -> seal())
                .thenCompose(ended -> layout.flatten())
                .thenCompose(flat -> stream.close().thenCompose(closed -> flat ? closedWell() : tooManyExtents()));
    }

    private static CompletableFuture<Void> closedWell() {
        return CompletableFuture.completedFuture(null);
    }

    private CompletableFuture<Void> tooManyExtents() {
        return CompletableFuture.failedFuture(new EcfsException(
                ErrorCode.UNSUPPORTED,
                reader.status().path() + " stays a file with patches: it has more pieces than a file has extents"));
    }

    private CompletableFuture<Void> moveAll() {
        if (!hasMoves()) {
            return CompletableFuture.completedFuture(null);
        }
        SortedMap<Long, ByteBuffer> moved = memory(compactor.take(MOVED_BYTES));
        return read(moved)
                .thenCompose(read -> write(moved))
                .thenCompose(done -> offset() < full() ? CompletableFuture.completedFuture(null) : seal())
                .thenCompose(done -> moveAll());
    }

    /** Ends the writer; the file is left to its recovery. */
    void fail(EcfsException reason) {
        stream.fail(reason);
    }
}
