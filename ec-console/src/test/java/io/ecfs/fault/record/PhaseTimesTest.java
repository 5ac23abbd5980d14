package io.ecfs.fault.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.message.report.RepairTrace;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PhaseTimesTest {
    private static Incident incident(long detected, long dead, long first, long healed, long repaired, long traces) {
        return new Incident(
                1,
                IncidentCause.dead(new DatanodeId("dn1")),
                detected,
                dead,
                first < 0 ? Optional.empty() : Optional.of(first),
                healed < 0 ? Optional.empty() : Optional.of(healed),
                0,
                0,
                repaired,
                repaired,
                0,
                traces,
                false);
    }

    private static RepairTrace committed(long at) {
        return new RepairTrace(
                new GroupId(1),
                0,
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(at),
                Optional.empty(),
                1,
                0,
                0,
                Optional.empty(),
                Optional.empty());
    }

    @Test
    void aRecoveryHasFivePhases() {
        PhaseTimes phases = PhaseTimes.of(
                1000, List.of(incident(2000, 4000, 4100, 9000, 2, 2)), List.of(committed(7000), committed(8900)));
        assertThat(phases.seconds(Phase.NOTICE)).hasValue(1);
        assertThat(phases.seconds(Phase.GRACE)).hasValue(2);
        assertThat(phases.seconds(Phase.CHECKING)).hasValue(0.1);
        assertThat(phases.seconds(Phase.RECOVERY)).hasValue(4.8);
        assertThat(phases.seconds(Phase.SETTLING)).hasValue(0.1);
        assertThat(phases.totalSeconds()).isEqualTo(8);
        assertThat(phases.checkingShare()).isCloseTo(0.1 / 5, within(1e-9));
        assertThat(phases.checkingShareOfThePaper()).isCloseTo(2.1 / 7, within(1e-9));
    }

    @Test
    void severalIncidentsBeginWithTheFirstAndEndWithTheLast() {
        PhaseTimes phases = PhaseTimes.of(
                0,
                List.of(incident(300, 400, 700, 900, 1, 1), incident(100, 500, 600, 1500, 1, 1)),
                List.of(committed(800), committed(1400)));
        assertThat(phases.millis().values()).containsExactly(100L, 300L, 200L, 800L, 100L);
    }

    @Test
    void whatIsNotTracedEndsWhenItIsHealed() {
        PhaseTimes phases = PhaseTimes.of(0, List.of(incident(1, 2, 3, 100, 5, 1)), List.of(committed(10)));
        assertThat(phases.seconds(Phase.RECOVERY)).hasValue(0.097);
        assertThat(phases.seconds(Phase.SETTLING)).hasValue(0);
    }

    @Test
    void whatIsNotNoticedOrNotHealedHasNoSuchPhase() {
        assertThat(PhaseTimes.of(5, List.of(), List.of()).millis()).isEmpty();
        PhaseTimes open = PhaseTimes.of(0, List.of(incident(1, 2, -1, -1, 0, 0)), List.of());
        assertThat(open.millis()).containsOnlyKeys(Phase.NOTICE, Phase.GRACE);
        assertThat(open.checkingShare()).isZero();
    }

    @Test
    void phasesAlwaysSumUpToTheTimeUntilHealed() {
        for (int seed = 0; seed < 2000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            long detected = random.nextLong(100);
            long dead = detected + random.nextLong(100);
            long first = dead + random.nextLong(100);
            long commit = first + random.nextLong(100);
            long healed = commit + random.nextLong(100);
            PhaseTimes phases = PhaseTimes.of(
                    0, List.of(incident(detected, dead, first, healed, 1, 1)), List.of(committed(commit)));
            assertThat(phases.millis().values().stream()
                            .mapToLong(Long::longValue)
                            .sum())
                    .isEqualTo(healed);
        }
    }
}
