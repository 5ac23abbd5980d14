package io.ecfs.bench.koh.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RequestLoopTest {
    /** Answers when so many are under way, all of them. */
    private static final class Gathered implements RequestLoop.Requests<Integer> {
        final List<CompletableFuture<Integer>> open = new ArrayList<>();
        final List<Integer> ended = new ArrayList<>();
        final int together;
        int begun;

        Gathered(int together) {
            this.together = together;
        }

        @Override
        public long due(Integer slot) {
            return Long.MIN_VALUE;
        }

        @Override
        public CompletableFuture<?> begin(Integer slot) {
            begun++;
            CompletableFuture<Integer> answer = new CompletableFuture<>();
            open.add(answer);
            if (open.size() == together) {
                List<CompletableFuture<Integer>> all = List.copyOf(open);
                open.clear();
                all.forEach(one -> one.complete(slot));
            }
            return answer;
        }

        @Override
        public void ended(Integer slot, Object result, long begun, long ended) throws EcfsException {
            assertThat(ended).isGreaterThanOrEqualTo(begun);
            this.ended.add(slot);
            if (this.ended.size() == 50) {
                throw new EcfsException(ErrorCode.CHUNK_CORRUPT, "the 50th is wrong");
            }
        }
    }

    @Test
    void asManyRequestsAreUnderWayAsThereAreSlotsAndAllAreAnswered() throws Exception {
        Gathered requests = new Gathered(4);
        new RequestLoop<>(requests).run(List.of(1, 2, 3, 4), () -> requests.begun < 40);
        assertThat(requests.begun).isEqualTo(40);
        assertThat(requests.ended).hasSize(40);
    }

    @Test
    void theFirstWrongAnswerEndsTheLoopWhenNothingIsUnderWayAnyMore() {
        Gathered requests = new Gathered(1);
        assertThatThrownBy(() -> new RequestLoop<>(requests).run(List.of(1, 2, 3), () -> true))
                .isInstanceOf(EcfsException.class)
                .hasMessageContaining("the 50th is wrong");
        assertThat(requests.ended).hasSize(requests.begun);
    }

    @Test
    void aSlotWaitsUntilItIsDue() throws Exception {
        long begin = System.nanoTime();
        long interval = TimeUnit.MILLISECONDS.toNanos(20);
        List<Long> begun = new ArrayList<>();
        new RequestLoop<>(new RequestLoop.Requests<Integer>() {
                    @Override
                    public long due(Integer slot) {
                        return begin + begun.size() * interval;
                    }

                    @Override
                    public CompletableFuture<?> begin(Integer slot) {
                        begun.add(System.nanoTime());
                        return CompletableFuture.completedFuture(slot);
                    }

                    @Override
                    public void ended(Integer slot, Object result, long from, long to) {}
                })
                .run(List.of(1), () -> begun.size() < 5);
        for (int i = 0; i < begun.size(); i++) {
            assertThat(begun.get(i) - begin).isGreaterThanOrEqualTo(i * interval);
        }
    }
}
