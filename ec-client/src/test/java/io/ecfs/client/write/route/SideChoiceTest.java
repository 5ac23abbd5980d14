package io.ecfs.client.write.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.WriteSide;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SideChoiceTest {
    private final SideChoice choice = new SideChoice();

    private List<WriteSide> run(int groups, long client, long master) {
        List<WriteSide> sides = new ArrayList<>();
        for (int i = 0; i < groups; i++) {
            WriteSide side = choice.next();
            choice.took(side, 1000, side == WriteSide.CLIENT ? client : master);
            sides.add(side);
        }
        return sides;
    }

    @Test
    void bothSidesAreTriedThenTheFasterOneIsTaken() {
        assertThat(run(12, 500, 300))
                .startsWith(WriteSide.CLIENT, WriteSide.MASTER)
                .endsWith(WriteSide.MASTER, WriteSide.MASTER);
        assertThat(Collections.frequency(run(160, 500, 300), WriteSide.CLIENT))
                .as("one group of 34 tries the other side: (5/3 - 1) / 34 is at most 0.02")
                .isBetween(4, 5);
    }

    @ParameterizedTest
    @ValueSource(longs = {101, 110, 150, 200, 400, 1000, 10_000})
    void trialsOfTheSlowerSideCostAFiftiethAtMost(long slower) {
        run(2, 100, slower);
        long taken = run(2000, 100, slower).stream()
                .mapToLong(side -> side == WriteSide.CLIENT ? 100 : slower)
                .sum();
        assertThat(taken).isLessThanOrEqualTo(2000 * 102);
    }

    @Test
    void aSideThatBecameFasterIsFoundAndTaken() {
        run(10, 300, 500);
        List<WriteSide> later = run(200, 300, 100);
        assertThat(later.subList(100, 200)).filteredOn(WriteSide.CLIENT::equals).hasSizeLessThanOrEqualTo(7);
    }

    @Test
    void mastersThatAlwaysRefuseAreTriedSeldom() {
        int masters = 0;
        for (int i = 0; i < 1000; i++) {
            if (choice.next() == WriteSide.MASTER) {
                masters++;
                choice.failed(WriteSide.MASTER);
            } else {
                choice.took(WriteSide.CLIENT, 1000, 300);
            }
        }
        assertThat(masters).isBetween(5, 8); // at first, and one group of 150
    }

    @Test
    void untilTheFirstStripeIsAnsweredTheClientEncodes() {
        assertThat(List.of(choice.next(), choice.next(), choice.next())).containsOnly(WriteSide.CLIENT);
    }
}
