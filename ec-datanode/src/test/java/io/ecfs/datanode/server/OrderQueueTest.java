package io.ecfs.datanode.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.datanode.store.Chunks;
import io.ecfs.env.ManualTime;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.datanode.DatanodeOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class OrderQueueTest {
    private final ManualTime time = new ManualTime(1);
    private final Map<Long, CompletableFuture<String>> begun = new HashMap<>();
    private final List<String> ended = new ArrayList<>();
    private final OrderQueue<ChunkId, DatanodeOrder.Fence, String> queue =
            new OrderQueue<>(time.scheduler("control"), 2, 3, new ByHand());

    /** Subject: the chunk; the fence tells orders about it apart. */
    private final class ByHand implements OrderQueue.Work<ChunkId, DatanodeOrder.Fence, String> {
        @Override
        public ChunkId subject(DatanodeOrder.Fence order) {
            return order.chunk();
        }

        @Override
        public CompletableFuture<String> execute(DatanodeOrder.Fence order) {
            if (order.fence() < 0) {
                throw new IllegalStateException("cannot begin");
            }
            return begun.computeIfAbsent(order.fence(), fence -> new CompletableFuture<>());
        }

        @Override
        public void ended(DatanodeOrder.Fence order, Optional<String> result, Optional<EcfsException> failure) {
            ended.add(order.fence() + result.orElse("failed"));
        }
    }

    /** What it read may not be what the later order names. */
    @Test
    void theResultOfASupersededOrderIsNotReported() {
        queue.take(order(1, 10));
        queue.take(order(1, 10));
        queue.take(order(1, 11));
        assertThat(begun).containsOnlyKeys(10L);
        end(10);
        assertThat(ended).isEmpty();
        assertThat(begun).containsOnlyKeys(10L, 11L);
        end(11);
        assertThat(ended).containsExactly("11done");
    }

    @Test
    void ordersBeyondTheBoundAreDropped() {
        for (int group = 1; group <= 7; group++) {
            queue.take(order(group, group));
        }
        for (int fence = 1; fence <= 7; fence++) {
            end(fence);
        }
        assertThat(ended).as("two at once, three wait").hasSize(5);
        queue.take(order(7, 7));
        end(7);
        assertThat(ended).as("it comes again").hasSize(6);
    }

    @Test
    void anOrderThatCannotBeBegunBlocksNoOther() {
        queue.take(order(1, -1));
        queue.take(order(2, -2));
        queue.take(order(3, 3));
        time.advance(Duration.ofSeconds(1));
        end(3);
        assertThat(ended).containsExactly("-1failed", "-2failed", "3done");
    }

    private void end(long fence) {
        Optional.ofNullable(begun.get(fence)).ifPresent(work -> work.complete("done"));
        time.advance(Duration.ofSeconds(1));
    }

    private static DatanodeOrder.Fence order(int group, long fence) {
        return new DatanodeOrder.Fence(new VolumeId(1), Chunks.id(group, 0), fence);
    }
}
