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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Files are converted while target, holder, source and leader die at every moment of a rewrite: their bytes stay what
 * they are, and nothing is left over. Every run takes each moment with two of the victims in turn;
 * {@code JAVA_TOOL_OPTIONS=-Decfs.sim.plots=5 ./ecfs test RewriteCrashTest} takes five seeds of those.
 */
@LosesBuffers
class RewriteCrashTest {
    private static final List<Victim> VICTIMS = List.of(Victim.values());

    @ParameterizedTest
    @EnumSource
    void bytesStayWhatTheyAreWhoeverDies(Moment moment) {
        int turn = moment.ordinal();
        Seeds.runAll(Stream.of(turn, turn + 1)
                .map(victim -> new RewriteScenario(moment, VICTIMS.get(victim % VICTIMS.size())))
                .toList());
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
