package io.ecfs.message;

import java.util.Objects;
import java.util.Optional;

/**
 * Administrative state of a datanode, as an operator set it; a fact of the log, independent of what the datanode does
 * (HDFS: DatanodeInfo.AdminStates).
 *
 * <pre>
 *   IN_SERVICE      --decommission--&gt; DECOMMISSIONING --nothing is placed on it--&gt; DECOMMISSIONED
 *   IN_SERVICE      --maintenance--&gt; IN_MAINTENANCE --decommission--&gt; DECOMMISSIONING
 *   DECOMMISSIONED  --a chunk was placed on it after all--&gt; DECOMMISSIONING
 *   any other       --recommission, or the time of maintenance is over--&gt; IN_SERVICE
 * </pre>
 *
 * @param sinceMillis when it entered this state, milliseconds since the epoch; 0: it never had another
 * @param untilMillis when maintenance ends by itself; empty in other states, and for maintenance without an end
 */
public record AdminState(State state, long sinceMillis, Optional<Long> untilMillis) {
    /** The names are part of the formats of log and state. */
    public enum State {
        /** It gets new chunks and serves those it has. */
        IN_SERVICE,
        /** It gets no new chunks; those it has are moved to others. */
        DECOMMISSIONING,
        /** The facts place nothing on it: it may be removed. */
        DECOMMISSIONED,
        /**
         * It gets no new chunks; those it has are not replaced while it is stopped, and are read last while it runs.
         */
        IN_MAINTENANCE;

        public boolean leaving() {
            return this == DECOMMISSIONING || this == DECOMMISSIONED;
        }
    }

    /** State of a datanode without an explicit one. */
    public static final AdminState USUAL = new AdminState(State.IN_SERVICE, 0, Optional.empty());

    public AdminState {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(untilMillis, "untilMillis");
        if (untilMillis.isPresent() && state != State.IN_MAINTENANCE) {
            throw new IllegalArgumentException("only maintenance has an end, got " + state + " until " + untilMillis);
        }
    }
}
