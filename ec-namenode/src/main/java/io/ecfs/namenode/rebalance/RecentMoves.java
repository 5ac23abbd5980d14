package io.ecfs.namenode.rebalance;

import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.HistoryEvent;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.state.MetadataView;
import java.util.ArrayDeque;
import java.util.List;

/**
 * Moves of earlier leaders within the hour, read from the history, so that a new leader does not move a chunk back.
 * Reads backwards, a page at a time, so that the event thread is never blocked. Owner thread: the namenode's event
 * thread.
 */
final class RecentMoves {
    private static final int PAGE = 500;

    /** More than an hour of moves at the fastest usual pace, among other events. */
    private static final int MOST_PAGES = 100;

    private final NamenodeContext context;
    private final ArrayDeque<HistoryEvent> moves = new ArrayDeque<>();
    private long before;
    private int pages;
    private boolean known;

    RecentMoves(NamenodeContext context) {
        this.context = context;
    }

    /**
     * Reads the next page.
     * @return whether the mover knows them all
     */
    boolean tell(MetadataView view, Mover mover) {
        if (!known && read(view)) {
            known = true;
            for (HistoryEvent event : moves) {
                ClusterEvent.ChunkMoved moved = (ClusterEvent.ChunkMoved) event.event();
                mover.earlier(moved.chunk().group(), moved.chunk().index(), moved.from(), at(event));
            }
            moves.clear();
        }
        return known;
    }

    /** @return whether that was the last page */
    private boolean read(MetadataView view) {
        before = pages++ == 0 ? view.count(Counter.LAST_EVENT) + 1 : before;
        long first = Math.max(before - PAGE, view.count(Counter.FORGOTTEN_EVENT) + 1);
        if (first >= before) {
            return true;
        }
        List<HistoryEvent> page = view.events(first - 1, (int) (before - first));
        before = first;
        for (int i = page.size() - 1; i >= 0; i--) {
            HistoryEvent event = page.get(i);
            if (context.passed(MoveMemory.BACK, at(event))) {
                return true;
            }
            if (event.event() instanceof ClusterEvent.ChunkMoved) {
                moves.addFirst(event);
            }
        }
        return pages == MOST_PAGES;
    }

    /** Converts a time by the clock of another machine, which may be ahead. */
    private long at(HistoryEvent event) {
        return Math.min(context.nowMillis(), context.monotonicOf(event.atMillis()));
    }
}
