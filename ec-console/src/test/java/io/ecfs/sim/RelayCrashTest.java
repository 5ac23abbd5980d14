package io.ecfs.sim;

import io.ecfs.buffer.LosesBuffers;
import io.ecfs.sim.cluster.RelayScenario;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Master, slave and client of relayed stripes die at every moment of one: acknowledged bytes stay, and nothing is left
 * over. {@code JAVA_TOOL_OPTIONS=-Decfs.sim.plots=5 ./ecfs test RelayCrashTest} takes five seeds of each.
 */
@LosesBuffers
class RelayCrashTest {
    @ParameterizedTest
    @EnumSource
    void nothingAcknowledgedIsLostWhoeverDies(RelayScenario.Moment moment) {
        Seeds.runAll(plots(moment).toList());
    }

    @Test
    @Tag("soak")
    void twoHundredSeedsKeepWhatWasAcknowledged() {
        Seeds.runAll(
                Stream.of(RelayScenario.Moment.values())
                        .flatMap(RelayCrashTest::plots)
                        .toList(),
                LongStream.range(0, 23));
    }

    private static Stream<RelayScenario> plots(RelayScenario.Moment moment) {
        return Stream.of(RelayScenario.Victim.values()).map(victim -> new RelayScenario(moment, victim));
    }
}
