package io.ecfs.client.update;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.Policy;
import io.ecfs.patch.PatchBatch;
import io.ecfs.patch.Write;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchEndTest {
    private static final Policy POLICY = Policy.parse("rs-6-3-64k");
    private static final long STRIPE = POLICY.stripeBytes();

    private static List<Write> writes(int count, int bytes) {
        return IntStream.range(0, count).mapToObj(i -> new Write((long) i * bytes, bytes)).toList();
    }

    private static long end(long begin, List<Write> writes) {
        return PatchBatch.plan(begin, 1, Write.MAX_POSITION, writes).end();
    }

    @Test
    void pagesFillStripesButForOnePageOfHead() {
        List<Write> waiting = writes(256, 4096);
        int fitting = BatchEnd.fitting(POLICY, 0, waiting);
        assertThat(fitting).isEqualTo(191); // of two stripes of 96 pages
        assertThat(BatchEnd.padded(POLICY, 0, waiting.subList(0, fitting))).isEqualTo(OptionalLong.of(2 * STRIPE));
    }

    @Test
    void aBatchThatFillsNoStripeTakesAll() {
        List<Write> waiting = writes(3, 4096);
        assertThat(BatchEnd.fitting(POLICY, 0, waiting)).isEqualTo(3);
        assertThat(BatchEnd.padded(POLICY, 0, waiting)).isEmpty();
    }

    @Test
    void nothingIsCutOrPaddedWhereTooMuchWouldBeWasted() {
        List<Write> waiting = writes(2, 200 << 10); // the first alone would leave almost half of the stripe
        assertThat(BatchEnd.fitting(POLICY, 0, waiting)).isEqualTo(2);
        assertThat(BatchEnd.padded(POLICY, 0, waiting)).isEmpty();
    }

    /** Whatever waits and wherever it begins: what is padded ends with a stripe, and a sixteenth at most is wasted. */
    @Test
    void batchesEndWithStripesOrWithTheirLastWrite() {
        for (int bytes : new int[] {1, 100, 4096, 5000, 16 << 10, 100_000, 400_000}) {
            for (int count : new int[] {1, 2, 5, 50, 300}) {
                for (long begin : new long[] {0, 4096, STRIPE - 4096, STRIPE - 1, 3 * STRIPE + 77}) {
                    List<Write> waiting = writes(count, bytes);
                    int fitting = BatchEnd.fitting(POLICY, begin, waiting);
                    assertThat(fitting).isBetween(1, count);
                    List<Write> batch = waiting.subList(0, fitting);
                    OptionalLong padded = BatchEnd.padded(POLICY, begin, batch);
                    if (fitting < count) {
                        assertThat(padded).isPresent();
                    }
                    padded.ifPresent(to -> {
                        assertThat(to % STRIPE).isZero();
                        assertThat(to - end(begin, batch)).isBetween(0L, (to - begin) / 16);
                    });
                }
            }
        }
    }
}
