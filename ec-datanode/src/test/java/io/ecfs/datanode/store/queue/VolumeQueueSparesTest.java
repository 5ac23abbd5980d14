package io.ecfs.datanode.store.queue;

import static io.ecfs.datanode.store.Chunks.id;
import static io.ecfs.datanode.store.queue.Pieces.code;
import static io.ecfs.datanode.store.queue.Pieces.piece;
import static io.ecfs.datanode.store.queue.Pieces.spare;
import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.env.ManualTime;
import io.ecfs.error.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class VolumeQueueSparesTest {
    private final ManualTime clock = new ManualTime(1);

    @Test
    void sparesGoWhenNothingElseWaitsAndNobodyWaitsForThem() {
        List<Integer> order = new ArrayList<>();
        StepWorkers workers = new StepWorkers();
        try (VolumeQueue stepped = new VolumeQueue(workers, 1, 100, clock)) {
            stepped.submit(List.of(piece(1, 1, order), spare(2, 8, order), piece(3, 2, order), spare(4, 9, order)));
            stepped.submit(List.of(piece(2, 3, order))); // of the spare's chunk
            CompletableFuture<Boolean> other = stepped.submit(() -> order.add(4));
            assertThat(stepped.queued()).isEqualTo(5);
            for (int batch = 1; batch <= 3; batch++) {
                workers.runOne();
            }
            assertThat(order).containsExactly(1, 2, 3, 4);
            assertThat(other).isDone();
            workers.runOne();
            assertThat(order).containsExactly(1, 2, 3, 4, 8);
            workers.runOne();
            assertThat(order).containsExactly(1, 2, 3, 4, 8, 9);
            assertThat(workers.submitted()).as("visits").isEqualTo(5);
        }
    }

    // One that ran beside them would take the disk from what somebody needs.
    @Test
    void aSpareBeginsOnlyWhenNothingElseWaitsOrRunsAndThenRunsAlone() {
        List<Integer> order = new ArrayList<>();
        StepWorkers workers = new StepWorkers();
        try (VolumeQueue stepped = new VolumeQueue(workers, 4, 100, clock)) {
            stepped.submit(List.of(piece(1, 1, order)));
            stepped.submit(List.of(spare(2, 8, order), spare(3, 9, order)));
            assertThat(workers.queued()).isEqualTo(1);
            workers.runOne();
            assertThat(workers.queued()).as("nothing else arrives").isEqualTo(1);
            stepped.submit(List.of(spare(4, 10, order)));
            assertThat(workers.queued()).as("beside a spare").isEqualTo(1);
            workers.runAll();
            assertThat(order).containsExactly(1, 8, 9, 10);
            assertThat(workers.submitted()).isEqualTo(4);
        }
    }

    @Test
    void whatArrivesWhileASpareRunsDoesNotWaitForTheOtherSpares() {
        List<Integer> order = new ArrayList<>();
        StepWorkers workers = new StepWorkers();
        try (VolumeQueue stepped = new VolumeQueue(workers, 1, 100, clock)) {
            VolumeTask<Boolean> running = new VolumeTask<>(
                    id(2, 0),
                    () -> {
                        stepped.submit(List.of(piece(1, 1, order), piece(3, 2, order)));
                        return order.add(7);
                    },
                    true);
            VolumeTask<Integer> withdrawn = spare(5, 9, order);
            stepped.submit(List.of(running, spare(4, 8, order), withdrawn, spare(6, 10, order)));
            workers.runOne();
            assertThat(stepped.withdraw(withdrawn)).isTrue();
            assertThat(stepped.queued()).isEqualTo(4);
            workers.runAll();
            assertThat(order).containsExactly(7, 1, 2, 8, 10);
            assertThat(stepped.queued()).isZero();
        }
    }

    @Test
    void aSpareThatWasHeldBackForASecondIsRefusedWhenAnythingArrives() {
        List<Integer> order = new ArrayList<>();
        StepWorkers workers = new StepWorkers();
        try (VolumeQueue stepped = new VolumeQueue(workers, 1, 100, clock)) {
            List<VolumeTask<Integer>> spares = List.of(spare(2, 6, order), spare(3, 7, order), spare(4, 8, order));
            stepped.submit(List.of(piece(1, 1, order), spares.get(0), spares.get(1)));
            clock.advance(Duration.ofMillis(999));
            stepped.submit(List.of(piece(3, 2, order), spares.get(2)));
            assertThat(stepped.queued()).isEqualTo(5);
            clock.advance(Duration.ofMillis(1));
            stepped.submit(List.of(piece(5, 3, order)));
            assertThat(code(spares.get(0))).isEqualTo(ErrorCode.BUSY);
            assertThat(code(spares.get(1))).isEqualTo(ErrorCode.BUSY);
            assertThat(spares.get(2).result()).isNotDone();
            assertThat(stepped.queued()).isEqualTo(4);
            assertThat(stepped.withdraw(spares.get(0))).isFalse();
            clock.advance(Duration.ofMillis(999));
            CompletableFuture<Boolean> other = stepped.submit(() -> order.add(4));
            assertThat(code(spares.get(2))).isEqualTo(ErrorCode.BUSY);
            workers.runAll();
            assertThat(other).isDone();
            assertThat(order).containsExactly(1, 2, 3, 4);
            assertThat(stepped.queued()).isZero();
        }
    }

    @Test
    void aSpareThatWasHeldBackForASecondIsRefusedWhenAnythingEnds() {
        List<Integer> order = new ArrayList<>();
        StepWorkers workers = new StepWorkers();
        try (VolumeQueue stepped = new VolumeQueue(workers, 1, 100, clock)) {
            VolumeTask<Integer> old = spare(2, 8, order);
            VolumeTask<Boolean> longer = new VolumeTask<>(id(1, 0), () -> {
                clock.advance(Duration.ofSeconds(1));
                return order.add(1);
            });
            VolumeTask<Boolean> next = new VolumeTask<>(id(1, 0), () -> {
                assertThat(code(old)).isEqualTo(ErrorCode.BUSY);
                stepped.submit(List.of(spare(3, 9, order)));
                return order.add(2);
            });
            stepped.submit(List.of(longer, next, old));
            workers.runAll();
            assertThat(next.result()).isCompletedWithValue(true);
            assertThat(order).as("none stays on an idle volume").containsExactly(1, 2, 9);
        }
    }

    @Test
    void sparesThatAreRefusedMakeRoomForWhatArrives() {
        List<Integer> order = new ArrayList<>();
        StepWorkers workers = new StepWorkers();
        try (VolumeQueue stepped = new VolumeQueue(workers, 1, 3, clock)) {
            stepped.submit(List.of(piece(1, 1, order), spare(2, 8, order)));
            clock.advance(Duration.ofSeconds(1));
            VolumeTask<Integer> last = piece(4, 3, order);
            VolumeTask<Integer> young = spare(5, 9, order);
            stepped.submit(List.of(young, piece(3, 2, order), last));
            assertThat(young.result()).isNotDone();
            assertThat(code(last)).isEqualTo(ErrorCode.BUSY);
            workers.runAll();
            assertThat(order).containsExactly(1, 2, 9);
        }
    }

    @Test
    void sparesLeaveHalfOfThePlacesToOthersAndAreWithdrawnAsThoseAre() {
        List<Integer> order = new ArrayList<>();
        StepWorkers workers = new StepWorkers();
        try (VolumeQueue stepped = new VolumeQueue(workers, 1, 4, clock)) {
            List<VolumeTask<Integer>> spares = List.of(spare(1, 1, order), spare(2, 2, order), spare(3, 3, order));
            stepped.submit(List.of(piece(9, 9, order)));
            stepped.submit(spares);
            assertThat(code(spares.get(1))).isEqualTo(ErrorCode.BUSY);
            assertThat(code(spares.get(2))).isEqualTo(ErrorCode.BUSY);
            stepped.submit(List.of(piece(8, 8, order), piece(7, 7, order)));
            assertThat(stepped.queued()).isEqualTo(4);
            assertThat(stepped.withdraw(spares.get(0))).isTrue();
            assertThat(stepped.queued()).isEqualTo(3);
            workers.runAll();
            assertThat(order).containsExactly(9, 8, 7);
            assertThat(workers.submitted()).isEqualTo(2);
        }
    }
}
