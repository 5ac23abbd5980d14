package io.ecfs.torture.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.client.ClusterUri;
import io.ecfs.client.EcfsClient;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.env.Environment;
import io.ecfs.env.Scheduler;
import io.ecfs.env.Threads;
import io.ecfs.env.Workers;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.layout.Policy;
import io.ecfs.torture.ClientWire;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client of a torture that is killed. */
@Timeout(120)
class TortureLoadTest {
    /** Nobody listens there. */
    private static final String URI = "ecfs://127.0.0.1:1";

    @TempDir
    private Path directory;

    /** A client that is being closed still has buffers. */
    @Test
    void itsBuffersAreCountedWhenTheCloseThatKilledItIsOver() throws Exception {
        Recorded threads = new Recorded(RealEnvironment.open().threads());
        Environment environment = new Environment(
                RealEnvironment.open().clock(), RealEnvironment.open().randomness(), threads);
        LoadPlan plan = new LoadPlan(
                URI,
                directory.resolve("calls.jsonl"),
                directory.resolve("drain"),
                Policy.parse("rs-2-1-64k"),
                0,
                1,
                1,
                0,
                Long.MAX_VALUE,
                false);
        try (ClientWire wire = ClientWire.open()) {
            EcfsClient client =
                    new EcfsClient(ClusterUri.parse(URI), plan.client(), environment, wire.caller(), Kernels.java());
            TortureLoad load = new TortureLoad(plan, environment, client);
            CountDownLatch closing = new CountDownLatch(1);
            threads.schedulers.forEach(scheduler -> scheduler.execute(() -> awaitUnchecked(closing)));

            Thread killer = new Thread(load::abandon);
            killer.start();
            await().until(() -> killer.getState() == Thread.State.WAITING);
            CompletableFuture<Void> ended = new CompletableFuture<>();
            Thread runner = new Thread(() -> {
                try {
                    load.run(() -> true);
                    ended.complete(null);
                } catch (Exception e) {
                    ended.completeExceptionally(e);
                }
            });
            runner.start();
            await().until(() -> ended.isDone() || runner.getState() == Thread.State.BLOCKED);

            assertThat(ended).as("the load, while its client is being closed").isNotDone();

            closing.countDown();
            ended.join();
            killer.join();
        }
    }

    private static void awaitUnchecked(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Gives real ones and remembers the schedulers. */
    private static final class Recorded implements Threads {
        private final Threads real;
        private final BlockingQueue<Scheduler> schedulers = new LinkedBlockingQueue<>();

        Recorded(Threads real) {
            this.real = real;
        }

        @Override
        public Scheduler scheduler(String name) {
            Scheduler scheduler = real.scheduler(name);
            schedulers.add(scheduler);
            return scheduler;
        }

        @Override
        public Workers workers(String name, int threads, int queueBound) {
            return real.workers(name, threads, queueBound);
        }
    }
}
