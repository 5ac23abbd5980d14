package io.ecfs.bench.bed.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.bench.bed.hardware.Torus;
import io.ecfs.console.forecast.WritePresets;
import io.ecfs.layout.WriteSide;
import io.ecfs.plan.write.Network;
import io.ecfs.plan.write.WriteConstants;
import io.ecfs.plan.write.WriteCost;
import io.ecfs.plan.write.WriteForecast;
import io.ecfs.plan.write.WriteShape;
import io.ecfs.plan.write.WriteStep;
import io.ecfs.plan.write.WriteSystem;
import java.util.Optional;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WriteBedTest {
    private static final WriteConstants OURS = WritePresets.ESTIMATE.constants();
    private static final int CELL = 32_768;
    private static final double FAST_DISK = 1e12;

    private static WriteCost cost(WriteSide side, int k, int m, long fileStripes, double gigabits) {
        return cost(OURS, side, k, m, fileStripes, gigabits);
    }

    private static WriteCost cost(
            WriteConstants constants, WriteSide side, int k, int m, long fileStripes, double gigabits) {
        long stripe = (long) k * CELL;
        return new WriteCost(
                constants,
                new WriteShape(side, k, m, CELL, stripe, fileStripes * stripe, fileStripes / 4 * stripe),
                Network.ofGigabits(gigabits, 20_000));
    }

    private static WriteBedPlan plan(
            WriteCost cost, int clients, int datanodes, int window, MasterChoice masters, long stripes) {
        return new WriteBedPlan(
                cost,
                new WriteSystem(clients, datanodes, window, 4, FAST_DISK),
                stripes * cost.shape().dataChunks() * CELL,
                masters,
                Optional.empty(),
                1);
    }

    @ParameterizedTest
    @EnumSource
    void oneStripeAtATimeTakesWhatTheModelSays(WriteSide side) {
        takesWhatTheModelSays(OURS, side);
    }

    @Test
    void aMasterThatStoresTakesWhatTheModelSays() {
        takesWhatTheModelSays(WriteConstants.parse(OURS.text() + "forwarding,by_stripe"), WriteSide.MASTER);
    }

    private static void takesWhatTheModelSays(WriteConstants constants, WriteSide side) {
        for (double gigabits : new double[] {1, 2.5, 10, 40, 100, 400}) {
            for (int[] code : new int[][] {{4, 2}, {2, 1}, {16, 4}}) {
                WriteCost cost = cost(constants, side, code[0], code[1], 32, gigabits);
                WriteBedResult result = WriteBed.run(plan(cost, 1, code[0] + code[1], 1, MasterChoice.FIXED, 64));
                assertThat(result.seconds() * 1e9 / 64)
                        .as("%s on %s Gb/s", cost.shape(), gigabits)
                        .isCloseTo(cost.nanos(), Percentage.withPercentage(1));
                for (WriteStep step : WriteStep.values()) {
                    assertThat(result.stepSeconds().get(step) * 1e9 / 64)
                            .as("%s of %s on %s Gb/s", step, cost.shape(), gigabits)
                            .isCloseTo(cost.nanos(step), Percentage.withPercentage(1));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void thePapersHardwareTakesWhatTheModelSays(WriteSide side) {
        WriteCost cost = new WriteCost(
                WritePresets.PAPER.constants(), WriteShape.ofOneStripe(side, 4, 2, 131_072), Network.ofGigabits(10, 0));
        WriteBedResult result = WriteBed.run(plan(cost, 1, 6, 1, MasterChoice.FIXED, 20));
        assertThat(result.seconds() * 1e9 / 20).isCloseTo(cost.nanos(), Percentage.withPercentage(1));
    }

    @Test
    void forwardingByCellSavesTheCellsThatLeaveUnderTheTransfer() {
        double stored = seconds(WriteConstants.parse(OURS.text() + "forwarding,by_stripe"));
        double cellSeconds = CELL / 125e6;
        assertThat(stored - seconds(OURS))
                .as("two of five cells leave while the data comes, and work behind it overlaps a third's leaving")
                .isBetween(64 * 2 * cellSeconds, 64 * 3 * cellSeconds);
    }

    private static double seconds(WriteConstants constants) {
        WriteCost cost = cost(constants, WriteSide.MASTER, 4, 2, 32, 1);
        return WriteBed.run(plan(cost, 1, 6, 1, MasterChoice.FIXED, 64)).seconds();
    }

    @ParameterizedTest
    @EnumSource
    void aWideWindowComesNearTheSlowestStage(WriteSide side) {
        for (double gigabits : new double[] {1, 10, 100}) {
            WriteCost cost = cost(side, 4, 2, 100_000, gigabits);
            WriteBedPlan plan = plan(cost, 1, 6, 32, MasterChoice.FIXED, 8000);
            double bound = new WriteForecast(cost, plan.system()).bytesPerSecond() / 1e6;
            assertThat(WriteBed.run(plan).rate())
                    .as("%s on %s Gb/s", side, gigabits)
                    .isBetween(0.93 * bound, 1.001 * bound);
        }
    }

    @Test
    void oneSeedGivesOneResult() {
        WriteBedPlan plan = plan(cost(WriteSide.MASTER, 4, 2, 16, 10), 20, 12, 4, MasterChoice.LESS_LOADED, 48);
        assertThat(WriteBed.run(plan)).isEqualTo(WriteBed.run(plan));
    }

    @Test
    void mastersOfEachGroupAreSpreadWiderThanFixedOnes() {
        double chosen = busiestMaster(MasterChoice.LESS_LOADED);
        assertThat(chosen).isBetween(1.0, 1.5).isLessThan(busiestMaster(MasterChoice.FIXED));
    }

    private static double busiestMaster(MasterChoice choice) {
        return WriteBed.run(plan(cost(WriteSide.MASTER, 4, 2, 64, 10), 100, 20, 4, choice, 64))
                .busiestMaster();
    }

    @Test
    void aSlowDiskBoundsTheRateInTheEnd() {
        WriteCost cost = cost(WriteSide.CLIENT, 4, 2, 100_000, 100);
        long bytes = 12_000L * 4 * CELL;
        WriteBedPlan plan = new WriteBedPlan(
                cost, new WriteSystem(1, 6, 32, 4, 10e6), bytes, MasterChoice.FIXED, Optional.empty(), 1);
        double inMemory = 256 << 20;
        double seconds = (bytes / 4.0 - inMemory) / 10e6;
        assertThat(WriteBed.run(plan).seconds()).isCloseTo(seconds, Percentage.withPercentage(5));
    }

    @Test
    void aTorusIsSlowerThanASwitchThatNeverBlocks() {
        WriteCost cost = cost(WriteSide.MASTER, 4, 2, 100_000, 10);
        WriteSystem system = new WriteSystem(24, 25, 8, 4, FAST_DISK);
        long bytes = 400L * 4 * CELL;
        double star = WriteBed.run(new WriteBedPlan(cost, system, bytes, MasterChoice.LESS_LOADED, Optional.empty(), 1))
                .rate();
        Torus.Size size = new Torus.Size(7, 7);
        double torus = WriteBed.run(
                        new WriteBedPlan(cost, system, bytes, MasterChoice.LESS_LOADED, Optional.of(size), 1))
                .rate();
        assertThat(torus).isLessThan(star).isGreaterThan(star / 20);
    }

    @Test
    void constantsWithoutTripsTakeNoLatency() {
        WriteCost paper = new WriteCost(
                WritePresets.PAPER.constants(),
                WriteShape.ofOneStripe(WriteSide.MASTER, 4, 2, 131_072),
                Network.ofGigabits(10, 20_000));
        assertThatThrownBy(() -> plan(paper, 1, 6, 1, MasterChoice.FIXED, 1))
                .hasMessageEndingWith("got 20000 ns; nearest is 0");
    }
}
