package io.ecfs.namenode.rpc;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.namespace.NamespaceRequest.SumGroups;
import io.ecfs.message.report.GroupSums;
import io.ecfs.message.report.GroupSums.Sum;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.health.HealthSurvey;
import io.ecfs.namenode.state.MetadataView;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What sealed groups hold and what datanodes told to keep for them, a page of groups at a time. Owner thread: the
 * namenode's event thread.
 */
final class PolicySums {
    private final ClusterView cluster;
    private final TreeMap<String, Sum> byPolicy = new TreeMap<>();
    private int looked;
    private long last;

    private PolicySums(ClusterView cluster) {
        this.cluster = cluster;
    }

    /** @throws EcfsException {@code SAFE_MODE} while too little was reported */
    static GroupSums page(NamenodeContext context, ClusterView cluster, HealthSurvey survey, SumGroups request)
            throws EcfsException {
        survey.requireFirstPass();
        PolicySums sums = new PolicySums(cluster);
        try (MetadataView view = context.facts().get()) {
            view.groups(new GroupId(request.after() + 1), group -> {
                sums.add(group);
                return sums.looked < request.limit();
            });
        }
        return new GroupSums(sums.byPolicy.values().stream().toList(), sums.looked < request.limit() ? 0 : sums.last);
    }

    private void add(GroupFacts group) {
        looked++;
        last = group.group().value();
        if (group.open()) {
            return;
        }
        Policy policy = group.policy();
        long chunks = 0;
        long stored = 0;
        for (ChunkOnVolume chunk : group.stored()) {
            Optional<ChunkRecord> record = cluster.catalog().find(chunk.volume(), chunk.chunk());
            chunks += record.isPresent() ? 1 : 0;
            stored += record.map(ChunkRecord::bytes).orElse(0L);
        }
        byPolicy.merge(policy.name(), new Sum(policy, 1, group.length(), chunks, stored), Sum::plus);
    }
}
