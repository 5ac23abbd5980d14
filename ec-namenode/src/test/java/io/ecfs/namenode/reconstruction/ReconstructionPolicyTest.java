package io.ecfs.namenode.reconstruction;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.env.ManualTime;
import io.ecfs.layout.GroupId;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.reconstruction.ReconstructionPolicy.Verdict;
import io.ecfs.namenode.settings.NamenodeSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Delays by the verdict that ended an attempt. */
class ReconstructionPolicyTest {
    private static final GroupId GROUP = new GroupId(7);

    private final ManualTime time = new ManualTime(1);
    private final NamenodeSettings settings = NamenodeSettings.defaults();
    private final RepairDelays delays =
            new RepairDelays(new NamenodeContext(time.environment(), time.scheduler("namenode"), settings, () -> {
                throw new AssertionError("delays need no facts");
            }));

    private Duration afterFailures(int failures) {
        return settings.recovery().waitAfter(failures);
    }

    @Test
    void anAbandonedAttemptDelaysNothing() {
        delays.ended(GROUP, new Verdict.Abandon("no longer wanted"));
        assertThat(delays.retryInMillis(GROUP)).isZero();
        assertThat(delays.failed()).isZero();
    }

    @Test
    void eachFailureDelaysTheNextAttemptLonger() {
        delays.ended(GROUP, new Verdict.Fail("first"));
        assertThat(delays.retryInMillis(GROUP)).isEqualTo(afterFailures(1).toMillis());
        time.advance(afterFailures(1));
        assertThat(delays.retryInMillis(GROUP)).isZero();
        delays.ended(GROUP, new Verdict.Fail("second"));
        assertThat(delays.retryInMillis(GROUP)).isEqualTo(afterFailures(2).toMillis());
        assertThat(delays.failure(GROUP).orElseThrow().reason()).isEqualTo("second");
    }

    @Test
    void abandoningForgetsNoFailure() {
        delays.ended(GROUP, new Verdict.Fail("first"));
        delays.ended(GROUP, new Verdict.Abandon("no longer wanted"));
        assertThat(delays.failures(GROUP)).isEqualTo(1);
    }

    @Test
    void aPlacedChunkForgetsFailures() {
        delays.ended(GROUP, new Verdict.Fail("first"));
        delays.repaired(GROUP);
        assertThat(delays.retryInMillis(GROUP)).isZero();
    }

    @Test
    void aGroupWaitsUntilAnAttemptBegins() {
        assertThat(delays.waits(GROUP, "no target")).isTrue();
        assertThat(delays.waits(GROUP, "still none")).isFalse();
        delays.begun(GROUP);
        assertThat(delays.waiting(GROUP)).isEmpty();
    }
}
