package io.ecfs.message;

import java.util.List;

/** What {@code ecfs admin report} shows. */
public record ClusterReport(
        String clusterId,
        boolean safeMode,
        String safeModeReason,
        List<Namenode> namenodes,
        List<Datanode> datanodes,
        Groups groups) {
    public ClusterReport {
        namenodes = List.copyOf(namenodes);
        datanodes = List.copyOf(datanodes);
    }

    /** @param appliedIndex last log entry that this namenode is known to have applied; -1 when it is not heard from */
    public record Namenode(String id, Address address, Role role, long term, long appliedIndex) {}

    public enum Role {
        LEADER,
        FOLLOWER,
        CANDIDATE,
        UNREACHABLE
    }

    /** @param lastHeartbeatMillis milliseconds since the epoch; 0 when never heard by this leader */
    public record Datanode(
            DatanodeId id,
            Address address,
            String rack,
            DatanodeState state,
            long lastHeartbeatMillis,
            List<Volume> volumes) {
        public Datanode {
            volumes = List.copyOf(volumes);
        }
    }

    public enum DatanodeState {
        HEALTHY,
        SUSPECTED,
        DEAD
    }

    public record Volume(
            VolumeId id, VolumeState state, long capacityBytes, long usedBytes, long freeBytes, long chunks) {}

    /**
     * @param healthy groups with all n chunks live
     * @param degraded with at least k
     * @param lost with fewer than k
     * @param open being written; counted in none of the others
     */
    public record Groups(long healthy, long degraded, long lost, long open) {}
}
