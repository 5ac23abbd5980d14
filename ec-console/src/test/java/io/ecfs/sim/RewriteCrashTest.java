package io.ecfs.sim;

import io.ecfs.buffer.LosesBuffers;
import io.ecfs.sim.cluster.RewriteScenario;
import io.ecfs.sim.cluster.RewriteScenario.Moment;
import io.ecfs.sim.cluster.RewriteScenario.Victim;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Files are converted while target, holder, source and leader die at every moment of a rewrite: their bytes stay what
 * they are, and nothing is left over. Every run takes four of the plots;
 * {@code JAVA_TOOL_OPTIONS=-Decfs.sim.plots=5 ./ecfs test RewriteCrashTest} takes five seeds of those.
 */
@LosesBuffers
class RewriteCrashTest {
    private static final List<Victim> VICTIMS = List.of(Victim.values());

    @Test
    void bytesStayWhatTheyAreWhoeverDies() {
        Seeds.runAll(List.of(
                new RewriteScenario(Moment.HALF_WRITTEN, Victim.TARGET),
                new RewriteScenario(Moment.REPORTED, Victim.LEADER),
                new RewriteScenario(Moment.COMMITTED, Victim.HOLDER),
                new RewriteScenario(Moment.ABORTED, Victim.SOURCE)));
    }

    @Test
    @Tag("soak")
    void twoHundredSeedsKeepEveryByte() {
        Seeds.runAll(
                Stream.of(Moment.values())
                        .flatMap(moment -> VICTIMS.stream().map(victim -> new RewriteScenario(moment, victim)))
                        .toList(),
                LongStream.range(0, 9));
    }
}
