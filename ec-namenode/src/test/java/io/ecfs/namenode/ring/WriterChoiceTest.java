package io.ecfs.namenode.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.RingId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.ring.ReadTimes;
import io.ecfs.message.ring.RingRole;
import io.ecfs.message.ring.RingVolumeStatus;
import io.ecfs.namenode.report.RingReports.Received;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WriterChoiceTest {
    private static final double MIB = 1 << 20;

    /** Six colours, 52 MiB/s a volume, a guard of 250 ms at both ends of a window. */
    @ParameterizedTest
    @CsvSource({
        "10000, 0, 1",
        "10000, 5, 1",
        "10000, 6, 2",
        "10000, 12, 2",
        "10000, 20, 3",
        "10000, 60, 3",
        "1000, 0, 3"
    })
    void asFewWriteAsTheDemandTakes(long periodMillis, double demand, int writers) {
        List<Double> rotations = List.of(demand * MIB, demand * MIB, demand * MIB);
        assertThat(WriterChoice.writers(6, 3, periodMillis, rotations, 52 * MIB))
                .isEqualTo(OptionalInt.of(writers));
    }

    @Test
    void threeRotationsAreTheEvidenceAndTheBusiestOfThemCounts() {
        assertThat(WriterChoice.writers(6, 3, 10_000, List.of(0.0, 0.0), MIB)).isEmpty();
        assertThat(WriterChoice.writers(6, 3, 10_000, List.of(0.0, 0.0, 0.0), 0))
                .isEmpty();
        assertThat(WriterChoice.writers(6, 3, 10_000, List.of(0.0, 20 * MIB, 0.0), 52 * MIB))
                .isEqualTo(OptionalInt.of(3));
        assertThat(WriterChoice.writers(6, 3, 10_000, List.of(20 * MIB, 0.0, 0.0, 0.0), 52 * MIB))
                .as("it was four rotations ago")
                .isEqualTo(OptionalInt.of(1));
    }

    private static Received report(long accepted, long drained, long atMillis) {
        RingVolumeStatus status = new RingVolumeStatus(
                new VolumeId(1),
                new RingId(1),
                1,
                0,
                1000,
                RingRole.WRITING,
                1000,
                1000,
                1 << 30,
                accepted,
                drained,
                0,
                Map.of(),
                ReadTimes.NONE,
                ReadTimes.NONE);
        return new Received(status, atMillis);
    }

    @Test
    void demandIsWhatGrewInEachRotationAndANewProcessBeginsAtZero() {
        WriteDemand demand = new WriteDemand();
        demand.observe(1, 60_000, List.of(report(1_000_000, 0, 0)), 0);
        demand.observe(1, 60_000, List.of(report(1_060_000, 200_000, 10_000)), 10_000);
        assertThat(demand.demands()).isEmpty();
        demand.observe(1, 60_000, List.of(report(60_000, 0, 60_000)), 60_000);
        assertThat(demand.demands()).containsExactly(2000.0);
        assertThat(demand.writeRate()).isEqualTo(20_000.0);
        demand.observe(1, 60_000, List.of(report(120_000, 0, 120_000)), 120_000);
        assertThat(demand.demands()).containsExactly(2000.0, 1000.0);
        demand.observe(2, 60_000, List.of(report(120_000, 0, 120_000)), 120_001);
        assertThat(demand.demands()).as("another epoch").isEmpty();
        assertThat(demand.writeRate()).isEqualTo(20_000.0);
    }
}
