package io.ecfs.namenode.reconstruction;

import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.reconstruction.RepairSources.Copying;
import io.ecfs.namenode.state.MetadataView;

/**
 * Rules of lost chunks: computed from the others of their group, on any target that works, until the chunk comes
 * back. Owner thread: the namenode's event thread.
 */
final class LossPolicy implements ReconstructionPolicy {
    private final NamenodeContext context;
    private final ClusterView cluster;
    private final RepairDelays delays;

    LossPolicy(NamenodeContext context, ClusterView cluster) {
        this.context = context;
        this.cluster = cluster;
        this.delays = new RepairDelays(context);
    }

    @Override
    public RepairDelays delays() {
        return delays;
    }

    @Override
    public int perDatanode(MetadataView view) {
        return context.throttles(view).perDatanode();
    }

    @Override
    public boolean requiresTargetInService() {
        return false;
    }

    @Override
    public Verdict judge(ChunkRepair attempt, GroupFacts group) {
        return cluster.live(group, attempt.index)
                ? new Verdict.Fail("no longer needed: the chunk came back")
                : new Verdict.Continue();
    }

    @Override
    public Copying copying(ChunkRepair attempt) {
        return Copying.NEVER;
    }

    @Override
    public void begun(ChunkRepair attempt, GroupFacts group) {}

    @Override
    public void committed(ChunkRepair attempt, GroupFacts group) {
        delays.repaired(attempt.group);
    }

    @Override
    public void ended(ChunkRepair attempt, Verdict.End end) {
        delays.ended(attempt.group, end);
    }
}
