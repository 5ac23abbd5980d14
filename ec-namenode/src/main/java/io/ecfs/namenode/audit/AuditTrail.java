package io.ecfs.namenode.audit;

import io.ecfs.env.Clock;
import io.ecfs.env.Environment;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.InodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.Message;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records requests in the audit log. A change takes a place in the queue before it is executed, and is refused with
 * {@code BUSY} when there is none: the client tries again later. Its line is queued before its reply is sent, and
 * written by a thread of its own. While the sink fails, the lines stay in the queue and are written again each second.
 *
 * <pre>
 *   change --place?--no--> BUSY                       read --denied?--half of the queue free?--no--> counted
 *             `yes--> execute --> line --> queue            `------------------------------yes--> queue
 *                                           queue --> sink: written, the places are free; or failed: again in 1 s
 * </pre>
 *
 * Safe for use by several threads.
 */
public final class AuditTrail implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditTrail.class);
    private static final Duration RETRY = Duration.ofSeconds(1);
    /** Most lines in one write, and characters after which it gets no more. */
    private static final int BATCH = 1000;

    private static final int BATCH_CHARACTERS = 1 << 20;

    private final String namenode;
    private final AuditSettings settings;
    private final AuditSink sink;
    private final Clock clock;
    private final Scheduler scheduler;
    private final Semaphore places;
    private final Queue<AuditLine> queue = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean draining = new AtomicBoolean();
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private volatile Function<InodeId, Optional<FilePath>> paths = inode -> Optional.empty();

    /** Lines that the sink has not taken yet. Owner thread: the scheduler's. */
    private List<String> batch = List.of();

    private boolean failing;
    private boolean waitsToRetry;

    /** @param sink closed with this trail */
    public AuditTrail(String namenode, Environment environment, AuditSettings settings, AuditSink sink) {
        this.namenode = namenode;
        this.settings = settings;
        this.sink = sink;
        this.clock = environment.clock();
        this.scheduler = environment.threads().scheduler(namenode + "-audit");
        this.places = new Semaphore(settings.queue());
    }

    /** Sets how the paths of files are found by their inodes; until then lines have the inodes. */
    public void resolveWith(Function<InodeId, Optional<FilePath>> found) {
        paths = found;
    }

    /** Executes a request and records it; fails as {@code work} does, or with {@code BUSY} without executing it. */
    public <R extends Message> CompletableFuture<R> record(
            AuditCaller caller, NamespaceRequest request, Supplier<CompletableFuture<R>> work) {
        AuditedOperation operation = OperationNames.of(request, paths::apply);
        if (operation.changes() && !places.tryAcquire()) {
            refused.incrementAndGet();
            return CompletableFuture.failedFuture(new EcfsException(
                    ErrorCode.BUSY,
                    "the audit log of namenode " + namenode + " has " + settings.queue()
                            + " changes under way or lines to write, and takes no more: look at its disk"));
        }
        return executed(work).whenComplete((reply, failure) -> {
            Optional<ErrorCode> code =
                    Optional.ofNullable(failure).map(EcfsException::of).map(EcfsException::code);
            // Another namenode, to which the client goes on, has the request.
            boolean elsewhere = code.filter(ErrorCode.NOT_LEADER::equals).isPresent();
            boolean denied = code.filter(ErrorCode.ACCESS_DENIED::equals).isPresent();
            boolean recorded =
                    operation.changes() ? !denied || placeForDenied() : (denied || settings.reads()) && placeForRead();
            if (!elsewhere && recorded) {
                enqueue(new AuditLine(clock.epochMillis(), caller, operation, permission(reply), code, id(request)));
            } else if (operation.changes()) {
                places.release();
            }
        });
    }

    private static <R> CompletableFuture<R> executed(Supplier<CompletableFuture<R>> work) {
        try {
            return work.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Returns whether a denied change keeps its place: as those of reads. */
    private boolean placeForDenied() {
        boolean room = places.availablePermits() >= settings.queue() / 2;
        dropped.addAndGet(room ? 0 : 1);
        return room;
    }

    /** Denied reads, of which anybody can send many, leave half of the queue to changes. */
    private boolean placeForRead() {
        if (places.availablePermits() > settings.queue() / 2 && places.tryAcquire()) {
            return true;
        }
        dropped.incrementAndGet();
        return false;
    }

    private static Optional<String> permission(Message reply) {
        Optional<FileStatus> status = reply instanceof NamespaceReply.Created created
                ? Optional.of(created.status())
                : reply instanceof NamespaceReply.Status found ? Optional.of(found.status()) : Optional.empty();
        return status.map(s -> s.owner() + ":" + s.group() + ":" + OperationNames.mode(s.mode()));
    }

    private static String id(NamespaceRequest request) {
        return request instanceof Mutation mutation
                ? mutation.request().client() + "#" + mutation.request().number()
                : "";
    }

    private void enqueue(AuditLine line) {
        queue.add(line);
        if (draining.compareAndSet(false, true)) {
            scheduler.execute(this::drain);
        }
    }

    private void drain() {
        if (waitsToRetry) {
            return; // and the queue stays marked: the retry takes it
        }
        draining.set(false); // before the queue is read: a line that is added from here on schedules the next run
        while (writeBatch()) {
            LOG.debug("event=audit_written namenode={} lines={}", namenode, written.get());
        }
    }

    /** @return whether there may be more to write */
    private boolean writeBatch() {
        if (batch.isEmpty()) {
            batch = next();
        }
        if (batch.isEmpty()) {
            return false;
        }
        try {
            sink.write(String.join("", batch));
        } catch (IOException | RuntimeException e) {
            failed.incrementAndGet();
            reportFailure(e);
            waitsToRetry = true;
            scheduler.schedule(RETRY, () -> {
                waitsToRetry = false;
                drain();
            });
            return false;
        }
        failing = false;
        written.addAndGet(batch.size());
        places.release(batch.size());
        batch = List.of();
        return true;
    }

    /** One ERROR for failures in a row. */
    private void reportFailure(Exception e) {
        if (!failing) {
            failing = true;
            LOG.error(
                    "event=audit_not_written namenode={} waiting={} reason=\"{}\" action=\"free space on the disk of"
                            + " the audit log: changes are refused when {} lines wait\"",
                    namenode,
                    waiting(),
                    e.toString(),
                    settings.queue());
        }
    }

    private List<String> next() {
        List<String> lines = new ArrayList<>();
        int characters = 0;
        while (lines.size() < BATCH && characters < BATCH_CHARACTERS) {
            AuditLine line = queue.poll();
            if (line == null) {
                break;
            }
            lines.add(line.text(paths));
            characters += lines.get(lines.size() - 1).length();
        }
        return lines;
    }

    private int waiting() {
        return settings.queue() - places.availablePermits();
    }

    /** Places that changes in progress have taken count as waiting. */
    public AuditCounts counts() {
        return new AuditCounts(written.get(), waiting(), refused.get(), dropped.get(), failed.get());
    }

    /** Writes what waits; an ERROR has the number of lines that cannot be written any more. */
    @Override
    public void close() throws IOException {
        scheduler.close();
        while (writeBatch()) {
            LOG.debug("event=audit_written namenode={} lines={}", namenode, written.get());
        }
        int lost = batch.size() + queue.size();
        if (lost > 0) {
            LOG.error("event=audit_lost namenode={} lines={} reason=\"the namenode stops\"", namenode, lost);
        }
        sink.close();
    }
}
