package io.ecfs.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.buffer.LosesBuffers;
import io.ecfs.sim.cluster.SimSettings;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

@LosesBuffers
class ReplayTest {
    private static final long SEED = 7;

    @Test
    void theSameSeedTwiceGivesTheSameTrace() {
        assertThat(Seeds.run(SEED)).isEqualTo(Seeds.run(SEED));
    }

    @Test
    void inSomeWorldsDatanodesAreTakenOutOfServiceAndBack() {
        assertThat(LongStream.range(0, 30)
                        .filter(seed -> SimSettings.of(seed).operated())
                        .mapToObj(Seeds::run)
                        .map(Simulation.Outcome::troubles)
                        .anyMatch(troubles -> troubles.contains("datanode taken out of service")
                                && troubles.contains("datanode taken back")))
                .isTrue();
    }

    @Test
    void anotherSeedGivesAnotherTrace() {
        assertThat(Seeds.run(SEED).traceHash()).isNotEqualTo(Seeds.run(SEED + 1).traceHash());
    }
}
