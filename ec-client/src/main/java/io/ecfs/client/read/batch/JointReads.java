package io.ecfs.client.read.batch;

import io.ecfs.client.base.CancellationScope;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.base.Pending;
import io.ecfs.client.read.span.ReadTimes;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Reads of many ranges of many files as one request, which plans the chunks of all of them together. Results are in
 * memory of their own. Safe for use by several threads.
 */
public final class JointReads {
    /** Some ten thousand spans of the usual policies: seconds. */
    private static final long MOST_PLANNED_BYTES = 64L << 30;

    private static final long MOST_RANGE_BYTES = 1L << 30;

    private final BatchPlanner planner;
    private final BatchReader reader;
    private final ReadTimes times;
    private final Scheduler owner;
    private final Pending pending;
    private final ClientConfig config;

    public JointReads(
            BatchPlanner planner,
            BatchReader reader,
            ReadTimes times,
            Scheduler owner,
            Pending pending,
            ClientConfig config) {
        this.planner = planner;
        this.reader = reader;
        this.times = times;
        this.owner = owner;
        this.pending = pending;
        this.config = config;
    }

    private JointRead request(
            FileOpener files, List<FileRange> ranges, WantedRanges.Memory memory, int delta, boolean traced) {
        WantedRanges wanted = new WantedRanges(ranges, memory, config.spanBytes());
        return new JointRead(planner, reader, times, owner, pending, files, wanted, delta, traced);
    }

    /**
     * Reads.
     *
     * @param delta chunks of each block that are asked beyond those that suffice
     * @return a result for each range, in their order; one of more than 1 GiB fails alone. Cancel to give up. Fails
     *     only with {@code INVALID_ARGUMENT}, when there are more than 4,096 ranges, or some file's code has fewer
     *     parity chunks than {@code delta}: nothing is read then
     */
    public CompletableFuture<List<RangeResult>> read(FileOpener files, List<FileRange> ranges, int delta) {
        JointRead read = request(files, ranges, JointReads::allocate, delta, false);
        return CancellationScope.whenCancelled(
                read.checkedPieces()
                        .thenCompose(pieces ->
                                read.inBatches(pieces, 0, Purpose.READ).exceptionally(read::failed))
                        .thenApply(done -> read.wanted().results().stream()
                                .map(CompletableFuture::join)
                                .map(JointReads::own)
                                .toList()),
                read.wanted()::cancel);
    }

    /** A range that is wanted twice is read once, and its bytes have a position for each. */
    private static RangeResult own(RangeResult result) {
        return result instanceof RangeResult.Read read
                ? new RangeResult.Read(read.range(), read.bytes().duplicate())
                : result;
    }

    /**
     * Reads ranges of one open file into memory of the caller.
     *
     * @param targets for each range, all of them different; read from its position on, as far as the range goes. Must
     *     not be touched before the range's result is there, and not any more when that was cancelled
     * @return for each range, as soon as it is there, its bytes: fewer than asked for, or none, where the file ends.
     *     Fails as a read of it alone does. Cancel one to give up its range
     */
    public List<CompletableFuture<Integer>> into(ReadableFile file, Map<FileRange, ByteBuffer> targets) {
        return into(file, targets, Purpose.READ);
    }

    /**
     * Reads as {@link #into} what is to be written elsewhere: without a joint plan, which would rather read several
     * chunks than wait for one.
     */
    public List<CompletableFuture<Integer>> intoForCopy(ReadableFile file, Map<FileRange, ByteBuffer> targets) {
        return into(file, targets, Purpose.COPY);
    }

    private List<CompletableFuture<Integer>> into(
            ReadableFile file, Map<FileRange, ByteBuffer> targets, Purpose purpose) {
        List<FileRange> ranges = List.copyOf(targets.keySet());
        JointRead read = request(
                paths -> Map.of(file.path(), CompletableFuture.completedFuture(file)),
                ranges,
                (range, bytes) -> targets.get(range).slice().limit(Math.toIntExact(bytes)),
                purpose == Purpose.COPY ? 0 : config.hedge().delta(),
                false);
        read.pieces().thenCompose(pieces -> read.inBatches(pieces, 0, purpose)).exceptionally(read::failed);
        List<CompletableFuture<RangeResult>> results = read.wanted().results();
        return IntStream.range(0, results.size())
                .mapToObj(i -> CancellationScope.whenCancelled(
                        results.get(i).thenCompose(JointReads::bytesOf),
                        () -> read.wanted().cancel(ranges.get(i))))
                .toList();
    }

    private static CompletableFuture<Integer> bytesOf(RangeResult result) {
        return result instanceof RangeResult.Read read
                ? CompletableFuture.completedFuture(read.bytes().limit())
                : CompletableFuture.failedFuture(((RangeResult.Failed) result).failure());
    }

    private static ByteBuffer allocate(FileRange range, long bytes) throws EcfsException {
        if (bytes > MOST_RANGE_BYTES) {
            throw tooLong(range, bytes, "one range has at most " + MOST_RANGE_BYTES + "; read it as a stream");
        }
        return ByteBuffer.allocate(Math.toIntExact(bytes));
    }

    /** Returns no memory, for ranges that are only planned. */
    private static ByteBuffer unread(FileRange range, long bytes) throws EcfsException {
        if (bytes > MOST_PLANNED_BYTES) {
            throw tooLong(range, bytes, "at most " + MOST_PLANNED_BYTES + " are planned at once; name a part of it");
        }
        return ByteBuffer.allocate(0);
    }

    private static EcfsException tooLong(FileRange range, long bytes, String instead) {
        return new EcfsException(
                ErrorCode.INVALID_ARGUMENT, "range of " + bytes + " bytes of " + range.path() + ": " + instead);
    }

    /**
     * Explains the plan, and with {@code reading} also its execution; fails as the first range that cannot be read
     * does.
     */
    public CompletableFuture<Explanation> explain(
            FileOpener files, List<FileRange> ranges, int delta, boolean reading) {
        WantedRanges.Memory memory = reading ? JointReads::allocate : JointReads::unread;
        JointRead read = request(files, ranges, memory, delta, true);
        return CancellationScope.whenCancelled(
                read.checkedPieces()
                        .thenCompose(pieces -> read.measured(pieces)
                                .thenCompose(measured ->
                                        read.inBatches(pieces, 0, reading ? Purpose.READ : Purpose.EXPLAIN)))
                        .thenCompose(done -> read.explanation(reading)),
                read.wanted()::cancel);
    }
}
