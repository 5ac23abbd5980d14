package io.ecfs.plan.write;

/**
 * What the end of one stripe's distribution waited for, through a master that forwards by cell: which cell, and the
 * sends and cells on its link behind that. The master keeps the first data cell. One thread sends the others in their
 * order, each as soon as it is there, and they pass the master's link one after the other. Time 0 is the arrival of the
 * last data cell.
 *
 * <pre>
 *   data cell i   comes at -(k - i) cells of the client's link --send--&gt; link --&gt; its slave
 *   parity        is there when the master has managed and encoded ----send--&gt; link --&gt; its slave
 * </pre>
 *
 * @param beginNanos when the cell was there
 * @param sends by the master's processor behind that
 * @param cells on the master's link behind that
 */
record ForwardingPath(double beginNanos, int sends, int cells) {
    /**
     * Nanoseconds of one stripe.
     *
     * @param arriving of a cell on the client's link
     * @param working from the last data cell to the first parity cell: master process and parity calculation
     * @param sending of a cell, by the processor
     * @param leaving of a cell on the master's link
     */
    record Times(double arriving, double working, double sending, double leaving) {}

    /** The path of the cell that leaves the master last. */
    static ForwardingPath of(int dataChunks, int parityChunks, Times times) {
        ForwardingPath thread = new ForwardingPath(Double.NEGATIVE_INFINITY, 0, 0);
        ForwardingPath link = thread;
        for (int cell = 2; cell <= dataChunks + parityChunks; cell++) {
            double ready = cell <= dataChunks ? -(dataChunks - cell) * times.arriving : times.working;
            thread = later(new ForwardingPath(ready, 0, 0), thread, times).sent();
            link = later(thread, link, times).onLink();
        }
        return link;
    }

    /** When the last byte of the last cell has left; negative infinity when the master keeps the only one. */
    double endNanos(Times times) {
        return beginNanos + sends * times.sending + cells * times.leaving;
    }

    private static ForwardingPath later(ForwardingPath one, ForwardingPath other, Times times) {
        return one.endNanos(times) >= other.endNanos(times) ? one : other;
    }

    private ForwardingPath sent() {
        return new ForwardingPath(beginNanos, sends + 1, cells);
    }

    private ForwardingPath onLink() {
        return new ForwardingPath(beginNanos, sends, cells + 1);
    }
}
