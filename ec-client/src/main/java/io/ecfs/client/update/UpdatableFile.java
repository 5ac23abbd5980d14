package io.ecfs.client.update;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.client.base.Pending;
import io.ecfs.client.base.UpdateConfig;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.client.update.UpdateQueue.Work;
import io.ecfs.env.Clock;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.patch.Write;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A file that is open to be read and written anywhere. Writes wait while a batch is under way and form the next one; of
 * writes that overlap, the last submitted counts. A write is there whole or not at all, whatever fails. One client at a
 * time may have a file open for update. Safe for use by several threads.
 *
 * <p>No call blocks, so that calls may be made where the result of another one arrives. Up to {@link
 * UpdateConfig#waitingBytes} wait while a batch is under way. Further writes, truncations and syncs are refused with
 * {@code BUSY}: they have no effect, and the file goes on. Who writes faster than the cluster waits for results that
 * are due, for example with a semaphore of so many bytes, or for one when a call is refused.
 *
 * <pre>
 *   OPEN --close--&gt; CLOSING --all that was asked before is done--&gt; CLOSED
 *     `--a write cannot be acknowledged--&gt; FAILED: what was acknowledged stays, the file is left to its recovery
 * </pre>
 */
public final class UpdatableFile implements AutoCloseable {
    /** Fewer bytes are not moved while users wait. */
    private static final int LEAST_MOVED = 1 << 20;

    private final Pending pending;
    private final Scheduler owner;
    private final Clock clock;
    private final UpdateConfig config;
    private final PatchGroups groups;
    private final FileReader reader;
    private final Policy policy;

    @GuardedBy("this")
    private final UpdateQueue queue;

    @GuardedBy("this")
    private boolean running;

    /** Bytes of users since the last move of bytes. */
    @GuardedBy("this")
    private long unpaid;

    /** After all that is queued. */
    @GuardedBy("this")
    private long length;

    @GuardedBy("this")
    private Optional<EcfsException> over = Optional.empty();

    @GuardedBy("this")
    private boolean closed;

    /** When a write, a truncation or a sync was submitted last. */
    @GuardedBy("this")
    private long submittedNanos;

    /** End of the last read. */
    @GuardedBy("this")
    private long readEnd;

    /** Where the file was read in order last, until that is considered. */
    @GuardedBy("this")
    private OptionalLong readInOrder = OptionalLong.empty();

    /** Whether a timer looks whether the file is idle. */
    @GuardedBy("this")
    private boolean watched;

    UpdatableFile(
            Pending pending, Scheduler owner, Clock clock, UpdateConfig config, PatchGroups groups, FileReader reader) {
        this.pending = pending;
        this.owner = owner;
        this.clock = clock;
        this.config = config;
        this.queue = new UpdateQueue(config.waitingBytes());
        this.groups = groups;
        this.reader = reader;
        this.policy = reader.status().policy();
        this.length = reader.length();
        this.submittedNanos = clock.nanos();
    }

    /** As it was opened. */
    public FileStatus file() {
        return reader.status();
    }

    /** Bytes of the file with all writes that were asked for. */
    public synchronized long length() {
        return length;
    }

    /**
     * Writes what remains in {@code bytes}, at most {@value Write#MAX_BYTES}; behind the end of the file it becomes
     * longer, what lies between reads as zeros.
     *
     * @param bytes must not be changed until the result is there
     * @return completes when the write is acknowledged as {@link UpdateOptions#synced} says; fails with {@code
     *     INVALID_ARGUMENT} for a position that no file has, with {@code BUSY} at once when too many bytes wait, and
     *     otherwise as the file ended
     */
    public CompletableFuture<Void> write(long position, ByteBuffer bytes) {
        if (!bytes.hasRemaining() && position >= 0 && position <= Write.MAX_POSITION) {
            return ask(new Work.Wait(new CompletableFuture<>()));
        }
        Write write;
        try {
            write = new Write(position, bytes.remaining());
        } catch (IllegalArgumentException e) {
            return refused(e.getMessage());
        }
        return ask(new Work.Put(write, bytes.slice(), new CompletableFuture<>()));
    }

    /**
     * Reads from {@code position} on until the target is full or the file ends: all that was acknowledged before.
     *
     * @param target must not be touched until the result is there
     * @return bytes read, -1 at or behind the end of the file
     */
    public CompletableFuture<Integer> read(long position, ByteBuffer target) {
        if (position < 0) {
            return refused("read of " + file().path() + " at " + position + ": positions begin at 0");
        }
        Optional<EcfsException> failure = failure();
        if (failure.isPresent()) {
            return CompletableFuture.failedFuture(failure.get());
        }
        if (noteRead(position, target.remaining())) {
            next();
        }
        return reader.readLater(position, target);
    }

    /** Returns whether the read begins where the one before ended. */
    private synchronized boolean noteRead(long position, int bytes) {
        boolean inOrder = position == readEnd && position > 0;
        if (inOrder) {
            readInOrder = OptionalLong.of(position);
        }
        readEnd = position + bytes;
        return inOrder;
    }

    /** Completes when all writes that were asked for before are on the datanodes' disks. */
    public CompletableFuture<Void> sync() {
        return ask(new Work.Sync(new CompletableFuture<>()));
    }

    /** Cuts the file, or makes it longer with zeros. */
    public CompletableFuture<Void> truncate(long newLength) {
        if (newLength < 0 || newLength > Write.MAX_POSITION) {
            return refused(file().path() + " cannot get " + newLength + " bytes: the most is " + Write.MAX_POSITION);
        }
        return ask(new Work.Cut(newLength, new CompletableFuture<>()));
    }

    /**
     * Acknowledges everything, on the datanodes' disks, and gives up the lease; fails when the file has failed. A
     * second call does nothing.
     */
    @Override
    public void close() throws IOException {
        Await.result(closeLater());
    }

    /** As {@link #close}, without waiting for it. */
    public CompletableFuture<Void> closeLater() {
        return close(false);
    }

    /**
     * As {@link #closeLater}, when the pieces of the file have been written in order: it becomes an ordinary file, that
     * can be appended to.
     */
    public CompletableFuture<Void> compactAndClose() {
        return close(true);
    }

    private CompletableFuture<Void> close(boolean compact) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        synchronized (this) {
            if (closed) {
                return CompletableFuture.completedFuture(null);
            }
            closed = true;
            if (over.isPresent()) {
                return CompletableFuture.failedFuture(over.get());
            }
            queue.add(new Work.Close(compact, done));
            over = Optional.of(new EcfsException(ErrorCode.INVALID_ARGUMENT, file().path() + " is closed"));
        }
        pending.with(done);
        next();
        return done;
    }

    private static <T> CompletableFuture<T> refused(String reason) {
        return CompletableFuture.failedFuture(new EcfsException(ErrorCode.INVALID_ARGUMENT, reason));
    }

    private EcfsException busy() {
        return new EcfsException(
                ErrorCode.BUSY,
                file().path() + ": writes that wait would exceed client.update.waitingBytes=" + config.waitingBytes()
                        + ": wait for one of them, then try again");
    }

    private synchronized Optional<EcfsException> failure() {
        return over;
    }

    private CompletableFuture<Void> ask(Work work) {
        synchronized (this) {
            if (over.isPresent()) {
                return CompletableFuture.failedFuture(over.get());
            }
            if (!queue.offer(work)) {
                return CompletableFuture.failedFuture(busy());
            }
            submittedNanos = clock.nanos();
            if (work instanceof Work.Put put) {
                length = Math.max(length, put.write().end());
            } else if (work instanceof Work.Cut cut) {
                length = cut.length();
            }
        }
        next();
        return pending.with(work.done());
    }

    /** Calls that are done together, or none when the file moves bytes of its own. */
    private record Step(List<Work> works, CompletableFuture<Void> done) {}

    /** Does what comes next, until something is under way or nothing is left. */
    private void next() {
        for (Optional<Step> step = step(); step.isPresent(); step = step()) {
            Step now = step.get();
            if (!now.done().isDone()) {
                now.done().whenComplete((done, failure) -> {
                    ended(now);
                    next();
                });
                return;
            }
            ended(now);
        }
    }

    private Optional<Step> step() {
        List<Work> now;
        Supplier<CompletableFuture<Void>> work;
        synchronized (this) {
            if (running) {
                return Optional.empty();
            }
            if (over.isEmpty()) {
                readInOrder.ifPresent(groups::readInOrder);
            }
            readInOrder = OptionalLong.empty();
            if (movesNext()) {
                long bytes = moveBytes();
                now = List.of();
                work = () -> groups.move(bytes);
            } else if (queue.isEmpty()) {
                watch();
                return Optional.empty();
            } else {
                now = take();
                boolean more = !queue.isEmpty();
                work = () -> doing(now, more);
            }
            running = true;
        }
        return Optional.of(new Step(now, begin(work)));
    }

    private void ended(Step step) {
        Optional<EcfsException> reason = step.done()
                .handle((done, failure) -> Optional.ofNullable(failure).map(this::ending))
                .join();
        reason.ifPresent(this::fail);
        synchronized (this) {
            running = false;
        }
        step.works()
                .forEach(work -> reason.ifPresentOrElse(
                        why -> work.done().completeExceptionally(why),
                        () -> work.done().complete(null)));
    }

    /** {@code BUSY} is of calls alone that may be made again. */
    private EcfsException ending(Throwable failure) {
        EcfsException reason = EcfsException.of(failure);
        if (reason.code() != ErrorCode.BUSY) {
            return reason;
        }
        EcfsException over = new EcfsException(
                ErrorCode.UNREACHABLE, file().path() + " could not be written any more: " + reason.getMessage());
        over.addSuppressed(reason);
        return over;
    }

    /** A bug ends the file: it must not leave it waiting. */
    private static CompletableFuture<Void> begin(Supplier<CompletableFuture<Void>> work) {
        try {
            return work.get();
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** When users have written what pays for it, and when nobody has asked for anything for a while. */
    @GuardedBy("this")
    private boolean movesNext() {
        return over.isEmpty() && groups.hasMoves() && (idle() || groups.owed(unpaid) >= LEAST_MOVED);
    }

    @GuardedBy("this")
    private boolean idle() {
        return queue.isEmpty()
                && clock.nanos() - submittedNanos >= config.idle().toNanos();
    }

    /** Looks again when the file may be idle. */
    @GuardedBy("this")
    private void watch() {
        if (!watched && over.isEmpty() && groups.hasMoves()) {
            watched = true;
            owner.schedule(config.idle(), this::timePassed);
        }
    }

    private void timePassed() {
        synchronized (this) {
            watched = false;
        }
        next();
    }

    @GuardedBy("this")
    private long moveBytes() {
        long bytes = idle() ? PatchGroups.MOVED_BYTES : groups.owed(unpaid);
        unpaid = 0;
        return Math.min(bytes, PatchGroups.MOVED_BYTES);
    }

    @GuardedBy("this")
    private List<Work> take() {
        List<Work> now = queue.take(policy, groups.offset());
        for (Work work : now) {
            unpaid += work instanceof Work.Put put ? put.write().length() : 0;
        }
        return now;
    }

    private CompletableFuture<Void> doing(List<Work> now, boolean more) {
        Work first = now.get(0);
        if (first instanceof Work.Wait) {
            return CompletableFuture.completedFuture(null);
        } else if (first instanceof Work.Cut cut) {
            return groups.cut(cut.length());
        } else if (first instanceof Work.Sync) {
            return groups.sync();
        } else if (first instanceof Work.Close close) {
            return close.compact() ? groups.compactAndClose() : groups.close();
        }
        List<ByteBuffer> data =
                now.stream().map(work -> ((Work.Put) work).data()).toList();
        return groups.put(UpdateQueue.writes(now), data, more);
    }

    private void fail(EcfsException reason) {
        List<Work> left;
        synchronized (this) {
            over = Optional.of(reason);
            left = queue.drain();
        }
        groups.fail(reason);
        left.forEach(work -> work.done().completeExceptionally(reason));
    }
}
