package io.ecfs.sim;

import io.ecfs.buffer.LosesBuffers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Worlds all of whose files lie in a ring. {@link ControlPlaneSimulationTest} has some of its files
 * there in one of thirty seeds.
 */
@LosesBuffers
class RingSimulationTest {
    private static final int SEEDS = 200;

    @Test
    @Tag("soak")
    void acknowledgedFilesSurviveTwoHundredSeedsOfRings() {
        Seeds.runRinged(SEEDS);
    }
}
