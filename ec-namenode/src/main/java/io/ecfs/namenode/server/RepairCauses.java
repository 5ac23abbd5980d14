package io.ecfs.namenode.server;

import io.ecfs.layout.ChunkId;
import io.ecfs.message.ChunkRecord;
import io.ecfs.message.ChunkState;
import io.ecfs.message.ClusterReport.DatanodeState;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.group.GroupFacts;
import java.util.Optional;

/** Tells damage that calls for a repair from damage that may mend itself. Owner thread: the namenode's event thread. */
record RepairCauses(Surroundings around) {

    /**
     * Why the chunk of an index must be rebuilt now, for people; empty while it may still come back by itself.
     *
     * @param sinceMillis when it was first noticed that the chunk is not there
     */
    Optional<String> of(GroupFacts group, int index, long sinceMillis) {
        Optional<VolumeId> placed = group.places().get(index).volume();
        boolean settled = around.passed(around.settings().recovery().settle(), sinceMillis);
        if (placed.isEmpty()) {
            return settled ? Optional.of("the group was sealed without it") : Optional.empty();
        }
        VolumeId volume = placed.get();
        DatanodeFacts owner = around.topology().owner(volume).orElse(null);
        if (owner == null) {
            return Optional.empty();
        }
        DatanodeState state = around.state(owner.datanode());
        if (state == DatanodeState.DEAD) {
            return Optional.of("datanode " + owner.datanode() + " is dead");
        } else if (state != DatanodeState.HEALTHY) {
            return Optional.empty();
        } else if (failed(volume)) {
            return Optional.of("volume " + volume + " of " + owner.datanode() + " failed");
        }
        return around.catalog().reported(volume)
                ? onServingVolume(group, group.chunk(index), volume, settled)
                : Optional.empty();
    }

    private Optional<String> onServingVolume(GroupFacts group, ChunkId chunk, VolumeId volume, boolean settled) {
        Optional<ChunkRecord> record = around.catalog().find(volume, chunk);
        if (record.isEmpty()) {
            return settled ? Optional.of(chunk + " is missing from volume " + volume) : Optional.empty();
        } else if (record.get().state() == ChunkState.CORRUPT) {
            return Optional.of(chunk + " is corrupt on volume " + volume);
        }
        return settled && !Surroundings.whole(group, record.get())
                ? Optional.of(chunk + " is not whole on volume " + volume)
                : Optional.empty();
    }

    /** True when the volume's datanode says that it failed, or no longer speaks of it. */
    boolean failed(VolumeId volume) {
        return around.topology()
                .owner(volume)
                .filter(owner -> around.table().toldVolumes(owner.datanode())
                        && around.table()
                                .load(volume)
                                .filter(load -> load.state() != VolumeState.FAILED)
                                .isEmpty())
                .isPresent();
    }
}
