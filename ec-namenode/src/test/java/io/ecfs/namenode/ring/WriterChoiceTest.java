package io.ecfs.namenode.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.Ring;
import io.ecfs.layout.RingId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.ring.ReadTimes;
import io.ecfs.message.ring.RingRole;
import io.ecfs.message.ring.RingVolumeStatus;
import io.ecfs.namenode.cluster.RingFacts;
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
        return report(RingRole.WRITING, accepted, drained, atMillis);
    }

    private static Received report(RingRole role, long accepted, long drained, long atMillis) {
        RingVolumeStatus status = new RingVolumeStatus(
                new VolumeId(1),
                new RingId(1),
                1,
                0,
                1000,
                role,
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

    /** Six colours that turn every ten seconds: a rotation takes a minute. */
    private static RingFacts ring(long epoch) {
        return new RingFacts(new RingId(1), "flash", epoch, new Ring(6, 2), true, false, false, 10_000);
    }

    @Test
    void demandIsWhatGrewInEachRotationAndANewProcessBeginsAtZero() {
        WriteDemand demand = new WriteDemand();
        demand.observe(ring(1), List.of(report(1_000_000, 0, 0)), 0);
        demand.observe(ring(1), List.of(report(1_060_000, 200_000, 10_000)), 10_000);
        assertThat(demand.demands()).isEmpty();
        demand.observe(ring(1), List.of(report(60_000, 0, 60_000)), 60_000);
        assertThat(demand.demands()).containsExactly(2000.0);
        assertThat(demand.writeRate()).isEqualTo(20_000.0);
        demand.observe(ring(1), List.of(report(120_000, 0, 120_000)), 120_000);
        assertThat(demand.demands()).containsExactly(2000.0, 1000.0);
        demand.observe(ring(2), List.of(report(120_000, 0, 120_000)), 120_001);
        assertThat(demand.demands()).as("another epoch").isEmpty();
        assertThat(demand.writeRate()).isEqualTo(20_000.0);
    }

    /** Reports every three seconds; a few of them wait for the leader's busy thread. */
    @Test
    void reportsThatComeLateMakeNoVolumeLookFast() {
        WriteDemand demand = new WriteDemand();
        for (int i = 0; i <= 100; i++) {
            long at = 3000L * i + (i % 20 == 7 ? 2990 : 0); // 10 ms before the next one
            demand.observe(ring(1), List.of(report(0, 300_000L * i, at)), at);
        }
        assertThat(demand.writeRate()).isEqualTo(100_000.0);
    }

    /** Four of twenty reports of a rotation are of a volume that writes; the first one of the second rotation is late. */
    @Test
    void oneRotationDoesNotDecideHowFastVolumesWrite() {
        WriteDemand demand = new WriteDemand();
        for (int i = 0; i <= 100; i++) {
            long at = 3000L * i + (i == 21 ? 1400 : 0);
            RingRole role = i % 20 >= 1 && i % 20 <= 4 ? RingRole.WRITING : RingRole.READING;
            demand.observe(ring(1), List.of(report(role, 0, 300_000L * i, at)), at);
            assertThat(demand.writeRate()).isIn(0.0, 100_000.0);
        }
        assertThat(demand.writeRate()).isEqualTo(100_000.0);
    }

    /** As a device that is nearly full does, or another one in its place. */
    @Test
    void aVolumeThatBecameSlowerIsSeen() {
        WriteDemand demand = new WriteDemand();
        long drained = 0;
        for (int i = 0; i <= 200; i++) {
            demand.observe(ring(1), List.of(report(0, drained, 3000L * i)), 3000L * i);
            drained += i < 40 ? 300_000 : 30_000;
        }
        assertThat(demand.writeRate()).isEqualTo(10_000.0);
    }
}
