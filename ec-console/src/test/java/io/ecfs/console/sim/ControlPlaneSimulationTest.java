package io.ecfs.console.sim;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs when asked for, {@code JAVA_TOOL_OPTIONS=-Decfs.sim.seeds=200 ./ecfs test ControlPlaneSimulationTest}, as long as it finds the
 * open defects that docs/design.md lists; it belongs to every run.
 */
@EnabledIfSystemProperty(named = "ecfs.sim.seeds", matches = "\\d+")
class ControlPlaneSimulationTest {
    @ParameterizedTest(name = "part {0}")
    @ValueSource(ints = {0, 1, 2, 3})
    void acknowledgedFilesSurviveAndEverythingElseIsCleanedUpInEveryWorld(int part) {
        Seeds.part(part).forEach(Seeds::run);
    }
}
