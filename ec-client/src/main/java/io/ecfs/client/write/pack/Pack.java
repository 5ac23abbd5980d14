package io.ecfs.client.write.pack;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.client.write.FileWriter;
import io.ecfs.client.write.WriteServices;
import io.ecfs.env.Cancellable;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.PackPlace;
import io.ecfs.layout.Policy;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest.CommitFiles;
import io.ecfs.message.namespace.NamespaceRequest.OpenPack;
import io.ecfs.message.namespace.PackedFile;
import io.ecfs.message.namespace.RefusedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pack, from its first file until its last group is sealed. Files that wait are written behind one another as one
 * batch, acknowledged with one flush, and closed with one call to the namenode; {@link BatchPacing} decides when the
 * next batch is written.
 *
 * <pre>
 *   EMPTY --first batch--&gt; OPENING --OpenPack--&gt; OPEN --idle, evicted, client closes--&gt; SEALED
 *                             `-------------------`--refused, failed--&gt; SEALED: what waits is not packed
 * </pre>
 */
final class Pack {
    private static final Logger LOG = LoggerFactory.getLogger(Pack.class);

    /** Bytes of one batch, but for its last file. */
    private static final long MOST_BYTES = 4L << 20;

    /** For so long an answer is awaited of a pack that was given up, so that it is closed. */
    private static final Duration OPENED_WITHIN = Duration.ofMinutes(5);

    /** After these the pack's lease is another's, or gone: nothing was committed. */
    private static final Set<ErrorCode> LOST = Set.of(ErrorCode.LEASE_CONFLICT, ErrorCode.NOT_FOUND);

    private final WriteServices services;
    private final Workers workers;
    private final Function<NamespaceReply.Created, FileWriter> writers;
    private final Policy policy;
    private final ByteBuffer zeros;

    @GuardedBy("this")
    private final ArrayDeque<SmallFile> waiting = new ArrayDeque<>();

    @GuardedBy("this")
    private long waitingBytes;

    @GuardedBy("this")
    private final BatchPacing pacing = new BatchPacing();

    /** Whether a timer looks for the next batch. */
    @GuardedBy("this")
    private boolean timed;

    @GuardedBy("this")
    private boolean writing;

    @GuardedBy("this")
    private boolean ended;

    @GuardedBy("this")
    private int commits;

    @GuardedBy("this")
    private Optional<CompletableFuture<Void>> sealing = Optional.empty();

    @GuardedBy("this")
    private boolean used;

    @GuardedBy("this")
    private boolean closing;

    @GuardedBy("this")
    private long usedNanos;

    /** Of the one batch at a time. */
    private volatile Optional<Open> open = Optional.empty();

    private record Open(FileWriter writer, EcfsOutputStream stream) {}

    /** A file of a batch and the position of its first byte in the pack. */
    private record Placed(SmallFile file, long begin) {}

    /**
     * @param services with memory for this pack alone
     * @param workers may wait for that memory
     * @param writers makes the writer of an opened pack, whose lease is renewed
     */
    Pack(
            WriteServices services,
            Workers workers,
            Function<NamespaceReply.Created, FileWriter> writers,
            Policy policy,
            long nowNanos) {
        this.services = services;
        this.workers = workers;
        this.writers = writers;
        this.policy = policy;
        this.zeros = ByteBuffer.allocate(policy.cellBytes()).asReadOnlyBuffer();
        this.usedNanos = nowNanos;
    }

    /** @return false when the pack has ended: the file is not taken */
    boolean add(SmallFile file) {
        synchronized (this) {
            if (ended) {
                return false;
            }
            waiting.add(file);
            waitingBytes += file.bytes();
            used = true;
        }
        next();
        return true;
    }

    /** Returns whether nothing was packed for so long. */
    synchronized boolean idle(long nowNanos, long forNanos) {
        if (used || writing || commits > 0) {
            usedNanos = nowNanos;
            used = false;
        }
        return nowNanos - usedNanos >= forNanos;
    }

    /**
     * Takes no more files, and seals the group when those that wait are done with.
     *
     * @return completes when it is sealed, or is left to recovery
     */
    CompletableFuture<Void> seal() {
        CompletableFuture<Void> sealed;
        synchronized (this) {
            ended = true;
            if (sealing.isPresent()) {
                return sealing.get();
            }
            sealed = services.pending().with(new CompletableFuture<>());
            sealing = Optional.of(sealed);
        }
        sealWhenDone();
        return sealed;
    }

    private void sealWhenDone() {
        CompletableFuture<Void> sealed;
        synchronized (this) {
            if (sealing.isEmpty() || closing || writing || commits > 0 || !waiting.isEmpty()) {
                return;
            }
            closing = true;
            sealed = sealing.get();
        }
        open.map(of -> of.stream().closeLater())
                .orElseGet(() -> CompletableFuture.completedFuture(null))
                .whenComplete((done, failure) -> sealed.complete(null));
    }

    /** Begins the next batch if it is time for it. */
    private void next() {
        List<SmallFile> batch = batch();
        if (batch.isEmpty()) {
            sealWhenDone();
            return;
        }
        boolean sync = batch.stream().anyMatch(SmallFile::sync);
        long begin = services.clock().nanos();
        opened(batch.get(0))
                .thenCompose(of -> workers.submit(() -> write(of, batch))
                        .thenCompose(
                                placed -> of.stream().acknowledgeLater(sync).thenCompose(done -> located(of, placed)))
                        .thenAccept(files -> commit(of, batch, files, begin)))
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        giveUp(batch, EcfsException.of(failure));
                    }
                    written();
                    next();
                });
    }

    private synchronized void written() {
        writing = false;
    }

    private synchronized List<SmallFile> batch() {
        List<SmallFile> batch = new ArrayList<>();
        if (writing || waiting.isEmpty() || (!ended && awaitsMore())) {
            return batch;
        }
        long bytes = 0;
        while (!waiting.isEmpty() && batch.size() < CommitFiles.MOST_FILES && bytes < MOST_BYTES) {
            SmallFile file = waiting.remove();
            batch.add(file);
            bytes += file.bytes();
        }
        waitingBytes -= bytes;
        writing = !batch.isEmpty();
        return batch;
    }

    @GuardedBy("this")
    private boolean awaitsMore() {
        long delay = pacing.delayNanos(
                waiting.size(), waitingBytes, commits > 0, services.clock().nanos());
        if (delay > 0 && delay < BatchPacing.UNTIL_COMMITTED && !timed) {
            timed = true;
            services.owner().schedule(Duration.ofNanos(delay), this::timePassed);
        }
        return delay > 0;
    }

    private void timePassed() {
        synchronized (this) {
            timed = false;
        }
        next();
    }

    private CompletableFuture<Open> opened(SmallFile first) {
        if (open.isPresent()) {
            return CompletableFuture.completedFuture(open.get());
        }
        OpenPack request = new OpenPack(
                services.requests().next(),
                first.status().inode(),
                List.copyOf(services.health().excluded()));
        CompletableFuture<Open> inTime = services.pending().with(new CompletableFuture<>());
        Cancellable timer = services.owner()
                .schedule(
                        services.config().namenodeDeadline(),
                        () -> inTime.completeExceptionally(
                                new EcfsException(ErrorCode.TIMEOUT, "no namenode has opened a pack in time")));
        services.namenode()
                .call(request, NamespaceReply.Created.class, OPENED_WITHIN)
                .whenComplete((created, failure) -> {
                    timer.cancel();
                    if (failure != null) {
                        inTime.completeExceptionally(failure);
                    } else {
                        opened(created, inTime);
                    }
                });
        return inTime;
    }

    /** One that was opened too late is closed at once. */
    private void opened(NamespaceReply.Created created, CompletableFuture<Open> inTime) {
        FileWriter writer = writers.apply(created);
        Open now = new Open(writer, new EcfsOutputStream(services, writer, false));
        open = Optional.of(now);
        if (!inTime.complete(now)) {
            open = Optional.empty();
            now.stream().closeLater();
        }
    }

    private List<Placed> write(Open of, List<SmallFile> batch) throws IOException {
        List<Placed> placed = new ArrayList<>();
        for (SmallFile file : batch) {
            long end = of.stream().position();
            long begin = PackPlace.begin(policy, end, file.bytes());
            of.stream().write(zeros.duplicate().limit((int) (begin - end)));
            for (ByteBuffer part : file.stripe().userBytes()) {
                of.stream().write(part);
            }
            placed.add(new Placed(file, begin));
        }
        return placed;
    }

    private static CompletableFuture<List<PackedFile>> located(Open of, List<Placed> placed) {
        List<CompletableFuture<PackedFile>> files = placed.stream()
                .map(at -> of.writer()
                        .pieces(at.begin(), at.begin() + at.file().bytes())
                        .thenApply(pieces -> new PackedFile(at.file().status().inode(), pieces)))
                .toList();
        return CompletableFuture.allOf(files.toArray(CompletableFuture[]::new))
                .thenApply(done -> files.stream().map(CompletableFuture::join).toList());
    }

    private void commit(Open of, List<SmallFile> batch, List<PackedFile> files, long begin) {
        synchronized (this) {
            commits++;
        }
        services.namenode()
                .call(
                        new CommitFiles(
                                services.requests().next(), of.writer().file().inode(), files),
                        NamespaceReply.Committed.class)
                .whenComplete((committed, failure) -> {
                    answered(batch.size(), begin);
                    if (failure == null) {
                        committed(batch, committed.refused());
                    } else {
                        notCommitted(batch, EcfsException.of(failure));
                    }
                    synchronized (this) {
                        commits--;
                    }
                    next();
                });
    }

    private synchronized void answered(int files, long begin) {
        pacing.answered(files, waiting.size(), begin, services.clock().nanos());
    }

    private static void committed(List<SmallFile> batch, List<RefusedFile> refused) {
        refused.forEach(file -> LOG.info(
                "event=file_not_packed inode={} code={} reason=\"{}\"", file.file(), file.code(), file.reason()));
        Set<InodeId> not = refused.stream().map(RefusedFile::file).collect(Collectors.toSet());
        batch.forEach(file -> file.closed().complete(!not.contains(file.status().inode())));
    }

    /** The namenode may have closed the files all the same, unless it says that the pack is not this client's. */
    private void notCommitted(List<SmallFile> batch, EcfsException failure) {
        if (LOST.contains(failure.code())) {
            giveUp(batch, failure);
        } else {
            batch.forEach(file -> file.closed().completeExceptionally(failure));
        }
    }

    /** Nothing of the batch was committed, and nothing will be. */
    private void giveUp(List<SmallFile> batch, EcfsException reason) {
        LOG.info("event=pack_ended files={} reason=\"{}\"", batch.size(), reason.getMessage());
        List<SmallFile> left = new ArrayList<>(batch);
        synchronized (this) {
            ended = true;
            left.addAll(waiting);
            waiting.clear();
            waitingBytes = 0;
        }
        left.forEach(file -> file.closed().complete(false));
        seal();
    }
}
