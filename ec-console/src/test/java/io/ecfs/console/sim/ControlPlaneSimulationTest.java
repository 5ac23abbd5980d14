package io.ecfs.console.sim;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ControlPlaneSimulationTest {
    @ParameterizedTest(name = "part {0}")
    @ValueSource(ints = {0, 1, 2, 3})
    void acknowledgedFilesSurviveAndEverythingElseIsCleanedUpInEveryWorld(int part) {
        Seeds.part(part).forEach(Seeds::run);
    }
}
