package io.ecfs.datanode.store;

/**
 * How long visits of a volume took, added up.
 *
 * @param visits that began
 * @param waitedNanos until it was their turn
 * @param served of them, those whose first piece is done
 * @param servedNanos that these first pieces ran
 */
public record VisitTimes(long visits, long waitedNanos, long served, long servedNanos) {
    public static final VisitTimes NONE = new VisitTimes(0, 0, 0, 0);

    /** Of one visit, which begins. */
    public static VisitTimes waited(long nanos) {
        return new VisitTimes(1, nanos, 0, 0);
    }

    /** Of one visit, whose first piece is done. */
    static VisitTimes served(long nanos) {
        return new VisitTimes(0, 0, 1, nanos);
    }

    public VisitTimes and(VisitTimes others) {
        return new VisitTimes(
                visits + others.visits,
                waitedNanos + others.waitedNanos,
                served + others.served,
                servedNanos + others.servedNanos);
    }

    /** On average; 0 when there were none. */
    public long meanWaitNanos() {
        return visits == 0 ? 0 : waitedNanos / visits;
    }

    /** Of a first piece, on average; 0 when there were none. */
    public long meanServiceNanos() {
        return served == 0 ? 0 : servedNanos / served;
    }
}
