package io.ecfs.namenode.rebalance;

import io.ecfs.message.report.MoverReport.Move;
import io.ecfs.message.report.MoverReport.State;
import io.ecfs.namenode.context.NamenodeContext;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Recent moves for operators, each under the number of its latest change. Numbers begin with the term of this leader,
 * so that those of the next one are larger and a poll for changes after one number misses none. Bounded. Owner thread:
 * the namenode's event thread.
 */
final class MoveLog {
    private static final int MOST = 1_000;

    /** More changes than a term has; two million terms fit what JavaScript counts exactly. */
    private static final int TERM_SHIFT = 32;

    private final NamenodeContext context;
    private final TreeMap<Long, Move> moves = new TreeMap<>();
    private long last;

    MoveLog(long term, NamenodeContext context) {
        this.context = context;
        this.last = term << TERM_SHIFT;
    }

    /** @return the number of the change */
    long note(long before, Relocation move, State state, Optional<Double> realised) {
        moves.remove(before);
        moves.put(++last, entry(last, move, state, realised));
        while (moves.size() > MOST) {
            moves.pollFirstEntry();
        }
        return last;
    }

    Move entry(long number, Relocation move, State state, Optional<Double> realised) {
        return new Move(
                number,
                context.epochMillis(),
                state,
                move.group(),
                move.index(),
                move.from(),
                move.to(),
                move.bytes(),
                move.gain(),
                move.access(),
                move.balance(),
                realised);
    }

    List<Move> after(long number, int limit) {
        return moves.tailMap(number, false).values().stream().limit(limit).toList();
    }
}
