package io.ecfs.plan.write;

/**
 * A master that sends each data cell on as it comes, so that only parity, and perhaps the last data cell, is left to
 * send when it has the stripe. Its own chunk is the first, so k - 1 data cells leave it:
 *
 * <pre>
 *   client's link   | d0 | d1 | d2 | d3 |
 *   master          .                   | managing, encoding |
 *   master's link             | d1 | d2 | d3 |               | p0 | p1 |
 *                                       |-- counted apart ---|-- distributing
 * </pre>
 *
 * While the last data cell leaves, the master may be through with its work (as drawn, it is not).
 *
 * @param shape of the write; of another side nothing is early
 * @param sendingNanos of the master's processor for all cells
 * @param wireNanos of its link for all cells
 * @param betweenNanos from the last data cell to the first parity cell
 */
record Forwarding(WriteShape shape, double sendingNanos, double wireNanos, double betweenNanos) {
    /** Of a write, by what the constants say. */
    static Forwarding of(WriteCost cost, double betweenNanos) {
        return new Forwarding(
                cost.shape(),
                cost.nanos(WritePart.DISTRIBUTING, CostTerm.MESSAGE, CostTerm.SENT_BYTE),
                cost.nanos(WritePart.DISTRIBUTING, CostTerm.WIRE, CostTerm.GIGABIT),
                betweenNanos);
    }

    /** Nanoseconds of distribution that are over when it begins to count. */
    double earlyNanos() {
        return sendingNanos * (1 - lateSending()) + earlyOnTheNetwork();
    }

    /** Of these, what the work of the master's processor on cells does not change. */
    double earlyOnTheNetwork() {
        if (nothingIsEarly()) {
            return 0;
        }
        double cell = wireNanos / shape.fanOut();
        return wireNanos - shape.parityChunks() * cell - (lastCellIsLate() ? cell - betweenNanos : 0);
    }

    /** The processor's work on cells that counts, of all of it. */
    double lateSending() {
        if (nothingIsEarly()) {
            return 1;
        }
        return (lastCellIsLate() ? 1.0 : shape.parityChunks()) / shape.fanOut();
    }

    /** Parity waits for the link behind the last data cell. */
    private boolean lastCellIsLate() {
        double sending = sendingNanos / shape.fanOut();
        double wire = wireNanos / shape.fanOut();
        return sending + wire > betweenNanos + shape.parityChunks() * sending;
    }

    private boolean nothingIsEarly() {
        return shape.side() == WriteSide.CLIENT || shape.dataChunks() == 1;
    }
}
