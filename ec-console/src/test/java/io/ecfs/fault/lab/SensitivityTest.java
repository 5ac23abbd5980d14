package io.ecfs.fault.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.fault.record.Phase;
import io.ecfs.fault.record.PhaseTimes;
import io.ecfs.layout.Policy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SensitivityTest {
    private static SweepPoint point(String cell, String pace, long... millis) {
        List<ExperimentResult> results = java.util.Arrays.stream(millis)
                .mapToObj(time -> new ExperimentResult(
                        Policy.parse("rs-3-2-64k"),
                        1,
                        Map.of(),
                        Map.of(),
                        List.of(),
                        new PhaseTimes(0, Map.of(Phase.RECOVERY, time)),
                        1,
                        1,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        new ClientCounts(0, 0, 0, 0, List.of()),
                        List.of(),
                        Map.of(),
                        List.of()))
                .toList();
        return new SweepPoint(Map.of("cell", cell, "pace", pace), results);
    }

    @Test
    void theSettingThatMattersMostComesFirst() {
        List<Sensitivity> all = Sensitivity.of(List.of(
                point("4k", "1", 1000, 9000, 1200),
                point("4k", "8", 1000),
                point("4m", "1", 4000),
                point("4m", "8", 4400, 4400)));
        assertThat(all.get(0)).isEqualTo(new Sensitivity("cell", "4k", 1.1, "4m", 4.2));
        assertThat(all.get(0).spread()).isCloseTo(3.82, org.assertj.core.api.Assertions.within(0.01));
        assertThat(all.get(1).setting()).isEqualTo("pace");
        assertThat(all.get(1).bestSeconds()).isEqualTo(2.6);
    }

    @Test
    void mediansAreThoseOfTheMiddle() {
        assertThat(Sensitivity.median(List.of())).isZero();
        assertThat(Sensitivity.median(List.of(3.0, 1.0, 2.0))).isEqualTo(2);
        assertThat(Sensitivity.median(List.of(4.0, 1.0))).isEqualTo(2.5);
    }
}
