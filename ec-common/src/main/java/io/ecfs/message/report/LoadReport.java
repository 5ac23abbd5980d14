package io.ecfs.message.report;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.datanode.DatanodeLoad;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Distribution of the load over the datanodes, from the reports to one namenode.
 *
 * @param imbalance (max - avg) / avg x 100 of the bytes read a second (ec-store paper: lambda); 0 while nothing is read
 * @param sampledRequests in the window of access sets
 * @param sampledGroups different ones among them
 */
public record LoadReport(double imbalance, long sampledRequests, long sampledGroups, List<Datanode> datanodes) {
    public LoadReport {
        datanodes = List.copyOf(datanodes);
    }

    /**
     * @param load smoothed over the last reports; empty: no recent report
     * @param share of load, 1 is the mean (omega over its mean); 0 while it is not known
     * @param queued requests that wait for its volumes
     * @param chunks on its volumes
     */
    public record Datanode(DatanodeId id, Optional<DatanodeLoad> load, double share, long queued, long chunks) {
        public Datanode {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(load, "load");
        }
    }
}
