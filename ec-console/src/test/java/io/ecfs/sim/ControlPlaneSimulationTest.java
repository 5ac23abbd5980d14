package io.ecfs.sim;

import io.ecfs.buffer.LosesBuffers;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every run takes the first 200 seeds;
 * {@code JAVA_TOOL_OPTIONS=-Decfs.sim.seeds=2000 ./ecfs test ControlPlaneSimulationTest} more.
 */
@LosesBuffers
class ControlPlaneSimulationTest {
    @ParameterizedTest(name = "part {0}")
    @ValueSource(ints = {0, 1, 2, 3})
    void acknowledgedFilesSurviveEverySeed(int part) {
        Seeds.runAll(part);
    }
}
