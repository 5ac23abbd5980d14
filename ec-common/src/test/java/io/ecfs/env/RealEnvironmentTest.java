package io.ecfs.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.ecfs.env.real.RealEnvironment;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RealEnvironmentTest {
    private final Environment environment = RealEnvironment.open();

    @Test
    void aSchedulerRunsItsTasksOneByOneInOrderOnItsOwnThread() throws Exception {
        try (Scheduler scheduler = environment.threads().scheduler("lonely")) {
            List<String> ran = new ArrayList<>(); // no lock: the scheduler's thread is the only one
            CompletableFuture<List<String>> done = new CompletableFuture<>();
            for (int i = 0; i < 100; i++) {
                String name = "task " + i;
                scheduler.execute(() -> ran.add(name
                        + (scheduler.isCurrent() ? "" : " elsewhere")
                        + Thread.currentThread().getName()));
            }
            scheduler.execute(() -> done.complete(ran));
            assertThat(done.get(2, TimeUnit.MINUTES))
                    .hasSize(100)
                    .startsWith("task 0lonely", "task 1lonely")
                    .endsWith("task 99lonely");
            assertThat(scheduler.isCurrent()).isFalse();
        }
    }

    @Test
    void aTaskThatThrowsHarmsNeitherTheSchedulerNorItsOwnNextRun() throws Exception {
        try (Scheduler scheduler = environment.threads().scheduler("sturdy")) {
            CountDownLatch runs = new CountDownLatch(3);
            Cancellable repeated = scheduler.scheduleWithFixedDelay(Duration.ZERO, Duration.ofMillis(1), () -> {
                runs.countDown();
                throw new IllegalStateException("expected by this test");
            });
            assertThat(runs.await(2, TimeUnit.MINUTES)).isTrue();
            assertThat(repeated.cancel()).isTrue();
        }
    }

    @Test
    void aCancelledTaskDoesNotRun() throws Exception {
        try (Scheduler scheduler = environment.threads().scheduler("cancelling")) {
            AtomicInteger runs = new AtomicInteger();
            Cancellable later = scheduler.schedule(Duration.ofDays(1), runs::incrementAndGet);
            assertThat(later.cancel()).isTrue();
            assertThat(later.cancel()).isFalse();
            CompletableFuture<Boolean> ran = new CompletableFuture<>();
            Cancellable soon = scheduler.schedule(Duration.ZERO, () -> ran.complete(true));
            assertThat(ran.get(2, TimeUnit.MINUTES)).isTrue();
            await().until(() -> !soon.cancel());
            assertThat(runs).hasValue(0);
        }
    }

    @Test
    void aClosedSchedulerStartsNothing() {
        Scheduler scheduler = environment.threads().scheduler("closed");
        AtomicInteger runs = new AtomicInteger();
        Cancellable repeated =
                scheduler.scheduleWithFixedDelay(Duration.ofDays(1), Duration.ofDays(1), runs::incrementAndGet);
        scheduler.close();
        scheduler.execute(runs::incrementAndGet);
        assertThat(scheduler.schedule(Duration.ZERO, runs::incrementAndGet).cancel())
                .isFalse();
        assertThat(repeated.cancel()).isFalse();
        scheduler.close();
        assertThat(runs).hasValue(0);
    }

    @Test
    void aSchedulerMayBeClosedFromItsOwnTask() throws Exception {
        Scheduler scheduler = environment.threads().scheduler("self");
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        scheduler.execute(() -> {
            scheduler.close();
            closed.complete(true);
        });
        assertThat(closed.get(2, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void workersRefuseWhatTheirQueueCannotHold() throws Exception {
        try (Workers workers = environment.threads().workers("few", 1, 2)) {
            CountDownLatch go = new CountDownLatch(1);
            CountDownLatch begun = new CountDownLatch(1);
            var running = workers.submit(() -> {
                begun.countDown();
                return go.await(2, TimeUnit.MINUTES);
            });
            assertThat(begun.await(2, TimeUnit.MINUTES)).isTrue();
            var second = workers.submit(() -> 2);
            var third = workers.submit(() -> 3);
            assertThat(workers.queued()).isEqualTo(2);
            assertBusy(workers.submit(() -> 4), "few");
            go.countDown();
            assertThat(running.get(2, TimeUnit.MINUTES)).isTrue();
            assertThat(second.get(2, TimeUnit.MINUTES)).isEqualTo(2);
            assertThat(third.get(2, TimeUnit.MINUTES)).isEqualTo(3);
        }
    }

    @Test
    void closingWorkersFailsWhatHasNotBegunAndWaitsForWhatRuns() throws Exception {
        Workers workers = environment.threads().workers("closing", 1, 2);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        var running = workers.submit(() -> {
            begun.countDown();
            return go.await(2, TimeUnit.MINUTES);
        });
        var waiting = workers.submit(() -> 1);
        assertThat(begun.await(2, TimeUnit.MINUTES)).isTrue();
        var released = waiting.handle((value, failure) -> {
            go.countDown();
            return failure;
        });
        workers.close();
        assertThat(released).isDone();
        assertBusy(waiting, "closing");
        assertThat(running).isCompletedWithValue(true);
        assertBusy(workers.submit(() -> 2), "closing");
    }

    @Test
    void workThatThrowsFailsItsFuture() {
        try (Workers workers = environment.threads().workers("throwing", 1, 1)) {
            assertThatThrownBy(() -> workers.submit(() -> {
                                throw new java.io.IOException("disk gone");
                            })
                            .get(2, TimeUnit.MINUTES))
                    .hasRootCauseMessage("disk gone");
        }
    }

    @Test
    void uuidsAreOfVersionFour() {
        assertThat(environment.randomness().uuid().version()).isEqualTo(4);
        assertThat(environment.randomness().uuid().variant()).isEqualTo(2);
        assertThat(environment.randomness().bytes(32)).hasSize(32);
        assertThat(environment.randomness().nextInt(1)).isZero();
    }

    private static void assertBusy(CompletableFuture<?> future, String named) {
        assertThatThrownBy(() -> future.get(2, TimeUnit.MINUTES))
                .cause()
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BUSY))
                .hasMessageContaining(named);
    }
}
