package io.ecfs.namenode.rpc;

import io.ecfs.message.Address;
import io.ecfs.message.AdminState;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.datanode.DatanodeReport.VolumeStatus;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.namenode.cluster.ClusterIdentity;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.health.HealthSurvey;
import io.ecfs.namenode.leader.Leader;
import io.ecfs.namenode.log.MetadataLog;
import io.ecfs.namenode.state.MetadataView;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reports on the cluster for operators, at the leader. Owner thread: the namenode's event thread. */
final class ClusterReporter {
    private final NamenodeContext context;
    private final ClusterView cluster;
    private final MetadataLog log;
    private final Map<String, Address> namenodes;

    ClusterReporter(NamenodeContext context, ClusterView cluster, MetadataLog log, Map<String, Address> namenodes) {
        this.context = context;
        this.cluster = cluster;
        this.log = log;
        this.namenodes = namenodes;
    }

    ClusterReport report(Leader leader) {
        HealthSurvey.Counts counts = leader.survey.counts();
        return new ClusterReport(
                clusterId(),
                leader.safeMode.on(),
                leader.safeMode.reason(),
                log.members().stream()
                        .filter(member -> namenodes.containsKey(member.id()))
                        .map(m -> new ClusterReport.Namenode(
                                m.id(), namenodes.get(m.id()), m.role(), m.term(), m.appliedIndex()))
                        .toList(),
                datanodes(leader),
                new ClusterReport.Groups(counts.healthy(), counts.degraded(), counts.lost(), counts.open()),
                Optional.of(leader.survey.degradedBySpare()),
                Optional.of(leader.others.levels()));
    }

    /**
     * Volumes of datanodes that are dead count as used and free no more, read-only ones and those of datanodes out of
     * service not as free.
     */
    NamespaceReply.Space space() {
        long capacity = 0;
        long used = 0;
        long free = 0;
        for (VolumeId volume : cluster.topology().volumes()) {
            VolumeStatus load = cluster.table().load(volume).orElse(null);
            if (load != null && load.state() != VolumeState.FAILED && cluster.healthyOwner(volume)) {
                capacity += load.capacityBytes();
                used += load.usedBytes();
                free += cluster.inService(volume) && load.state() != VolumeState.READ_ONLY ? load.freeBytes() : 0;
            }
        }
        return new NamespaceReply.Space(capacity, used, free);
    }

    /** The addresses of the namenodes, by id. */
    List<Address> namenodes() {
        return List.copyOf(namenodes.values());
    }

    String clusterId() {
        try (MetadataView view = context.facts().get()) {
            return view.identity().map(ClusterIdentity::clusterId).orElse("");
        }
    }

    private List<ClusterReport.Datanode> datanodes(Leader leader) {
        cluster.topology().refresh();
        try (MetadataView view = context.facts().get()) {
            return cluster.topology().datanodes().stream()
                    .map(facts -> datanode(view, leader, facts))
                    .toList();
        }
    }

    private ClusterReport.Datanode datanode(MetadataView view, Leader leader, DatanodeFacts facts) {
        List<ClusterReport.Volume> volumes =
                facts.volumes().values().stream().sorted().map(this::volume).toList();
        return new ClusterReport.Datanode(
                facts.datanode(),
                facts.address(),
                facts.rack(),
                cluster.state(facts.datanode()),
                facts.adminState(),
                facts.adminState().state() == AdminState.State.DECOMMISSIONING
                        ? leader.drains.of(view, facts)
                        : Optional.empty(),
                cluster.table().lastHeartbeatMillis(facts.datanode()),
                volumes);
    }

    /**
     * A volume without a load has no numbers: its datanode does not have it now or any more, or has not reported since
     * this namenode started.
     */
    private ClusterReport.Volume volume(VolumeId volume) {
        return cluster.table()
                .load(volume)
                .map(load -> new ClusterReport.Volume(
                        volume,
                        load.state(),
                        load.capacityBytes(),
                        load.usedBytes(),
                        load.freeBytes(),
                        load.chunks(),
                        load.unsyncedChunks(),
                        cluster.rings().reports().directory(volume)))
                .orElseGet(() -> new ClusterReport.Volume(
                        volume,
                        unreported(volume),
                        0,
                        0,
                        0,
                        0,
                        0,
                        cluster.rings().reports().directory(volume)));
    }

    private VolumeState unreported(VolumeId volume) {
        return cluster.topology()
                        .owner(volume)
                        .filter(owner -> cluster.table().reportedVolumes(owner.datanode()) && !cluster.away(volume))
                        .isPresent()
                ? VolumeState.FAILED
                : VolumeState.UNKNOWN;
    }
}
