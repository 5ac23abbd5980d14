package io.ecfs.sim;

import io.ecfs.buffer.LosesBuffers;
import io.ecfs.sim.cluster.RingScenario;
import io.ecfs.sim.cluster.RingScenario.Moment;
import io.ecfs.sim.cluster.RingScenario.Victim;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Datanodes die at every step of a volume that takes turns in writing: what was acknowledged is in its journal or on
 * its disk. Every run takes one of the plots, the soak all of them; {@code JAVA_TOOL_OPTIONS=-Decfs.sim.plots=5 ./ecfs test
 * RingCrashTest} takes five seeds of the one.
 */
@LosesBuffers
class RingCrashTest {
    private static final List<Victim> VICTIMS = List.of(Victim.values());

    @Test
    void acknowledgedBytesAreThereWhoeverDies() {
        Seeds.runAll(List.of(new RingScenario(Moment.STAGED, Victim.MACHINES)));
    }

    @Test
    @Tag("soak")
    void twoHundredSeedsKeepEveryAcknowledgedByte() {
        Seeds.runAll(
                Stream.of(Moment.values())
                        .flatMap(moment -> VICTIMS.stream().map(victim -> new RingScenario(moment, victim)))
                        .toList(),
                LongStream.range(0, 17));
    }
}
