package io.ecfs.console.web.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SamplesTest {
    @Test
    void theLatestSamplesAreKeptOldestFirstAndASeriesThatEndsHasNulls() {
        Samples samples = new Samples(3, 10);
        samples.add(1, Map.of("a", 1.0, "gone", 9.0));
        for (int i = 2; i <= 5; i++) {
            samples.add(i, Map.of("a", (double) i));
        }
        JsonNode all = samples.json(List.of(), 10);
        assertThat(all.get("at").toString()).isEqualTo("[3,4,5]");
        assertThat(all.at("/series/a").toString()).isEqualTo("[3.0,4.0,5.0]");
        assertThat(samples.json(List.of(), 2).get("at").toString()).isEqualTo("[3,5]");
        samples.add(6, Map.of("a", 6.0));
        assertThat(samples.json(List.of(), 10).get("series").has("gone")).isFalse();
        assertThat(samples.json(List.of("b"), 10).get("series")).isEmpty();
    }

    @Test
    void aPeakStaysWhenFewerPointsAreAsked() {
        Samples samples = new Samples(4, 10);
        List.of(1.0, 9.0, 2.0, 3.0).forEach(value -> samples.add(1, Map.of("a", value)));

        assertThat(samples.json(List.of(), 2).at("/series/a").toString()).isEqualTo("[9.0,3.0]");
    }

    @Test
    void noMoreSeriesThanTheBoundAreBegun() {
        Samples samples = new Samples(2, 1);
        samples.add(1, Map.of("a", 1.0));
        samples.add(2, Map.of("a", 1.0, "b", 1.0));
        assertThat(samples.json(List.of(), 10).get("series")).hasSize(1);
    }

    @Test
    void imbalanceIsHowFarTheBusiestIsAboveTheAverage() {
        assertThat(Imbalance.percent(List.of(1.0, 1.0, 4.0))).isEqualTo(100);
        assertThat(Imbalance.percent(List.of(2.0, 2.0))).isZero();
        assertThat(Imbalance.percent(List.of())).isZero();
    }
}
