package io.ecfs.namenode.rpc;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.datanode.DatanodeReport.VolumeStatus;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import io.ecfs.message.report.LoadReport;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.stats.AccessWindow;
import io.ecfs.namenode.stats.SiteLoads;
import java.util.List;

/** How the load is spread, for operators. Owner thread: the namenode's event thread. */
final class LoadReporter {
    private final NamenodeContext context;
    private final ClusterView cluster;

    LoadReporter(NamenodeContext context, ClusterView cluster) {
        this.context = context;
        this.cluster = cluster;
    }

    /** Datanodes that are dead are left out. */
    LoadReport report() {
        List<DatanodeFacts> datanodes = cluster.topology().datanodes().stream()
                .filter(facts -> cluster.state(facts.datanode()) != DatanodeState.DEAD)
                .toList();
        SiteLoads loads = cluster.siteLoads();
        AccessWindow window = cluster.statistics().window(context.nowMillis());
        return new LoadReport(
                loads.imbalance(),
                window.requests(),
                window.groups(),
                datanodes.stream().map(facts -> datanode(facts, loads)).toList());
    }

    private LoadReport.Datanode datanode(DatanodeFacts facts, SiteLoads loads) {
        DatanodeId id = facts.datanode();
        List<VolumeStatus> volumes = facts.volumes().values().stream()
                .flatMap(volume -> cluster.table().load(volume).stream())
                .toList();
        return new LoadReport.Datanode(
                id,
                cluster.statistics().loads().load(id, context.nowMillis()),
                loads.share(id).orElse(0.0),
                volumes.stream().mapToLong(VolumeStatus::queued).sum(),
                volumes.stream().mapToLong(VolumeStatus::chunks).sum());
    }
}
