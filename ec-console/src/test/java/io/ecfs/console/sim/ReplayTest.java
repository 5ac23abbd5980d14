package io.ecfs.console.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReplayTest {
    private static final long SEED = 7;

    @Test
    void theSameSeedTwiceGivesTheSameTrace() {
        assertThat(Seeds.run(SEED)).isEqualTo(Seeds.run(SEED));
    }

    @Test
    void anotherSeedGivesAnotherTrace() {
        assertThat(Seeds.run(SEED).traceHash()).isNotEqualTo(Seeds.run(SEED + 1).traceHash());
    }
}
