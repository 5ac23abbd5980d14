package io.ecfs.namenode.history;

/**
 * Bounds of the history. They are settings of the leader and travel in the log, so that every namenode drops the same.
 * @param events newest events
 * @param incidents newest incidents; one that is not healed is dropped after all that are
 * @param chunks traces of repaired chunks of one incident, the first ones; later ones are in its sums only
 */
public record HistoryBounds(int events, int incidents, int chunks) {
    public static final HistoryBounds DEFAULT = new HistoryBounds(100_000, 1_000, 10_000);

    private static final int MOST = 10_000_000;

    public HistoryBounds {
        if (events < 1 || incidents < 1 || chunks < 0 || events > MOST || incidents > MOST || chunks > MOST) {
            throw new IllegalArgumentException("history.events and history.incidents must be in [1, " + MOST
                    + "] and history.chunks in [0, " + MOST + "]: " + events + ", " + incidents + ", " + chunks);
        }
    }
}
