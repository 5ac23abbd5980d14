package io.ecfs.datanode.store;

import static io.ecfs.datanode.store.Chunks.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.env.real.RealEnvironment;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
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
    private final VolumeQueue queue =
            new VolumeQueue(RealEnvironment.open().threads().workers("volume", 3, 600), 500);

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
}
