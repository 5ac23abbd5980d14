package io.ecfs.datanode.store.queue;

import static io.ecfs.datanode.store.Chunks.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.env.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Slots and lanes hold whatever comes between, also while pieces run. */
class VolumeQueueMixTest {
    private static final int SEEDS = 600;
    private static final int STEPS = 200;
    private static final int MOST_PIECES = 1000;

    @Test
    void anyMixOfVisitsAndWithdrawalsKeepsLanesAndSlots() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Mix mix = new Mix(seed);
            for (int step = 0; step < STEPS; step++) {
                mix.step();
            }
            mix.end();
            assertThat(mix.wrong).as("seed %d", seed).isEmpty();
        }
    }

    private static final class Mix {
        private final Random random;
        private final int bound;
        private final int threads;
        private final ManualTime clock = new ManualTime(1);
        private final StepWorkers workers = new StepWorkers();
        private final VolumeQueue queue;
        private final List<VolumeTask<Integer>> all = new ArrayList<>();
        private final Map<Integer, List<Integer>> ordinary = new HashMap<>();
        private final Set<Integer> running = new HashSet<>();
        private final List<String> wrong = new ArrayList<>(); // what a piece throws would be its result
        private int began;

        Mix(long seed) {
            random = new Random(seed);
            bound = 1 + random.nextInt(12);
            threads = 1 + random.nextInt(4);
            queue = new VolumeQueue(workers, threads, bound, clock);
        }

        void step() {
            switch (random.nextInt(4)) {
                case 0, 1 -> submit();
                case 2 -> withdraw();
                default -> workers.runAny(random);
            }
            long open = all.stream().filter(one -> !one.result().isDone()).count();
            require(queue.queued() == open, "counts " + queue.queued() + " for " + open);
            require(open <= bound, open + " past the bound");
            require(workers.queued() + workers.running() <= threads, "more visits than threads");
        }

        private void submit() {
            List<VolumeTask<Integer>> message = new ArrayList<>();
            for (int i = random.nextInt(4); i >= 0 && all.size() < MOST_PIECES; i--) {
                message.add(piece(1 + random.nextInt(4), all.size(), random.nextInt(3) == 0));
                all.add(message.get(message.size() - 1));
            }
            clock.advance(Duration.ofMillis(random.nextInt(500)));
            queue.submit(message);
        }

        private VolumeTask<Integer> piece(int group, int number, boolean spare) {
            return new VolumeTask<>(
                    id(group, 0),
                    () -> {
                        began++;
                        require(running.add(group), "two at once on chunk " + group);
                        if (!spare) {
                            ordinary.computeIfAbsent(group, g -> new ArrayList<>())
                                    .add(number);
                        }
                        while (random.nextInt(3) == 0) {
                            step();
                        }
                        running.remove(group);
                        return number;
                    },
                    spare);
        }

        private void withdraw() {
            if (all.isEmpty()) {
                return;
            }
            VolumeTask<Integer> any = all.get(random.nextInt(all.size()));
            int before = queue.queued();
            boolean open = !any.result().isDone();
            boolean out = queue.withdraw(any) && open;
            require(!out || any.result().isCancelled(), "withdrawn and not cancelled");
            require(queue.queued() == (out ? before - 1 : before), "a withdrawn piece keeps its place");
        }

        void end() {
            boolean closes = random.nextInt(4) == 0;
            if (closes) {
                queue.close();
            } else {
                while (workers.queued() > 0) {
                    workers.runAny(random);
                }
            }
            require(queue.queued() == 0, queue.queued() + " left");
            require(all.stream().allMatch(one -> one.result().isDone()), "not all are answered");
            ordinary.values()
                    .forEach(order ->
                            require(order.equals(order.stream().sorted().toList()), "order " + order));
            long answered = all.stream()
                    .filter(one -> !one.result().isCompletedExceptionally())
                    .count();
            require(began == answered, began + " began, " + answered + " are answered");
        }

        private void require(boolean holds, String otherwise) {
            if (!holds) {
                wrong.add(otherwise);
            }
        }
    }
}
