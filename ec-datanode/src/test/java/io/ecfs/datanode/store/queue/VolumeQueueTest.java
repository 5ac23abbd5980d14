package io.ecfs.datanode.store.queue;

import static io.ecfs.datanode.store.Chunks.id;
import static io.ecfs.datanode.store.queue.Pieces.code;
import static io.ecfs.datanode.store.queue.Pieces.piece;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.ecfs.env.ManualTime;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class VolumeQueueTest {
    private final ManualTime clock = new ManualTime(1);
    private final VolumeQueue queue =
            new VolumeQueue(RealEnvironment.open().threads().workers("volume", 3, 600), 3, 500, clock);

    @AfterEach
    void close() {
        queue.close();
    }

    // HORRORS 28 (HDDS-5619): what happens to one chunk happens in one order.
    @Test
    // HDDS-6614
    void workOnOneChunkRunsInOrderOfArrival() throws Exception {
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        List<CompletableFuture<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            int number = i;
            all.add(queue.submit(id(1 + i % 2, 0), () -> number % 2 == 0 && order.add(number)));
        }
        for (CompletableFuture<Boolean> one : all) {
            one.get(2, TimeUnit.MINUTES);
        }
        assertThat(order)
                .isEqualTo(IntStream.range(0, 200).map(i -> 2 * i).boxed().toList());
    }

    @Test
    void aBlockedChunkDoesNotHoldUpAnother() throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        CompletableFuture<Boolean> first = queue.submit(id(1, 0), () -> blocked.await(2, TimeUnit.MINUTES));
        CompletableFuture<Integer> behind = queue.submit(id(1, 0), () -> 1);
        assertThat(queue.submit(id(2, 0), () -> 2).get(2, TimeUnit.MINUTES)).isEqualTo(2);
        assertThat(behind).isNotDone();
        blocked.countDown();
        assertThat(first.get(2, TimeUnit.MINUTES)).isTrue();
        assertThat(behind.get(2, TimeUnit.MINUTES)).isEqualTo(1);
    }

    @Test
    void pastItsBoundItIsBusyAndThenRecovers() throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            waiting.add(queue.submit(id(1 + i % 7, 0), () -> blocked.await(2, TimeUnit.MINUTES)));
        }
        assertThatThrownBy(() -> queue.submit(id(1, 0), () -> 1).get())
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BUSY));
        blocked.countDown();
        for (CompletableFuture<Boolean> one : waiting) {
            one.get(2, TimeUnit.MINUTES);
        }
        assertThat(queue.submit(id(1, 0), () -> 1).get(2, TimeUnit.MINUTES)).isEqualTo(1);
    }

    @Test
    void tellsHowLongReadersVisitsTookSinceItWasAskedLast() {
        StepWorkers workers = new StepWorkers();
        try (VolumeQueue stepped = new VolumeQueue(workers, 1, 100, clock)) {
            assertThat(stepped.takeTimes().meanWaitNanos()).as("nobody came").isZero();
            stepped.submit(List.of(new VolumeTask<>(id(1, 0), () -> {
                clock.advance(Duration.ofMillis(7));
                return 1;
            })));
            stepped.submit(id(4, 0), () -> 4);
            stepped.submit(List.of(piece(2, 2, new ArrayList<>()), piece(3, 3, new ArrayList<>())));
            clock.advance(Duration.ofMillis(30));
            stepped.submit(() -> 5);
            assertThat(stepped.takeTimes()).as("the first began at once").isEqualTo(TaskBatchTimes.waited(0));
            clock.advance(Duration.ofMillis(3));
            workers.runAll();
            TaskBatchTimes times = stepped.takeTimes();
            assertThat(times.batches())
                    .as("a message, and what concerns no chunk; not the writer")
                    .isEqualTo(2);
            assertThat(times.meanWaitNanos())
                    .isEqualTo(Duration.ofMillis((40 + 10) / 2).toNanos());
            assertThat(times.served()).as("two messages").isEqualTo(2);
            assertThat(times.servedNanos()).isEqualTo(Duration.ofMillis(7).toNanos());
            assertThat(stepped.takeTimes()).isEqualTo(TaskBatchTimes.NONE);
        }
    }

    @Test
    void workThatFailsHoldsUpNobody() throws Exception {
        CompletableFuture<Integer> failing = queue.submit(id(1, 0), () -> {
            throw new EcfsException(ErrorCode.CHUNK_MISSING, "not there");
        });
        assertThat(queue.submit(id(1, 0), () -> 1).get(2, TimeUnit.MINUTES)).isEqualTo(1);
        assertThat(failing).isCompletedExceptionally();
    }

    @Test
    void whatWaitsWhenItClosesFails() throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        CompletableFuture<Integer> running = queue.submit(id(1, 0), () -> {
            blocked.await(2, TimeUnit.MINUTES);
            return 1;
        });
        CompletableFuture<Integer> waiting = queue.submit(id(1, 0), () -> 2);
        Thread closing = new Thread(queue::close);
        closing.start();
        blocked.countDown();
        closing.join(10_000);
        assertThat(running.get(2, TimeUnit.MINUTES)).isEqualTo(1);
        assertThat(waiting.handle((value, failure) -> true).get(2, TimeUnit.MINUTES))
                .isTrue();
    }

    @Test
    void piecesOfOneMessageAreOneTaskOfTheWorkersAndRunBackToBack() {
        List<Integer> order = new ArrayList<>();
        StepWorkers workers = new StepWorkers();
        try (VolumeQueue stepped = new VolumeQueue(workers, 1, 10, clock)) {
            List<VolumeTask<Integer>> first = List.of(piece(1, 1, order), piece(2, 2, order), piece(1, 3, order));
            List<VolumeTask<Integer>> second = List.of(piece(2, 4, order), piece(3, 5, order), piece(2, 6, order));
            stepped.submit(first);
            stepped.submit(second);
            assertThat(workers.submitted()).isEqualTo(1);
            workers.runOne();
            assertThat(order).containsExactly(1, 2, 3);
            assertThat(first).allMatch(one -> one.result().isDone());
            workers.runOne();
            assertThat(order)
                    .as("a chunk that was read just now is read again in its turn")
                    .containsExactly(1, 2, 3, 4, 5, 6);
            assertThat(workers.submitted()).isEqualTo(2);
            assertThat(stepped.queued()).isZero();
        }
    }

    @Test
    void aMessageIsCutAmongTheThreadsThatAreFreeChunkByChunkInOrder() {
        List<Integer> order = new ArrayList<>();
        StepWorkers workers = new StepWorkers();
        try (VolumeQueue stepped = new VolumeQueue(workers, 4, 100, clock)) {
            int[] groups = {1, 2, 3, 1, 4, 5, 6, 1, 7, 8};
            stepped.submit(IntStream.rangeClosed(1, groups.length)
                    .mapToObj(number -> piece(groups[number - 1], number, order))
                    .toList());
            assertThat(workers.submitted()).isEqualTo(4);
            workers.runAll();
            assertThat(order).containsExactly(1, 4, 8, 2, 6, 10, 3, 7, 5, 9);
            assertThat(workers.submitted()).isEqualTo(4);
            assertThat(stepped.queued()).isZero();
        }
    }

    @Test
    void aMessageTakesNoThreadFromOthersAndNoMoreThanItHasChunksToRun() {
        List<Integer> order = new ArrayList<>();
        StepWorkers workers = new StepWorkers();
        try (VolumeQueue stepped = new VolumeQueue(workers, 4, 100, clock)) {
            stepped.submit(List.of(piece(1, 1, order), piece(1, 2, order)));
            assertThat(workers.submitted()).as("of one chunk").isEqualTo(1);
            stepped.submit(List.of(piece(1, 3, order), piece(2, 4, order), piece(3, 5, order)));
            assertThat(workers.submitted())
                    .as("one is left to the visit before")
                    .isEqualTo(3);
            stepped.submit(() -> 1);
            stepped.submit(List.of(piece(4, 6, order), piece(5, 7, order)));
            stepped.submit(List.of(piece(6, 8, order), piece(7, 9, order)));
            assertThat(workers.submitted()).as("threads").isEqualTo(4);
            workers.runOne();
            assertThat(workers.submitted())
                    .as("another message waits, then no other thread is free")
                    .isEqualTo(5);
            workers.runAll();
            assertThat(order).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);
            assertThat(workers.submitted()).isEqualTo(6);
        }
    }

    @Test
    void readersOfAHotChunkWaitTheirTurnOnceEach() {
        List<Integer> order = new ArrayList<>();
        StepWorkers workers = new StepWorkers();
        try (VolumeQueue stepped = new VolumeQueue(workers, 1, 100, clock)) {
            for (int i = 0; i < 20; i++) {
                stepped.submit(List.of(piece(i % 2 == 0 ? 1 : 2 + i, i, order)));
            }
            for (int i = 0; i < 20; i++) {
                workers.runOne();
            }
            assertThat(order).isEqualTo(IntStream.range(0, 20).boxed().toList());
        }
    }

    @Test
    void whatAnotherThreadWorksOnIsLeftToThatThreadInOrder() throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        CompletableFuture<Boolean> first =
                queue.submit(id(1, 0), () -> blocked.await(100, TimeUnit.SECONDS) && order.add(0));
        List<VolumeTask<Integer>> second = List.of(piece(1, 1, order), piece(2, 2, order), piece(1, 3, order));
        queue.submit(second);
        assertThat(second.get(1).result().get(2, TimeUnit.MINUTES)).isEqualTo(2);
        assertThat(second.get(0).result()).isNotDone();
        blocked.countDown();
        assertThat(first.get(2, TimeUnit.MINUTES)).isTrue();
        second.get(2).result().get(2, TimeUnit.MINUTES);
        assertThat(order).containsExactly(2, 0, 1, 3);
        await().until(() -> queue.queued() == 0); // a piece is answered before it leaves
    }

    @Test
    void eachPieceOfAVisitIsAnsweredAsSoonAsItIsDone() throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        List<VolumeTask<?>> batch = List.of(
                new VolumeTask<>(id(1, 0), () -> 1),
                new VolumeTask<>(id(2, 0), () -> blocked.await(100, TimeUnit.SECONDS)));
        queue.submit(batch);
        assertThat(batch.get(0).result().get(2, TimeUnit.MINUTES)).isEqualTo(1);
        assertThat(batch.get(1).result()).isNotDone();
        blocked.countDown();
        batch.get(1).result().get(2, TimeUnit.MINUTES);
    }

    @Test
    void aBatchPastTheBoundIsRefusedTaskByTask() {
        List<Integer> order = new ArrayList<>();
        StepWorkers workers = new StepWorkers();
        try (VolumeQueue stepped = new VolumeQueue(workers, 1, 2, clock)) {
            VolumeTask<Integer> bad = new VolumeTask<>(id(1, 0), () -> {
                throw new EcfsException(ErrorCode.CHUNK_MISSING, "not there");
            });
            List<VolumeTask<Integer>> batch = List.of(bad, piece(2, 2, order), piece(3, 3, order));
            stepped.submit(batch);
            assertThat(code(batch.get(2))).isEqualTo(ErrorCode.BUSY);
            assertThat(stepped.queued()).isEqualTo(2);
            workers.runOne();
            assertThat(code(bad)).isEqualTo(ErrorCode.CHUNK_MISSING);
            assertThat(order).containsExactly(2);
            assertThat(stepped.queued()).isZero();
        }
    }

    @Test
    void noMoreVisitsAreBegunThanThereAreThreads() {
        StepWorkers workers = new StepWorkers();
        try (VolumeQueue stepped = new VolumeQueue(workers, 2, 10, clock)) {
            for (int i = 1; i <= 5; i++) {
                stepped.submit(id(i, 0), () -> 1);
                stepped.submit(() -> 2);
            }
            assertThat(workers.submitted()).isEqualTo(2);
            for (int run = 1; run <= 8; run++) {
                workers.runOne();
                assertThat(workers.submitted()).isEqualTo(2 + run);
            }
        }
    }

    @Test
    void aWithdrawnPieceNeverRunsAndItsPlaceIsFreeAtOnce() {
        List<Integer> order = new ArrayList<>();
        StepWorkers workers = new StepWorkers();
        try (VolumeQueue stepped = new VolumeQueue(workers, 1, 4, clock)) {
            List<VolumeTask<Integer>> first = List.of(piece(1, 1, order), piece(2, 2, order));
            List<VolumeTask<Integer>> second = List.of(piece(3, 3, order), piece(1, 4, order));
            stepped.submit(first);
            stepped.submit(second);
            assertThat(stepped.withdraw(first.get(1))).isTrue(); // of a visit that is with the workers
            assertThat(stepped.withdraw(second.get(0))).isTrue(); // of one that waits
            assertThat(stepped.withdraw(second.get(0))).isFalse();
            assertThat(stepped.queued()).isEqualTo(2);
            assertThat(first.get(1).result()).isCancelled();
            List<VolumeTask<Integer>> third = List.of(piece(4, 5, order), piece(5, 6, order), piece(6, 7, order));
            stepped.submit(third);
            assertThat(code(third.get(2))).isEqualTo(ErrorCode.BUSY);
            workers.runOne();
            assertThat(order).containsExactly(1);
            assertThat(stepped.withdraw(first.get(0))).as("it has run").isFalse();
            workers.runOne();
            workers.runOne();
            assertThat(order).containsExactly(1, 4, 5, 6);
            assertThat(workers.submitted()).isEqualTo(3);
            assertThat(stepped.queued()).isZero();
        }
    }

    @Test
    void aLaneGoesOnBehindAWithdrawnPieceAndAnUnknownOneNeverStarts() {
        List<Integer> order = new ArrayList<>();
        StepWorkers workers = new StepWorkers();
        try (VolumeQueue stepped = new VolumeQueue(workers, 1, 10, clock)) {
            VolumeTask<Integer> blocking = piece(9, 0, order);
            VolumeTask<Integer> first = piece(1, 1, order);
            VolumeTask<Integer> behind = piece(1, 2, order);
            VolumeTask<Integer> never = piece(1, 3, order);
            stepped.withdraw(never);
            stepped.submit(List.of(blocking));
            stepped.submit(List.of(first));
            stepped.submit(List.of(behind));
            stepped.submit(List.of(never));
            stepped.withdraw(first);
            workers.runOne();
            workers.runOne();
            assertThat(order).containsExactly(0, 2);
            assertThat(workers.submitted()).isEqualTo(2);
            assertThat(stepped.queued()).isZero();
        }
    }
}
