package io.ecfs.client.write.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.EncodingSide;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class SideChoiceTest {
    private final SideChoice choice = new SideChoice();

    private List<EncodingSide> run(int groups, long client, long master) {
        List<EncodingSide> sides = new ArrayList<>();
        for (int i = 0; i < groups; i++) {
            EncodingSide side = choice.next();
            choice.took(side, 1000, side == EncodingSide.CLIENT ? client : master);
            sides.add(side);
        }
        return sides;
    }

    @Test
    void bothSidesAreTriedThenTheFasterOneIsTaken() {
        assertThat(run(12, 500, 300))
                .startsWith(EncodingSide.CLIENT, EncodingSide.MASTER)
                .endsWith(EncodingSide.MASTER, EncodingSide.MASTER);
        assertThat(Collections.frequency(run(160, 500, 300), EncodingSide.CLIENT))
                .as("one group of sixteen tries the other side")
                .isEqualTo(10);
    }

    @Test
    void aSideThatBecameFasterIsFoundAndTaken() {
        run(10, 300, 500);
        List<EncodingSide> later = run(200, 300, 100);
        assertThat(later.subList(100, 200))
                .filteredOn(EncodingSide.CLIENT::equals)
                .hasSizeLessThanOrEqualTo(7);
    }

    @Test
    void untilTheFirstStripeIsAnsweredTheClientEncodes() {
        assertThat(List.of(choice.next(), choice.next(), choice.next())).containsOnly(EncodingSide.CLIENT);
    }
}
