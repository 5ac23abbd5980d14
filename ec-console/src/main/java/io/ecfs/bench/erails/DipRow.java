package io.ecfs.bench.erails;

import io.ecfs.bench.bed.erails.RateLog;
import java.time.Duration;
import java.util.Optional;

/** The line of a figure that tells how far reads fall around turns. */
final class DipRow {
    private static final double SECOND = 1e9;

    private DipRow() {}

    /**
     * The line.
     *
     * @param alone bytes a second of reads alone
     * @return empty when reads were over before the first turn
     */
    static Optional<FigureRow> of(RateLog.Dip dip, long objectBytes, double alone) {
        if (!dip.isKnown()) {
            return Optional.empty();
        }
        Duration over = dip.over();
        long usual = Math.round(alone / objectBytes * over.toNanos() / SECOND);
        return Optional.of(FigureRow.ratio(
                        "slowest " + over.toMillis() + " ms at turns, by reads alone", objectBytes * dip.rate() / alone)
                .with("over_ms", over.toMillis())
                .with("reads", usual)
                .note("of " + usual + " reads"));
    }
}
