package io.ecfs.hadoop;

import io.ecfs.client.EcfsClient;
import io.ecfs.client.read.stream.FileReader;
import java.io.EOFException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.VectoredReadUtils;
import org.apache.hadoop.fs.impl.CombinedFileRange;

/**
 * Many ranges of a file at once (Hadoop's readVectored): neighbours are merged, and the resulting reads are one request
 * whose chunks are chosen together. Each range's future completes on its own, with a slice of its read. Ranges that
 * overlap are several requests, each of ranges that do not.
 */
final class VectoredReads {
    /** Largest gap between ranges that are merged into one read. */
    static final int NEAR_BYTES = 16 << 10;

    /** Largest merged read; a longer range stays as it is. */
    static final int MOST_BYTES = 4 << 20;

    private final EcfsClient client;
    private final FileReader file;
    private final IntFunction<ByteBuffer> allocate;
    private final Consumer<ByteBuffer> release;
    private final Consumer<Integer> counter;

    /** @param counter receives the bytes of each successful read */
    VectoredReads(
            EcfsClient client,
            FileReader file,
            IntFunction<ByteBuffer> allocate,
            Consumer<ByteBuffer> release,
            Consumer<Integer> counter) {
        this.client = client;
        this.file = file;
        this.allocate = allocate;
        this.release = Objects.requireNonNull(release, "release");
        this.counter = counter;
    }

    /**
     * Begins all reads. A range that is not within the file fails alone, through its future.
     *
     * @throws EOFException when an offset is negative; nothing is read then
     * @throws IllegalArgumentException when a length is negative; nothing is read then
     */
    void start(List<? extends FileRange> ranges) throws EOFException {
        for (FileRange range : ranges) {
            requireNotNegative(range);
        }
        List<FileRange> rest = new ArrayList<>();
        for (FileRange range : ranges) {
            range.setData(new CompletableFuture<>());
            if (range.getLength() > file.length() - range.getOffset()) {
                range.getData()
                        .completeExceptionally(new EOFException(range + " is not within the " + file.length()
                                + " bytes of " + file.status().path()));
            } else {
                rest.add(range);
            }
        }
        rest.sort(Comparator.comparingLong(FileRange::getOffset));
        while (!rest.isEmpty()) {
            List<FileRange> overlapping = new ArrayList<>();
            read(disjoint(rest, overlapping));
            rest = overlapping;
        }
    }

    /** Hadoop's own check is younger than 3.4.1. */
    private static void requireNotNegative(FileRange range) throws EOFException {
        if (range.getLength() < 0) {
            throw new IllegalArgumentException("length is negative: " + range);
        }
        if (range.getOffset() < 0) {
            throw new EOFException("offset is negative: " + range);
        }
    }

    /**
     * Chooses ranges that share no byte, so that each has memory of its own.
     *
     * @param sorted ranges by offset
     * @param others receives those that were not chosen, by offset
     */
    private static List<FileRange> disjoint(List<FileRange> sorted, List<FileRange> others) {
        List<FileRange> chosen = new ArrayList<>();
        long end = 0;
        for (FileRange range : sorted) {
            if (range.getOffset() >= end) {
                chosen.add(range);
                end = range.getOffset() + range.getLength();
            } else {
                others.add(range);
            }
        }
        return chosen;
    }

    private void read(List<FileRange> disjoint) {
        List<FileRange> reads = new ArrayList<>(
                VectoredReadUtils.isOrderedDisjoint(disjoint, 1, NEAR_BYTES)
                        ? disjoint
                        : VectoredReadUtils.mergeSortedRanges(disjoint, 1, NEAR_BYTES, MOST_BYTES));
        SortedMap<Long, ByteBuffer> targets = new TreeMap<>();
        reads.removeIf(range -> !allocated(range, targets));
        Map<Long, CompletableFuture<Integer>> results = file.readLater(targets);
        reads.forEach(range -> follow(range, targets.get(range.getOffset()), results.get(range.getOffset())));
    }

    /** @return whether its memory was allocated; otherwise it has failed */
    private boolean allocated(FileRange range, SortedMap<Long, ByteBuffer> targets) {
        try {
            if (range.getLength() == 0) {
                wanted(range).forEach(part -> part.getData().complete(allocate.apply(0)));
                return false;
            }
            ByteBuffer buffer = allocate.apply(range.getLength());
            buffer.limit(buffer.position() + range.getLength());
            targets.put(range.getOffset(), buffer);
            return true;
        } catch (RuntimeException | OutOfMemoryError e) {
            wanted(range).forEach(part -> part.getData().completeExceptionally(e));
            return false;
        }
    }

    private static List<FileRange> wanted(FileRange range) {
        return range instanceof CombinedFileRange combined ? combined.getUnderlying() : List.of(range);
    }

    private void follow(FileRange range, ByteBuffer buffer, CompletableFuture<Integer> read) {
        // Not on a thread of the client: continuations of jobs may block on reads.
        client.elsewhere(read).whenComplete((count, failure) -> {
            if (failure == null && count == range.getLength()) {
                counter.accept(count);
                wanted(range).forEach(part -> part.getData().complete(slice(buffer, range, part)));
                return;
            }
            release.accept(buffer);
            Throwable why = failure != null
                    ? HadoopFailures.cause(failure)
                    : new EOFException(file.status().path() + " ended within " + range + " after " + count + " bytes");
            wanted(range).forEach(part -> part.getData().completeExceptionally(why));
        });
    }

    private static ByteBuffer slice(ByteBuffer buffer, FileRange read, FileRange part) {
        return read == part ? buffer : VectoredReadUtils.sliceTo(buffer, read.getOffset(), part);
    }
}
