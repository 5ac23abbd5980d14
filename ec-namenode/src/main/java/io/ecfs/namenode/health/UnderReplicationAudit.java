package io.ecfs.namenode.health;

import java.util.Objects;
import java.util.Optional;

/**
 * Comparison of the index of damage with a recount of all facts and reports.
 * @param settled no change waited to be noted, so that the two must agree; otherwise they were not compared
 * @param difference found by the recount
 */
public record UnderReplicationAudit(boolean settled, Optional<String> difference) {
    static final UnderReplicationAudit UNSETTLED = new UnderReplicationAudit(false, Optional.empty());

    public UnderReplicationAudit {
        Objects.requireNonNull(difference, "difference");
    }
}
