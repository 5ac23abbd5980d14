package io.ecfs.client.update;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.client.base.UpdateConfig;
import io.ecfs.client.update.UpdateQueue.Work;
import io.ecfs.layout.Policy;
import io.ecfs.patch.PatchBatch;
import io.ecfs.patch.Write;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class UpdateQueueTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-4k");
    private static final int CALL = UpdateConfig.BYTES_OF_A_CALL;

    private static Work put(long position, int bytes) {
        return new Work.Put(new Write(position, bytes), ByteBuffer.allocate(0), new CompletableFuture<>());
    }

    private static Work cut(long length) {
        return new Work.Cut(length, new CompletableFuture<>());
    }

    private static Work sync() {
        return new Work.Sync(new CompletableFuture<>());
    }

    @Test
    void callsAreTakenInTheirOrderAndWritesTogether() {
        UpdateQueue queue = new UpdateQueue(1 << 20);
        List<Work> works = List.of(put(0, 5), put(3, 7), cut(4), put(9, 1), sync());
        works.forEach(work -> assertThat(queue.offer(work)).isTrue());
        assertThat(queue.take(POLICY, 0)).isEqualTo(works.subList(0, 2));
        assertThat(queue.take(POLICY, 0)).isEqualTo(works.subList(2, 3));
        assertThat(queue.take(POLICY, 0)).isEqualTo(works.subList(3, 4));
        assertThat(queue.take(POLICY, 0)).isEqualTo(works.subList(4, 5));
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void noMoreBytesWaitThanTheBound() {
        UpdateQueue queue = new UpdateQueue(10_000);
        assertThat(queue.offer(put(0, 9_000))).isTrue();
        assertThat(queue.offer(put(0, 10_000 - 9_000 - 2 * CALL + 1))).isFalse();
        assertThat(queue.offer(put(0, 10_000 - 9_000 - 2 * CALL))).isTrue();
        assertThat(queue.offer(cut(0))).as("not a byte is left").isFalse();
        queue.take(POLICY, 0);
        assertThat(queue.offer(sync())).isTrue();
        assertThat(queue.offer(put(0, 10_000 - 2 * CALL))).isTrue();
        assertThat(queue.offer(sync())).isFalse();
        queue.drain();
        assertThat(queue.offer(put(0, 10_000 - CALL))).isTrue();
    }

    @Test
    void aWriteLargerThanTheBoundIsTakenAloneAndACloseAlways() {
        UpdateQueue queue = new UpdateQueue(100);
        Work large = put(0, 5_000);
        assertThat(queue.offer(large)).isTrue();
        assertThat(queue.offer(put(0, 1))).isFalse();
        Work close = new Work.Close(false, new CompletableFuture<>());
        queue.add(close);
        assertThat(queue.drain()).containsExactly(large, close);
    }

    @Test
    void callsWithoutBytesAreBoundedToo() {
        UpdateQueue queue = new UpdateQueue(10L * CALL);
        int taken = 0;
        while (taken < 1_000 && queue.offer(cut(-1))) {
            taken++;
        }
        assertThat(taken).isEqualTo(10);
    }

    /** What a batch has no room for waits on, and counts. */
    @Test
    void whatIsPutBackIsTheNextAndCountsAgain() {
        int count = 21; // and a page of head: one more than seven stripes
        long bound = count * (4096L + CALL);
        UpdateQueue queue = new UpdateQueue(bound);
        List<Work> works = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            works.add(put(4096L * i, 4096));
            assertThat(queue.offer(works.get(i))).isTrue();
        }
        List<Work> first = queue.take(POLICY, 0);
        long end = PatchBatch.plan(0, 1, Write.MAX_POSITION, UpdateQueue.writes(first))
                .end();
        assertThat(first).hasSize(20).isEqualTo(works.subList(0, 20));
        assertThat(end % POLICY.stripeBytes()).as("ends with a stripe").isZero();
        assertThat(queue.offer(put(0, 20 * (4096 + CALL) - CALL + 1))).isFalse();
        assertThat(queue.offer(put(0, 20 * (4096 + CALL) - CALL))).isTrue();
        assertThat(queue.take(POLICY, end).get(0)).isEqualTo(works.get(20));
    }
}
