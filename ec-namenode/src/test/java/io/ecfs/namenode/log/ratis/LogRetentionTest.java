package io.ecfs.namenode.log.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class LogRetentionTest {
    private static final OptionalLong NOBODY = OptionalLong.empty();
    private final LogRetention retention = new LogRetention(100, 1000);

    @Test
    void neverPurgesBeyondTheCheckpoint() {
        assertThat(retention.purgeTo(500, 900, NOBODY)).isEqualTo(500);
    }

    @Test
    void keepsWhatANamenodeMissesButOnlySoMuch() {
        assertThat(retention.purgeTo(500, 450, NOBODY)).isEqualTo(450);
        assertThat(retention.purgeTo(500, -1, NOBODY)).isEqualTo(400);
        assertThat(retention.purgeTo(50, -1, NOBODY)).isNegative();
    }

    @Test
    void keepsAllThatFollowsADownloadedCheckpointUntilTheHardBound() {
        assertThat(retention.purgeTo(500, -1, OptionalLong.of(200))).isEqualTo(200);
        assertThat(retention.purgeTo(5000, -1, OptionalLong.of(200))).isEqualTo(4000);
        assertThat(retention.purgeTo(500, -1, OptionalLong.of(480))).isEqualTo(400);
    }
}
