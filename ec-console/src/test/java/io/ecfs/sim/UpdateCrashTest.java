package io.ecfs.sim;

import io.ecfs.buffer.LosesBuffers;
import io.ecfs.sim.cluster.UpdateScenario;
import io.ecfs.sim.cluster.UpdateScenario.Moment;
import io.ecfs.sim.cluster.UpdateScenario.Victim;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Files are updated in place while their writer, datanodes and leader die at every step of a patch group: acknowledged
 * updates are there, others whole or not at all, and who opens the file next finds what readers find. Every run takes
 * two of the plots, the soak all of them; {@code JAVA_TOOL_OPTIONS=-Decfs.sim.plots=5 ./ecfs test UpdateCrashTest}
 * takes five seeds of the two.
 */
@LosesBuffers
class UpdateCrashTest {
    private static final List<Victim> VICTIMS = List.of(Victim.values());

    @Test
    void acknowledgedUpdatesAreThereWhoeverDies() {
        Seeds.runAll(List.of(
                new UpdateScenario(Moment.HALF_STRIPE, Victim.DATANODES),
                new UpdateScenario(Moment.SEALED, Victim.WRITER)));
    }

    @Test
    @Tag("soak")
    void twoHundredSeedsKeepEveryAcknowledgedUpdate() {
        Seeds.runAll(
                Stream.of(Moment.values())
                        .flatMap(moment -> VICTIMS.stream().map(victim -> new UpdateScenario(moment, victim)))
                        .toList(),
                LongStream.range(0, 10));
    }
}
