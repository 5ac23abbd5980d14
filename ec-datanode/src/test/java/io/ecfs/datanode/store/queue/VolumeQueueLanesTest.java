package io.ecfs.datanode.store.queue;

import static io.ecfs.datanode.store.Chunks.id;
import static io.ecfs.datanode.store.queue.Pieces.piece;
import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.env.ManualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Chunks that several visits want. */
class VolumeQueueLanesTest {
    private final ManualTime clock = new ManualTime(1);

    // A reader that comes back for a hot chunk as soon as it was answered, again and again.
    @Test
    void aHotChunkDoesNotKeepAVisitFromItsOtherChunks() {
        List<Integer> order = new ArrayList<>();
        StepWorkers workers = new StepWorkers();
        try (VolumeQueue stepped = new VolumeQueue(workers, 2, 100, clock)) {
            submitAsOneVisit(stepped, workers, List.of(piece(1, 1, order), piece(2, 2, order), piece(3, 3, order)));
            comeBack(stepped, workers, order, 20);
            workers.runLast(); // finds that the other thread has its chunk
            workers.runAll();
            assertThat(order).startsWith(1, 2, 3, 120).hasSize(3 + 20).endsWith(101);
            assertThat(stepped.queued()).isZero();
        }
    }

    /** On one thread of two: the other one is free when the visit has begun. */
    private static void submitAsOneVisit(VolumeQueue stepped, StepWorkers workers, List<VolumeTask<?>> pieces) {
        CompletableFuture<Boolean> other = stepped.submit(() -> true);
        stepped.submit(pieces);
        workers.runOne();
        assertThat(other).isDone();
    }

    private static void comeBack(VolumeQueue stepped, StepWorkers workers, List<Integer> order, int times) {
        stepped.submit(id(1, 0), () -> {
            order.add(100 + times);
            if (times > 1) {
                comeBack(stepped, workers, order, times - 1);
                workers.runAll();
            }
            return times;
        });
    }

    @Test
    void whatWasLeftToAVisitThatHasMoreToDoIsRunByAFreeThread() {
        List<Integer> order = new ArrayList<>();
        StepWorkers workers = new StepWorkers();
        try (VolumeQueue stepped = new VolumeQueue(workers, 2, 100, clock)) {
            VolumeTask<Boolean> longer = new VolumeTask<>(id(2, 0), () -> {
                workers.runAll(); // by the other thread, while this one works
                return order.add(2);
            });
            VolumeTask<Boolean> left = new VolumeTask<>(id(1, 0), () -> {
                assertThat(longer.result()).isNotDone();
                assertThat(workers.running()).as("threads").isEqualTo(2);
                return order.add(3);
            });
            submitAsOneVisit(stepped, workers, List.of(piece(1, 1, order), longer));
            stepped.submit(List.of(left));
            stepped.submit(List.of(piece(1, 4, order)));
            workers.runLast();
            workers.runLast();
            workers.runAll();
            assertThat(left.result()).isCompletedWithValue(true);
            assertThat(order).containsExactly(1, 3, 4, 2);
        }
    }

    @Test
    void whatWasLeftGoesBeforeWhatWaitsAndPassesOnWhenItIsWithdrawn() {
        List<Integer> order = new ArrayList<>();
        StepWorkers workers = new StepWorkers();
        try (VolumeQueue stepped = new VolumeQueue(workers, 2, 100, clock)) {
            VolumeTask<Integer> left = piece(1, 3, order);
            VolumeTask<Integer> leftToo = piece(1, 4, order);
            VolumeTask<Boolean> withdrawing = new VolumeTask<>(id(2, 0), () -> stepped.withdraw(left) && order.add(2));
            submitAsOneVisit(stepped, workers, List.of(piece(1, 1, order), withdrawing));
            stepped.submit(List.of(left));
            workers.runLast();
            stepped.submit(List.of(leftToo));
            workers.runLast();
            stepped.submit(List.of(piece(5, 5, order)));
            stepped.submit(List.of(piece(6, 6, order)));
            workers.runOne();
            assertThat(order).containsExactly(1, 2);
            assertThat(stepped.queued()).isEqualTo(3);
            workers.runLast();
            assertThat(order).containsExactly(1, 2, 4);
            workers.runAll();
            assertThat(order).containsExactly(1, 2, 4, 5, 6);
            assertThat(stepped.queued()).isZero();
        }
    }

    @Test
    void aWithdrawnBatchDoesNotRun() {
        for (boolean closes : List.of(false, true)) {
            List<Integer> order = new ArrayList<>();
            StepWorkers workers = new StepWorkers();
            VolumeQueue stepped = new VolumeQueue(workers, 2, 100, clock);
            VolumeTask<Integer> left = piece(1, 3, order);
            VolumeTask<Boolean> ending = new VolumeTask<>(id(2, 0), () -> {
                if (closes) {
                    stepped.close();
                    return order.add(2);
                }
                return stepped.withdraw(left) && order.add(2);
            });
            submitAsOneVisit(stepped, workers, List.of(piece(1, 1, order), ending));
            stepped.submit(List.of(left));
            workers.runLast();
            VolumeTask<Integer> other = piece(5, 5, order);
            stepped.submit(List.of(other));
            workers.runOne();
            assertThat(order).containsExactly(1, 2);
            assertThat(left.result()).isCompletedExceptionally();
            workers.runAll();
            assertThat(other.result().isCompletedExceptionally()).isEqualTo(closes);
            assertThat(workers.ran()).isEqualTo(closes ? 3 : 4);
            assertThat(stepped.queued()).isZero();
            stepped.close();
        }
    }
}
