package io.ecfs.namenode.rpc;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.datanode.DatanodeReport.VolumeStatus;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import io.ecfs.message.report.HotGroups;
import io.ecfs.message.report.LoadReport;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.namenode.stats.AccessWindow;
import io.ecfs.namenode.stats.SiteLoads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reports on the distribution of load, for operators. Owner thread: the namenode's event thread. */
final class LoadReporter {
    private static final int MOST_EXAMINED = 500;
    private static final int MOST_READERS = 5;

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

    /**
     * Groups with a chunk on a datanode, in the order of how often they are read. Of all that were read only the first
     * {@link #MOST_EXAMINED} are examined.
     *
     * @throws EcfsException {@code NOT_FOUND} for no such datanode
     */
    HotGroups hotGroups(DatanodeId datanode, int limit) throws EcfsException {
        long now = context.nowMillis();
        AccessWindow window = cluster.statistics().window(now);
        List<HotGroups.Group> found = new ArrayList<>();
        try (MetadataView view = context.facts().get()) {
            Set<VolumeId> volumes = Set.copyOf(view.datanode(datanode)
                    .orElseThrow(() -> new EcfsException(ErrorCode.NOT_FOUND, "no datanode is called " + datanode))
                    .volumes()
                    .values());
            for (GroupId group : window.readMost(MOST_EXAMINED)) {
                if (found.size() < limit
                        && view.group(group).filter(facts -> on(facts, volumes)).isPresent()) {
                    found.add(new HotGroups.Group(group, window.frequency(group), readers(window, group)));
                }
            }
        }
        return new HotGroups(window.spanMillis(now), window.weight(), found);
    }

    private static boolean on(GroupFacts group, Set<VolumeId> volumes) {
        return group.places().stream().flatMap(place -> place.volume().stream()).anyMatch(volumes::contains);
    }

    private static List<HotGroups.Reader> readers(AccessWindow window, GroupId group) {
        return window.readers(group).entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .limit(MOST_READERS)
                .map(reader -> new HotGroups.Reader(reader.getKey(), reader.getValue()))
                .toList();
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
