package io.ecfs.namenode.health;

import java.util.Objects;
import java.util.Optional;

/**
 * The ledger of damage beside a recount of all facts and reports.
 *
 * @param settled nothing waited to be noted, so that the two must agree; otherwise they were not compared
 * @param difference what the recount finds otherwise
 */
public record LedgerAudit(boolean settled, Optional<String> difference) {
    static final LedgerAudit UNSETTLED = new LedgerAudit(false, Optional.empty());

    public LedgerAudit {
        Objects.requireNonNull(difference, "difference");
    }
}
