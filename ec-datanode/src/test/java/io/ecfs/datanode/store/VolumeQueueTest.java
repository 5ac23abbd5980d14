package io.ecfs.datanode.store;

import static io.ecfs.datanode.store.Chunks.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.datanode.store.VolumeQueue.Piece;
import io.ecfs.env.ManualTime;
import io.ecfs.env.Workers;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
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
        CompletableFuture<Boolean> first = queue.submit(id(1, 0), () -> blocked.await(10, TimeUnit.SECONDS));
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
            waiting.add(queue.submit(id(1 + i % 7, 0), () -> blocked.await(10, TimeUnit.SECONDS)));
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
            blocked.await(10, TimeUnit.SECONDS);
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

    /** Notes its number and what it waited for; each piece of one visit. */
    private static Piece<Integer> piece(int group, int number, List<Integer> order) {
        return new Piece<>(id(group, 0), () -> {
            order.add(number);
            return number;
        });
    }

    @Test
    void piecesOfOneMessageAreOneTaskOfTheWorkersAndRunBackToBack() {
        List<Integer> order = new ArrayList<>();
        CountedWorkers workers = new CountedWorkers();
        try (VolumeQueue counted = new VolumeQueue(workers, 1, 10, clock)) {
            List<Piece<Integer>> first = List.of(piece(1, 1, order), piece(2, 2, order), piece(1, 3, order));
            List<Piece<Integer>> second = List.of(piece(2, 4, order), piece(3, 5, order), piece(2, 6, order));
            counted.submit(first);
            counted.submit(second);
            assertThat(workers.submitted).isEqualTo(1);
            workers.runOne();
            assertThat(order).containsExactly(1, 2, 3);
            assertThat(first).allMatch(one -> one.result().isDone());
            workers.runOne();
            assertThat(order)
                    .as("a chunk that was read just now is read again in its turn")
                    .containsExactly(1, 2, 3, 4, 5, 6);
            assertThat(workers.submitted).isEqualTo(2);
            assertThat(counted.queued()).isZero();
        }
    }

    @Test
    void readersOfAHotChunkWaitTheirTurnOnceEach() {
        List<Integer> order = new ArrayList<>();
        CountedWorkers workers = new CountedWorkers();
        try (VolumeQueue counted = new VolumeQueue(workers, 1, 100, clock)) {
            for (int i = 0; i < 20; i++) {
                counted.submit(List.of(piece(i % 2 == 0 ? 1 : 2 + i, i, order)));
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
        List<Piece<Integer>> second = List.of(piece(1, 1, order), piece(2, 2, order), piece(1, 3, order));
        queue.submit(second);
        assertThat(second.get(1).result().get(2, TimeUnit.MINUTES)).isEqualTo(2);
        assertThat(second.get(0).result()).isNotDone();
        blocked.countDown();
        assertThat(first.get(2, TimeUnit.MINUTES)).isTrue();
        second.get(2).result().get(2, TimeUnit.MINUTES);
        assertThat(order).containsExactly(2, 0, 1, 3);
        assertThat(queue.queued()).isZero();
    }

    @Test
    void eachPieceOfAVisitIsAnsweredAsSoonAsItIsDone() throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        List<Piece<?>> visit = List.of(
                new Piece<>(id(1, 0), () -> 1), new Piece<>(id(2, 0), () -> blocked.await(100, TimeUnit.SECONDS)));
        queue.submit(visit);
        assertThat(visit.get(0).result().get(2, TimeUnit.MINUTES)).isEqualTo(1);
        assertThat(visit.get(1).result()).isNotDone();
        blocked.countDown();
        visit.get(1).result().get(2, TimeUnit.MINUTES);
    }

    @Test
    void aVisitPastTheBoundIsRefusedPieceByPieceAndABadPieceFailsAlone() {
        List<Integer> order = new ArrayList<>();
        CountedWorkers workers = new CountedWorkers();
        try (VolumeQueue counted = new VolumeQueue(workers, 1, 2, clock)) {
            Piece<Integer> bad = new Piece<>(id(1, 0), () -> {
                throw new EcfsException(ErrorCode.CHUNK_MISSING, "not there");
            });
            List<Piece<Integer>> visit = List.of(bad, piece(2, 2, order), piece(3, 3, order));
            counted.submit(visit);
            assertThat(code(visit.get(2))).isEqualTo(ErrorCode.BUSY);
            assertThat(counted.queued()).isEqualTo(2);
            workers.runOne();
            assertThat(code(bad)).isEqualTo(ErrorCode.CHUNK_MISSING);
            assertThat(order).containsExactly(2);
            assertThat(counted.queued()).isZero();
        }
    }

    @Test
    void noMoreVisitsAreBegunThanThereAreThreads() {
        CountedWorkers workers = new CountedWorkers();
        try (VolumeQueue counted = new VolumeQueue(workers, 2, 10, clock)) {
            for (int i = 1; i <= 5; i++) {
                counted.submit(id(i, 0), () -> 1);
                counted.submit(() -> 2);
            }
            assertThat(workers.submitted).isEqualTo(2);
            for (int run = 1; run <= 8; run++) {
                workers.runOne();
                assertThat(workers.submitted).isEqualTo(2 + run);
            }
        }
    }

    @Test
    void aWithdrawnPieceNeverRunsAndItsPlaceIsFreeAtOnce() {
        List<Integer> order = new ArrayList<>();
        CountedWorkers workers = new CountedWorkers();
        try (VolumeQueue counted = new VolumeQueue(workers, 1, 4, clock)) {
            List<Piece<Integer>> first = List.of(piece(1, 1, order), piece(2, 2, order));
            List<Piece<Integer>> second = List.of(piece(3, 3, order), piece(1, 4, order));
            counted.submit(first);
            counted.submit(second);
            assertThat(counted.withdraw(first.get(1))).isTrue(); // of a visit that is with the workers
            assertThat(counted.withdraw(second.get(0))).isTrue(); // of one that waits
            assertThat(counted.withdraw(second.get(0))).isFalse();
            assertThat(counted.queued()).isEqualTo(2);
            assertThat(first.get(1).result()).isCancelled();
            List<Piece<Integer>> third = List.of(piece(4, 5, order), piece(5, 6, order), piece(6, 7, order));
            counted.submit(third);
            assertThat(code(third.get(2))).isEqualTo(ErrorCode.BUSY);
            workers.runOne();
            assertThat(order).containsExactly(1);
            assertThat(counted.withdraw(first.get(0))).as("it has run").isFalse();
            workers.runOne();
            workers.runOne();
            assertThat(order).containsExactly(1, 4, 5, 6);
            assertThat(workers.submitted).isEqualTo(3);
            assertThat(counted.queued()).isZero();
        }
    }

    @Test
    void aLaneGoesOnBehindAWithdrawnPieceAndAnUnknownOneNeverStarts() {
        List<Integer> order = new ArrayList<>();
        CountedWorkers workers = new CountedWorkers();
        try (VolumeQueue counted = new VolumeQueue(workers, 1, 10, clock)) {
            Piece<Integer> blocking = piece(9, 0, order);
            Piece<Integer> first = piece(1, 1, order);
            Piece<Integer> behind = piece(1, 2, order);
            Piece<Integer> never = piece(1, 3, order);
            counted.withdraw(never);
            counted.submit(List.of(blocking));
            counted.submit(List.of(first));
            counted.submit(List.of(behind));
            counted.submit(List.of(never));
            counted.withdraw(first);
            workers.runOne();
            workers.runOne();
            assertThat(order).containsExactly(0, 2);
            assertThat(workers.submitted).isEqualTo(2);
            assertThat(counted.queued()).isZero();
        }
    }

    private static Piece<Integer> spare(int group, int number, List<Integer> order) {
        return new Piece<>(
                id(group, 0),
                () -> {
                    order.add(number);
                    return number;
                },
                true);
    }

    @Test
    void sparesGoWhenNothingElseWaitsAndNobodyWaitsForThem() {
        List<Integer> order = new ArrayList<>();
        CountedWorkers workers = new CountedWorkers();
        try (VolumeQueue counted = new VolumeQueue(workers, 1, 100, clock)) {
            counted.submit(List.of(piece(1, 1, order), spare(2, 8, order), piece(3, 2, order), spare(4, 9, order)));
            counted.submit(List.of(piece(2, 3, order))); // of the spare's chunk
            CompletableFuture<Boolean> other = counted.submit(() -> order.add(4));
            assertThat(counted.queued()).isEqualTo(5);
            for (int visit = 1; visit <= 3; visit++) {
                workers.runOne();
            }
            assertThat(order).containsExactly(1, 2, 3, 4);
            assertThat(other).isDone();
            workers.runOne();
            assertThat(order).containsExactly(1, 2, 3, 4, 8, 9);
            assertThat(workers.submitted).as("visits").isEqualTo(4);
        }
    }

    @Test
    void aSpareIsHeldBackOnlyWhileAllThreadsHaveOthersToDo() {
        List<Integer> order = new ArrayList<>();
        CountedWorkers workers = new CountedWorkers();
        try (VolumeQueue counted = new VolumeQueue(workers, 2, 100, clock)) {
            counted.submit(List.of(piece(1, 1, order)));
            counted.submit(List.of(spare(2, 2, order)));
            assertThat(workers.submitted).isEqualTo(2);
            counted.submit(List.of(spare(3, 3, order)));
            assertThat(workers.submitted).isEqualTo(2);
            workers.runOne();
            assertThat(workers.submitted).as("nothing else arrives").isEqualTo(3);
        }
    }

    @Test
    void aSpareThatWasHeldBackForASecondWaitsLikeOthersFromThenOn() {
        List<Integer> order = new ArrayList<>();
        CountedWorkers workers = new CountedWorkers();
        try (VolumeQueue counted = new VolumeQueue(workers, 1, 100, clock)) {
            counted.submit(List.of(piece(1, 1, order), spare(2, 8, order)));
            clock.advance(Duration.ofMillis(999));
            counted.submit(List.of(piece(3, 2, order), spare(4, 9, order)));
            clock.advance(Duration.ofMillis(1));
            counted.submit(List.of(piece(5, 3, order)));
            clock.advance(Duration.ofMillis(998));
            counted.submit(List.of(piece(6, 4, order)));
            while (workers.queued() > 0) {
                workers.runOne();
            }
            assertThat(order).containsExactly(1, 2, 8, 3, 4, 9);
        }
    }

    @Test
    void sparesLeaveHalfOfThePlacesToOthersAndAreWithdrawnAsThoseAre() {
        List<Integer> order = new ArrayList<>();
        CountedWorkers workers = new CountedWorkers();
        try (VolumeQueue counted = new VolumeQueue(workers, 1, 4, clock)) {
            List<Piece<Integer>> spares = List.of(spare(1, 1, order), spare(2, 2, order), spare(3, 3, order));
            counted.submit(List.of(piece(9, 9, order)));
            counted.submit(spares);
            assertThat(code(spares.get(1))).isEqualTo(ErrorCode.BUSY);
            assertThat(code(spares.get(2))).isEqualTo(ErrorCode.BUSY);
            counted.submit(List.of(piece(8, 8, order), piece(7, 7, order)));
            assertThat(counted.queued()).isEqualTo(4);
            assertThat(counted.withdraw(spares.get(0))).isTrue();
            assertThat(counted.queued()).isEqualTo(3);
            while (workers.queued() > 0) {
                workers.runOne();
            }
            assertThat(order).containsExactly(9, 8, 7);
            assertThat(workers.submitted).isEqualTo(2);
        }
    }

    // Slots and lanes hold whatever comes between.
    @Test
    void anyMixOfVisitsAndWithdrawalsKeepsLanesAndSlots() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            int bound = 1 + random.nextInt(12);
            int threads = 1 + random.nextInt(3);
            CountedWorkers workers = new CountedWorkers();
            VolumeQueue mixed = new VolumeQueue(workers, threads, bound, clock);
            List<Piece<Integer>> all = new ArrayList<>();
            Map<Integer, List<Integer>> begun = new HashMap<>();
            List<Integer> sparesBegun = new ArrayList<>();
            for (int step = 0; step < 200; step++) {
                switch (random.nextInt(4)) {
                    case 0, 1 -> {
                        List<Piece<Integer>> visit = new ArrayList<>();
                        for (int i = random.nextInt(4); i >= 0; i--) {
                            int group = 1 + random.nextInt(4);
                            int number = all.size() + visit.size();
                            visit.add(
                                    random.nextInt(3) == 0
                                            ? spare(group, number, sparesBegun)
                                            : piece(
                                                    group,
                                                    number,
                                                    begun.computeIfAbsent(group, g -> new ArrayList<>())));
                        }
                        clock.advance(Duration.ofMillis(random.nextInt(500)));
                        all.addAll(visit);
                        mixed.submit(visit);
                    }
                    case 2 -> {
                        if (!all.isEmpty()) {
                            Piece<Integer> any = all.get(random.nextInt(all.size()));
                            boolean out = any.result().isDone();
                            int before = mixed.queued();
                            mixed.withdraw(any);
                            assertThat(any.result()).as("seed %d", seed).isDone();
                            assertThat(mixed.queued()).as("seed %d", seed).isEqualTo(out ? before : before - 1);
                        }
                    }
                    default -> workers.runAny(random);
                }
                long open = all.stream().filter(one -> !one.result().isDone()).count();
                assertThat(mixed.queued()).as("seed %d step %d", seed, step).isEqualTo((int) open);
                assertThat(open).as("seed %d", seed).isLessThanOrEqualTo(bound);
                assertThat(workers.tasks.size()).as("seed %d", seed).isLessThanOrEqualTo(threads);
            }
            while (workers.queued() > 0) {
                workers.runAny(random);
            }
            assertThat(mixed.queued()).as("seed %d", seed).isZero();
            assertThat(all).as("seed %d", seed).allMatch(one -> one.result().isDone());
            begun.values().forEach(order -> assertThat(order).isSorted());
            assertThat(sparesBegun.size()
                            + begun.values().stream().mapToLong(List::size).sum())
                    .as("seed %d", seed)
                    .isEqualTo(all.stream()
                            .filter(one -> !one.result().isCompletedExceptionally())
                            .count());
        }
    }

    private static ErrorCode code(Piece<?> piece) {
        assertThat(piece.result()).isCompletedExceptionally();
        return EcfsException.of(
                        piece.result().handle((value, failure) -> failure).join())
                .code();
    }

    /** Runs what it was given when the test says so. */
    private static final class CountedWorkers implements Workers {
        private final Deque<Runnable> tasks = new ArrayDeque<>();
        private int submitted;

        void runOne() {
            tasks.remove().run();
        }

        void runAny(Random random) {
            for (int skipped = tasks.isEmpty() ? 0 : random.nextInt(tasks.size()); skipped > 0; skipped--) {
                tasks.add(tasks.remove());
            }
            if (!tasks.isEmpty()) {
                runOne();
            }
        }

        @Override
        public <T> CompletableFuture<T> submit(Callable<T> work) {
            submitted++;
            CompletableFuture<T> result = new CompletableFuture<>();
            tasks.add(() -> {
                try {
                    result.complete(work.call());
                } catch (Exception e) {
                    result.completeExceptionally(e);
                }
            });
            return result;
        }

        @Override
        public int queued() {
            return tasks.size();
        }

        @Override
        public void close() {}
    }
}
