package io.ecfs.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReadVisitsTest {
    private static final int MOST = 12;

    private static ReadRange range(long from, long to) {
        return new ReadRange(from, to);
    }

    /** Every set of one to four ranges of a few bytes, by every cost of an access and bound. */
    @Test
    void spansNeverCostMoreThanTheirRangesAndTheLeastWhereNothingBoundsThem() {
        List<ReadRange> all = new ArrayList<>();
        for (int from = 0; from < 8; from += 1) {
            for (int bytes : new int[] {1, 3}) {
                all.add(range(from, from + bytes));
            }
        }
        Random random = new Random(5);
        for (int mask = 1; mask < 1 << all.size(); mask++) {
            if (Integer.bitCount(mask) > 4) {
                continue;
            }
            List<ReadRange> ranges = new ArrayList<>();
            for (int i = 0; i < all.size(); i++) {
                if ((mask >> i & 1) == 1) {
                    ranges.add(all.get(i));
                }
            }
            check(new ReadVisits(random.nextInt(6), MOST), ranges);
            check(new ReadVisits(random.nextInt(6), 1 + random.nextInt(MOST)), ranges);
        }
    }

    private static void check(ReadVisits visits, List<ReadRange> ranges) {
        List<ReadRange> spans = visits.spans(ranges);
        String what = visits + " of " + ranges + ": " + spans;
        assertThat(visits.cost(spans)).as(what).isLessThanOrEqualTo(visits.cost(ranges));
        for (ReadRange range : ranges) {
            assertThat(spans).as(what).anyMatch(span -> span.from() <= range.from() && range.to() <= span.to());
        }
        for (ReadRange span : spans) {
            assertThat(ranges.contains(span) || span.to() - span.from() <= visits.mostBytes())
                    .as(what)
                    .isTrue();
        }
        if (visits.mostBytes() == MOST) {
            assertThat(visits.cost(spans)).as(what).isEqualTo(least(visits, ranges, new ArrayList<>()));
        }
    }

    /** Over all ways to divide the ranges. */
    private static long least(ReadVisits visits, List<ReadRange> left, List<ReadRange> parts) {
        if (left.isEmpty()) {
            return visits.cost(parts);
        }
        ReadRange next = left.get(0);
        List<ReadRange> others = left.subList(1, left.size());
        List<ReadRange> more = new ArrayList<>(parts);
        more.add(next);
        long least = least(visits, others, more);
        for (int i = 0; i < parts.size(); i++) {
            List<ReadRange> joined = new ArrayList<>(parts);
            ReadRange part = parts.get(i);
            joined.set(i, range(Math.min(part.from(), next.from()), Math.max(part.to(), next.to())));
            least = Math.min(least, least(visits, others, joined));
        }
        return least;
    }

    @Test
    void gapsBelowTheCostOfAnAccessAreRead() {
        ReadVisits visits = new ReadVisits(10, 1000);
        assertThat(visits.spans(List.of(range(109, 120), range(0, 100)))).containsExactly(range(0, 120));
        assertThat(visits.spans(List.of(range(0, 100), range(110, 120))))
                .as("a gap that costs as much")
                .containsExactly(range(0, 100), range(110, 120));
        assertThat(visits.spans(List.of())).isEmpty();
    }

    @Test
    void noSpanOfSeveralRangesExceedsTheBoundAndOneRangeMay() {
        ReadVisits visits = new ReadVisits(10, 100);
        assertThat(visits.spans(List.of(range(0, 60), range(61, 100), range(101, 130), range(131, 300))))
                .containsExactly(range(0, 100), range(101, 130), range(131, 300));
    }

    @Test
    void refusesWhatCannotBe() {
        assertThatThrownBy(() -> new ReadVisits(-1, 1)).hasMessageContaining("-1 bytes");
        assertThatThrownBy(() -> new ReadVisits(1, -1)).hasMessageContaining("at most -1");
    }
}
