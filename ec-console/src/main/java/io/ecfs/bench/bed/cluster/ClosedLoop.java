package io.ecfs.bench.bed.cluster;

import io.ecfs.bench.bed.LatencyLog;
import io.ecfs.bench.bed.Requests;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.read.batch.RangeResult;
import io.ecfs.env.Clock;
import io.ecfs.env.Scheduler;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * Clients that read one request after the other without a pause, all of them of one {@link EcfsClient}. Every block
 * that comes is compared with what was stored; the first failure ends the loop. Its state belongs to its thread.
 */
final class ClosedLoop implements AutoCloseable {
    private final EcfsClient client;
    private final StoredBlocks stored;
    private final Requests requests;
    private final int delta;
    private final SplittableRandom random;
    private final Clock clock;
    private final Scheduler loop;
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private Optional<LatencyLog> measured = Optional.empty(); // while something is measured
    private final CompletableFuture<Void> counted = new CompletableFuture<>();
    private int reading;
    private boolean ending;
    private Throwable failure; // null while there is none

    /**
     * @param delta redundant chunks requested of each block
     * @param loop this loop's own; closed with it
     */
    ClosedLoop(
            EcfsClient client,
            StoredBlocks stored,
            Requests requests,
            int delta,
            SplittableRandom random,
            Clock clock,
            Scheduler loop) {
        this.client = client;
        this.stored = stored;
        this.requests = requests;
        this.delta = delta;
        this.random = random;
        this.clock = clock;
        this.loop = loop;
    }

    void start(int clients) {
        loop.execute(() -> {
            reading = clients;
            for (int i = 0; i < clients; i++) {
                turn();
            }
        });
    }

    /** Ends early when a read fails. */
    CompletableFuture<Void> over() {
        return over;
    }

    /** The skew begins, and what is asked from now on counts. */
    void measure(LatencyLog latencies) throws IOException {
        onLoop(() -> {
            requests.skew();
            measured = Optional.of(latencies);
            return this;
        });
    }

    /** Complete when some request has ended that counts, or none will. */
    CompletableFuture<Void> counted() {
        return CompletableFuture.allOf(CompletableFuture.anyOf(counted, over));
    }

    /** Ends the measurement: later requests do not count. */
    void measured() throws IOException {
        onLoop(() -> {
            measured = Optional.empty();
            return this;
        });
    }

    /** Lets what is on its way come, and asks no more. */
    void end() throws IOException {
        loop.execute(() -> {
            ending = true;
            finish();
        });
        Await.result(over);
    }

    private void turn() {
        int[] blocks = requests.next(random);
        boolean counts = measured.isPresent();
        long began = clock.nanos();
        stored.read(client, blocks, delta).whenComplete((results, failed) -> {
            long now = clock.nanos();
            if (counts) {
                loop.execute(() -> count(now, now - began));
            }
            loop.execute(() -> answered(blocks, results, failed));
        });
    }

    private void count(long ended, long took) {
        measured.ifPresent(log -> {
            log.add(ended, took);
            counted.complete(null);
        });
    }

    private void answered(int[] blocks, List<RangeResult> results, Throwable failed) {
        try {
            if (failed != null) {
                throw EcfsException.of(failed);
            }
            stored.check(blocks, results);
        } catch (EcfsException e) {
            failure = failure == null ? e : failure;
            ending = true;
        }
        if (ending) {
            reading--;
            finish();
        } else {
            turn();
        }
    }

    private void finish() {
        if (ending && reading == 0) {
            if (failure == null) {
                over.complete(null);
            } else {
                over.completeExceptionally(failure);
            }
        }
    }

    private <T> T onLoop(Callable<T> work) throws IOException {
        CompletableFuture<T> done = new CompletableFuture<>();
        loop.execute(() -> Workers.run(work, done));
        return Await.result(done);
    }

    @Override
    public void close() {
        loop.close();
    }
}
