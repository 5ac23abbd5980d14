package io.ecfs.datanode.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.datanode.repair.WorkMeter.Step;
import io.ecfs.env.ManualTime;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.chunk.RebuildWork;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Time by phase and bytes by source of one rebuild. */
class WorkMeterTest {
    private final ManualTime time = new ManualTime(1);

    private WorkMeter meter() {
        time.advance(Duration.ofMinutes(1));
        return new WorkMeter(time.environment().clock());
    }

    private void step(WorkMeter meter, Step step, Duration duration) {
        long begin = meter.nanos();
        time.advance(duration);
        meter.ended(step, begin);
    }

    @Test
    void eachPhaseHasItsTimeAndTheMomentOfItsEnd() {
        WorkMeter meter = meter();
        step(meter, Step.READ, Duration.ofMillis(7));
        step(meter, Step.DECODE, Duration.ofMillis(20));
        step(meter, Step.READ, Duration.ofMillis(3));
        time.advance(Duration.ofMillis(5));
        RebuildWork work = meter.work();
        assertThat(work.read()).isEqualTo(new RebuildWork.Phase(10_000, 30));
        assertThat(work.decode()).isEqualTo(new RebuildWork.Phase(20_000, 27));
        assertThat(work.ranMillis()).isEqualTo(35);
    }

    @Test
    void aPhaseThatWasNotReachedHasNoEnd() {
        WorkMeter meter = meter();
        step(meter, Step.VERIFY, Duration.ofMillis(2));
        assertThat(meter.work().write()).isEqualTo(RebuildWork.Phase.NONE);
        assertThat(meter.work().verify()).isEqualTo(new RebuildWork.Phase(2_000, 2));
    }

    @Test
    void bytesOfOneSourceAddUp() {
        WorkMeter meter = meter();
        meter.asked(4, new DatanodeId("dn4"), 100);
        meter.asked(1, new DatanodeId("dn1"), 10);
        meter.asked(4, new DatanodeId("dn4"), 200);
        meter.wrote(30);
        meter.wrote(12);
        RebuildWork work = meter.work();
        assertThat(work.sources())
                .containsExactly(
                        new RebuildWork.Source(1, new DatanodeId("dn1"), 10),
                        new RebuildWork.Source(4, new DatanodeId("dn4"), 300));
        assertThat(work.bytesRead()).isEqualTo(310);
        assertThat(work.bytesRepaired()).isEqualTo(42);
    }
}
