package io.ecfs.message.report;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.datanode.RelayLoad;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Writes of all clients, as they reported them, and the datanodes that encode for them.
 *
 * @param sinceMillis when the namenode began to add them up, since the epoch
 * @param shares one for each policy and side
 * @param fallbacks by reason; empty: the namenode is of a release that does not count them
 * @param masters the datanodes that reported their relays lately; empty as above
 */
public record WriteReport(
        long sinceMillis,
        List<WriteShare> shares,
        Optional<List<RelayFallbacks>> fallbacks,
        Optional<List<Master>> masters) {
    public WriteReport {
        shares = List.copyOf(shares);
        fallbacks = fallbacks.map(List::copyOf);
        masters = masters.map(List::copyOf);
    }

    /** A datanode, and what it relays. */
    public record Master(DatanodeId datanode, RelayLoad load) {
        public Master {
            Objects.requireNonNull(datanode, "datanode");
            Objects.requireNonNull(load, "load");
        }
    }
}
