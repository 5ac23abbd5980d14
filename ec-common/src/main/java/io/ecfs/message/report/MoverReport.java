package io.ecfs.message.report;

import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * State of the leader's chunk mover, which moves chunks to where reads of them cost less.
 *
 * @param on whether it is enabled by the configuration
 * @param paused an operator has paused it
 * @param waiting why nothing moves now; empty while something does
 * @param moving chunks under way
 * @param chunksMoved by this leader
 * @param bytesMoved by this leader
 * @param moves of late, in the order of their numbers
 * @param plan what would be moved next, best first, when that was asked
 */
public record MoverReport(
        boolean on,
        boolean paused,
        Optional<String> waiting,
        int moving,
        long chunksMoved,
        long bytesMoved,
        List<Move> moves,
        List<Move> plan) {
    public MoverReport {
        Objects.requireNonNull(waiting, "waiting");
        moves = List.copyOf(moves);
        plan = List.copyOf(plan);
    }

    /** Progress of a move. */
    public enum State {
        PLANNED,
        UNDER_WAY,
        MOVED,
        FAILED
    }

    /**
     * A chunk that changes its datanode. Gains are those of the ec-store paper (equations 5 to 8).
     *
     * @param number grows with each change of a move's state: a move appears under its latest one only
     * @param atMillis of that change, since the epoch
     * @param predictedGain Delta, when it was chosen
     * @param accessGain E
     * @param balanceGain I
     * @param realisedGain Delta by what was known a minute after; empty before
     */
    public record Move(
            long number,
            long atMillis,
            State state,
            GroupId group,
            int index,
            DatanodeId from,
            DatanodeId to,
            long bytes,
            double predictedGain,
            double accessGain,
            double balanceGain,
            Optional<Double> realisedGain) {
        public Move {
            Objects.requireNonNull(state, "state");
            Objects.requireNonNull(group, "group");
            Objects.requireNonNull(from, "from");
            Objects.requireNonNull(to, "to");
            Objects.requireNonNull(realisedGain, "realisedGain");
        }
    }
}
