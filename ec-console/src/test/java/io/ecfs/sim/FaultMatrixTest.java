package io.ecfs.sim;

import io.ecfs.buffer.LosesBuffers;
import io.ecfs.sim.cluster.CrashScenario;
import io.ecfs.sim.cluster.CrashScenario.Cause;
import io.ecfs.sim.cluster.CrashScenario.Moment;
import io.ecfs.sim.cluster.CrashScenario.Victim;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Source, holder, target and leader die at every state of a repair and of a move, and others a second and a third time
 * in the middle of what that leads to: acknowledged bytes stay, redundancy comes back, and nothing is left over. The
 * state that is hit a second time is often of a chunk that was rebuilt before (HORRORS 24: HDDS-10681, HDDS-10682,
 * HDDS-10985). Every run takes each moment with each victim and the causes in turn, and of moves to readers each moment
 * with the victims in turn, where the new chunk is made with all of them;
 * {@code JAVA_TOOL_OPTIONS=-Decfs.sim.plots=5 ./ecfs test FaultMatrixTest} takes the whole matrix, five seeds of each.
 */
@LosesBuffers
class FaultMatrixTest {
    /** Moves to readers have a test of their own, with the victims that such a move has. */
    private static final List<Cause> CAUSES = List.of(Cause.DEATH, Cause.DRAIN, Cause.BALANCE);

    private static final List<Moment> MOMENTS = List.of(Moment.values());
    private static final List<Victim> VICTIMS = List.of(Victim.values());
    /** Those that take part in a move: the chunk is copied from its holder, others of the group are not asked. */
    private static final List<Victim> MOVING = List.of(Victim.HOLDER, Victim.TARGET, Victim.LEADER);

    /** Those at which the chunk is made at its target, and becomes the one that counts. */
    private static final Set<Moment> MAKING = EnumSet.of(Moment.CREATED, Moment.HALF_WRITTEN, Moment.COMMITTED);

    @ParameterizedTest
    @EnumSource
    void whoeverDiesAtWhateverMomentNothingIsLostAndNothingIsLeftOver(Moment moment) {
        Seeds.runAll(VICTIMS.stream()
                .flatMap(victim -> causes(moment, victim).map(cause -> new CrashScenario(cause, moment, victim)))
                .toList());
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsLostWhoeverDiesWhileChunksMoveToTheirReaders(Moment moment) {
        Stream<Victim> victims = MAKING.contains(moment) ? MOVING.stream() : inTurn(MOVING, MOMENTS.indexOf(moment));
        Seeds.runAll(victims.map(victim -> new CrashScenario(Cause.READS, moment, victim))
                .toList());
    }

    private static Stream<Cause> causes(Moment moment, Victim victim) {
        List<Cause> possible = CAUSES.stream()
                .filter(cause -> canBe(new CrashScenario(cause, moment, victim)))
                .toList();
        return inTurn(possible, MOMENTS.indexOf(moment) + VICTIMS.indexOf(victim));
    }

    /** All of them in the whole matrix, otherwise one. */
    private static <T> Stream<T> inTurn(List<T> all, int turn) {
        return Long.getLong("ecfs.sim.plots", 0) > 0 ? all.stream() : Stream.of(all.get(turn % all.size()));
    }

    /** The holder of a chunk that is rebuilt is dead already, or comes back only to lose it. */
    private static boolean canBe(CrashScenario plot) {
        return plot.cause() != Cause.DEATH
                || plot.victim() != Victim.HOLDER
                || plot.moment() == Moment.COMMITTED
                || plot.moment() == Moment.DELETED;
    }
}
