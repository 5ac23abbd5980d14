package io.ecfs.message.report;

import io.ecfs.message.Address;
import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Content of {@code ecfs admin report}.
 *
 * @param degradedBySpare number of degraded groups that surely survive no further loss, one, two …; earlier versions do
 *     not report it
 * @param levels feature levels; earlier versions do not report them
 */
public record ClusterReport(
        String clusterId,
        boolean safeMode,
        String safeModeReason,
        List<Namenode> namenodes,
        List<Datanode> datanodes,
        Groups groups,
        Optional<List<Long>> degradedBySpare,
        Optional<Levels> levels) {
    /** Without levels. */
    public ClusterReport(
            String clusterId,
            boolean safeMode,
            String safeModeReason,
            List<Namenode> namenodes,
            List<Datanode> datanodes,
            Groups groups,
            Optional<List<Long>> degradedBySpare) {
        this(clusterId, safeMode, safeModeReason, namenodes, datanodes, groups, degradedBySpare, Optional.empty());
    }

    public ClusterReport {
        degradedBySpare = degradedBySpare.map(List::copyOf);
        namenodes = List.copyOf(namenodes);
        datanodes = List.copyOf(datanodes);
        Objects.requireNonNull(levels, "levels");
    }

    /** The namenode that says that it leads; after a failover two may for a moment, and the first is taken. */
    public Optional<Namenode> leader() {
        return namenodes.stream()
                .filter(namenode -> namenode.role() == Role.LEADER)
                .findFirst();
    }

    /**
     * @param inForce level that log and state may use
     * @param releases highest level that each namenode's release reads, by its id, as far as it is known
     */
    public record Levels(int inForce, Map<String, Integer> releases) {
        public Levels {
            releases = Collections.unmodifiableMap(new TreeMap<>(releases));
        }
    }

    /** @param appliedIndex last log entry that this namenode is known to have applied; -1 when it does not answer */
    public record Namenode(String id, Address address, Role role, long term, long appliedIndex) {}

    public enum Role {
        LEADER,
        FOLLOWER,
        CANDIDATE,
        UNREACHABLE
    }

    /**
     * @param duty its administrative state
     * @param drain progress of its decommissioning; empty in other states
     * @param lastHeartbeatMillis milliseconds since the epoch; 0 when this leader received none
     */
    public record Datanode(
            DatanodeId id,
            Address address,
            String rack,
            DatanodeState state,
            AdminState duty,
            Optional<Drain> drain,
            long lastHeartbeatMillis,
            List<Volume> volumes) {
        public Datanode {
            Objects.requireNonNull(duty, "duty");
            Objects.requireNonNull(drain, "drain");
            volumes = List.copyOf(volumes);
        }

        /** Chunks on it that are closed and not known to be on disk yet, as of its last heartbeat. */
        public long unsyncedChunks() {
            return volumes.stream().mapToLong(Volume::unsyncedChunks).sum();
        }
    }

    /**
     * Progress of the decommissioning of a datanode.
     *
     * @param chunksLeft that the facts still place on it
     * @param bytesLeft of those in sealed groups
     * @param chunksMoved since it began
     * @param bytesMoved since it began
     * @param etaSeconds until nothing is left, at the recent rate; empty while nothing moves or something waits
     * @param waiting why chunks are not moved, or moved ones not deleted; empty when nothing is stuck
     */
    public record Drain(
            long chunksLeft,
            long bytesLeft,
            long chunksMoved,
            long bytesMoved,
            Optional<Long> etaSeconds,
            Optional<String> waiting) {
        public Drain {
            Objects.requireNonNull(etaSeconds, "etaSeconds");
            Objects.requireNonNull(waiting, "waiting");
        }
    }

    public enum DatanodeState {
        HEALTHY,
        SUSPECTED,
        DEAD
    }

    /**
     * @param unsyncedChunks closed and not known to be on disk yet, as of the last heartbeat
     * @param directory by which operators call it; empty while the leader does not know it
     */
    public record Volume(
            VolumeId id,
            VolumeState state,
            long capacityBytes,
            long usedBytes,
            long freeBytes,
            long chunks,
            long unsyncedChunks,
            Optional<String> directory) {
        /** Without its directory. */
        public Volume(
                VolumeId id,
                VolumeState state,
                long capacityBytes,
                long usedBytes,
                long freeBytes,
                long chunks,
                long unsyncedChunks) {
            this(id, state, capacityBytes, usedBytes, freeBytes, chunks, unsyncedChunks, Optional.empty());
        }

        public Volume {
            Objects.requireNonNull(directory, "directory");
        }
    }

    /**
     * @param healthy groups with all n chunks live
     * @param degraded with at least k
     * @param lost with fewer than k
     * @param open being written; counted in none of the others
     */
    public record Groups(long healthy, long degraded, long lost, long open) {}
}
