package io.ecfs.message.report;

import java.util.Objects;
import java.util.Optional;

/**
 * A loss of chunks and its repair, summed up. The times divide it as the ECFault study does: up to
 * {@code firstRepairMillis} the system only checks, then it repairs.
 *
 * @param id grows with every incident, from 1
 * @param detectedMillis when the first sign was noticed, milliseconds since the epoch like all others
 * @param deadMillis when it was certain and chunks could be rebuilt
 * @param firstRepairMillis when the first target began to read sources
 * @param healedMillis when no chunk was lost by it any more
 * @param bytesRead of sources, also by attempts that failed
 * @param bytesRepaired of chunks that took their places
 * @param attempts to rebuild a chunk that were begun
 * @param repaired chunks that took their places
 * @param failed attempts
 * @param traces of chunks, as many as are retained: later ones are in the sums only
 * @param causeGone the datanode sent heartbeats again, the volume works
 */
public record Incident(
        long id,
        IncidentCause cause,
        long detectedMillis,
        long deadMillis,
        Optional<Long> firstRepairMillis,
        Optional<Long> healedMillis,
        long bytesRead,
        long bytesRepaired,
        long attempts,
        long repaired,
        long failed,
        long traces,
        boolean causeGone) {
    public Incident {
        Objects.requireNonNull(cause, "cause");
        Objects.requireNonNull(firstRepairMillis, "firstRepairMillis");
        Objects.requireNonNull(healedMillis, "healedMillis");
    }

    /** An incident at its beginning. */
    public static Incident opened(long id, IncidentCause cause, long detectedMillis, long deadMillis) {
        return new Incident(
                id,
                cause,
                detectedMillis,
                deadMillis,
                Optional.empty(),
                Optional.empty(),
                0,
                0,
                0,
                0,
                0,
                0,
                !cause.lasting());
    }

    /** Time from when it was certain until the first byte of a repair was read; empty while none was. */
    public Optional<Long> checkingMillis() {
        return firstRepairMillis.map(first -> Math.max(0, first - deadMillis));
    }

    /** Time from the first byte read until all was healed; empty before that, and when nothing had to be rebuilt. */
    public Optional<Long> repairMillis() {
        return healedMillis.flatMap(healed -> firstRepairMillis.map(first -> Math.max(0, healed - first)));
    }
}
