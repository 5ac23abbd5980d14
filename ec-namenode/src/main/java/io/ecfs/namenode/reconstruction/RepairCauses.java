package io.ecfs.namenode.reconstruction;

import io.ecfs.layout.ChunkId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.message.report.IncidentCause.Kind;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.group.GroupFacts;
import java.util.Optional;

/**
 * Separates damage that calls for a repair from damage that may mend itself. Owner thread: the namenode's event thread.
 */
public record RepairCauses(NamenodeContext context, ClusterView cluster) {

    /**
     * The reason why a chunk must be rebuilt.
     * @param text for people
     * @param detectedMillis when the first sign was noticed, monotonic
     * @param sinceMillis when it became certain, monotonic
     */
    public record Found(IncidentCause cause, String text, long detectedMillis, long sinceMillis) {}

    /**
     * The reason why the chunk of an index must be rebuilt now; empty while it may still come back by itself.
     * @param sinceMillis when it was first noticed that the chunk is missing
     */
    public Optional<Found> of(GroupFacts group, int index, long sinceMillis) {
        Optional<VolumeId> placed = group.places().get(index).volume();
        long settledMillis =
                sinceMillis + context.settings().recovery().settle().toMillis();
        boolean settled = context.nowMillis() >= settledMillis;
        if (placed.isEmpty()) {
            return settled
                    ? Optional.of(new Found(
                            IncidentCause.absent(), "the group was sealed without it", sinceMillis, settledMillis))
                    : Optional.empty();
        }
        VolumeId volume = placed.get();
        DatanodeFacts owner = cluster.topology().owner(volume).orElse(null);
        if (owner == null) {
            return Optional.empty();
        }
        DatanodeId datanode = owner.datanode();
        DatanodeState state = cluster.state(datanode);
        if (state == DatanodeState.DEAD && owner.inMaintenance()) {
            return spares(group) ? Optional.empty() : Optional.of(resting(owner, sinceMillis));
        } else if (state == DatanodeState.DEAD) {
            IncidentCause dead = IncidentCause.dead(datanode);
            long deadMillis = deadMillis(owner);
            // What was lost with it was in doubt since it was suspected; a group may have been sealed later.
            long doubtMillis = sinceMillis <= deadMillis ? cluster.table().suspectedAtMillis(datanode) : sinceMillis;
            return Optional.of(new Found(dead, dead.text(), doubtMillis, deadMillis));
        } else if (state == DatanodeState.SUSPECTED && withoutGrace(group, owner)) {
            return Optional.of(new Found(
                    IncidentCause.dead(datanode),
                    "datanode " + datanode + " is suspected, and the group could not lose another chunk",
                    Math.max(sinceMillis, cluster.table().suspectedAtMillis(datanode)),
                    Math.max(sinceMillis, cluster.table().silentAtMillis(datanode))));
        } else if (state != DatanodeState.HEALTHY || cluster.away(volume)) {
            return Optional.empty();
        } else if (failed(volume)) {
            IncidentCause failed = IncidentCause.onVolume(Kind.VOLUME_FAILED, datanode, volume);
            return Optional.of(new Found(failed, failed.text(), sinceMillis, sinceMillis));
        } else if (!cluster.catalog().reported(volume)) {
            return Optional.empty();
        }
        ChunkId chunk = group.chunk(index);
        Optional<ChunkRecord> record = cluster.catalog().find(volume, chunk);
        if (record.filter(r -> r.state() == ChunkState.CORRUPT).isPresent()) {
            return Optional.of(new Found(
                    IncidentCause.onVolume(Kind.CHUNKS_CORRUPT, datanode, volume),
                    chunk + " is corrupt on volume " + volume,
                    sinceMillis,
                    sinceMillis));
        } else if (settled && record.filter(r -> group.isWhole(r)).isEmpty()) {
            return Optional.of(new Found(
                    IncidentCause.onVolume(Kind.CHUNKS_MISSING, datanode, volume),
                    chunk + (record.isEmpty() ? " is missing from volume " : " is not whole on volume ") + volume,
                    sinceMillis,
                    settledMillis));
        }
        return Optional.empty();
    }

    /**
     * Time at which a datanode became dead, monotonic: not before the end of the maintenance in which it was stopped.
     */
    public long deadMillis(DatanodeFacts datanode) {
        return Math.max(
                cluster.table().deadAtMillis(datanode.datanode()),
                context.monotonicOf(datanode.adminState().sinceMillis()));
    }

    /**
     * Returns whether a chunk of a suspected datanode is rebuilt before the grace has passed: what is left of the group
     * can be decoded, and could not any more after another loss. The silence decides, not an ended process: a datanode
     * that restarts is back before it. One that this namenode has not heard yet has the grace: after a power cut many
     * start at the same time, some of them slowly.
     */
    private boolean withoutGrace(GroupFacts group, DatanodeFacts owner) {
        return !context.settings().recovery().graceAlways()
                && !owner.inMaintenance()
                && cluster.table().reportedVolumes(owner.datanode())
                && context.nowMillis() >= cluster.table().silentAtMillis(owner.datanode())
                && group.policy().code().decodable(cluster.live(group))
                && !spares(group);
    }

    /** Returns whether what can be read of a group survives a further loss. */
    private boolean spares(GroupFacts group) {
        return group.policy().code().redundant(cluster.live(group));
    }

    private Found resting(DatanodeFacts datanode, long sinceMillis) {
        IncidentCause cause = IncidentCause.resting(datanode.datanode());
        long since = Math.max(sinceMillis, cluster.table().deadAtMillis(datanode.datanode()));
        return new Found(cause, cause.text(), sinceMillis, since);
    }

    /** The reason why a missing chunk need not be rebuilt yet, for people. */
    public String waitingFor(GroupFacts group, int index) {
        Optional<DatanodeFacts> owner = group.places()
                .get(index)
                .volume()
                .flatMap(volume -> cluster.topology().owner(volume));
        boolean silent = owner.isPresent() && cluster.state(owner.get().datanode()) != DatanodeState.HEALTHY;
        if (silent && owner.get().inMaintenance()) {
            long left = owner.get()
                    .adminState()
                    .untilMillis()
                    .map(until -> Math.max(0, until - context.epochMillis()))
                    .orElse(-1L);
            return "datanode " + owner.get().datanode() + " is in maintenance"
                    + (left < 0 ? " until it is recommissioned" : ", for another " + (left + 999) / 1000 + " s");
        } else if (silent) {
            DatanodeId datanode = owner.get().datanode();
            long left = Math.max(0, cluster.table().deadAtMillis(datanode) - context.nowMillis());
            return "datanode " + datanode + " is suspected; dead in " + (left + 999) / 1000 + " s unless it reports";
        }
        Optional<VolumeId> away = group.places().get(index).volume().filter(cluster::away);
        if (owner.isPresent() && away.isPresent()) {
            long left = Math.max(0, cluster.table().awayUntilMillis(away.get()) - context.nowMillis());
            return "volume " + away.get() + " of datanode " + owner.get().datanode() + " is away: is its drive mounted?"
                    + " Given up in " + (left + 999) / 1000 + " s";
        }
        return "it may only not be reported yet";
    }

    /** True when the volume's datanode reports it as failed, or has not reported it for longer than it may be away. */
    public boolean failed(VolumeId volume) {
        return cluster.topology()
                .owner(volume)
                .filter(owner -> !cluster.away(volume)
                        && cluster.table().reportedVolumes(owner.datanode())
                        && cluster.table()
                                .load(volume)
                                .filter(load -> load.state() != VolumeState.FAILED)
                                .isEmpty())
                .isPresent();
    }
}
