package io.ecfs.namenode.placement;

import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/** A datanode as a candidate for placement, usable or not. */
public record PlacementCandidate(
        DatanodeId datanode, String rack, DatanodeState state, AdminState.State adminState, List<Volume> volumes) {
    public PlacementCandidate {
        Objects.requireNonNull(datanode, "datanode");
        Objects.requireNonNull(rack, "rack");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(adminState, "adminState");
        volumes = List.copyOf(volumes);
    }

    /** The same with those of its volumes that may be chosen. */
    public PlacementCandidate only(Predicate<VolumeId> may) {
        return new PlacementCandidate(
                datanode,
                rack,
                state,
                adminState,
                volumes.stream().filter(volume -> may.test(volume.volume())).toList());
    }

    /**
     * @param freeBytes that the datanode reported last
     * @param queued requests that wait for it, and chunks placed on it since
     */
    public record Volume(VolumeId volume, VolumeState state, long freeBytes, int queued) {
        public Volume {
            Objects.requireNonNull(volume, "volume");
            Objects.requireNonNull(state, "state");
            if (queued < 0) {
                throw new IllegalArgumentException("queue of " + volume + " is negative: " + queued);
            }
        }
    }
}
