package io.ecfs.code.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ScheduleTest {
    private static final byte[] ONE = {1};

    /** Inputs 0, 1 and 2, outputs 3 and 4. */
    private final Schedule.Builder builder = new Schedule.Builder(new int[] {2, 1}, new int[] {1, 1});

    private static int[] regions(int... regions) {
        return regions;
    }

    @Test
    void numbersRegionsThroughInputsOutputsAndScratch() {
        assertThat(builder.input(0, 1)).isEqualTo(1);
        assertThat(builder.input(1, 0)).isEqualTo(2);
        assertThat(builder.output(1, 0)).isEqualTo(4);
        assertThat(builder.scratch()).isEqualTo(5);
        Schedule schedule = builder.set(regions(5), regions(0), ONE).build();
        assertThat(schedule.regions()).isEqualTo(6);
        assertThat(schedule.scratch()).isEqualTo(1);
        assertThat(schedule.steps().get(0).isXor()).isTrue();
        assertRefused(() -> builder.input(1, 1), "buffer 1 has 1 regions, not a region 1");
    }

    @Test
    void refusesToReadWhatNoStepWrote() {
        assertRefused(() -> builder.set(regions(4), regions(3), ONE), "region 3 is read before a step wrote it");
        builder.add(regions(3), regions(0), ONE).set(regions(4), regions(3), ONE);
        int scratch = builder.scratch();
        assertRefused(
                () -> builder.add(regions(scratch), regions(0), ONE),
                "scratch region 5 is added to before a step wrote it");
        assertRefused(() -> builder.set(regions(3), regions(6), ONE), "region 6 does not exist");
    }

    @Test
    void refusesToWriteInputsAndToWriteOrReadARegionTwiceInOneStep() {
        assertRefused(() -> builder.set(regions(0), regions(1), ONE), "region 0 cannot be written");
        assertRefused(
                () -> builder.set(regions(3, 3), regions(0), new byte[] {1, 1}),
                "region 3 is written twice in one step");
        builder.set(regions(3), regions(0), ONE);
        assertRefused(() -> builder.add(regions(3), regions(3), ONE), "region 3 is read and written in one step");
    }

    @Test
    void refusesMatricesOfTheWrongSizeAndBuffersWithoutRegions() {
        assertRefused(() -> builder.set(regions(3), regions(0, 1), ONE), "1 coefficients do not take 2 regions to 1");
        assertRefused(() -> Schedule.of(new byte[5], 2, 3), "5 coefficients do not take 3 regions to 2");
        assertRefused(
                () -> new Schedule.Builder(regions(1, 0), regions(1)),
                "every buffer has a region at least, and there is an output at least: inputs [1, 0], outputs [1]");
    }

    private static void assertRefused(Runnable call, String message) {
        assertThatThrownBy(call::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
