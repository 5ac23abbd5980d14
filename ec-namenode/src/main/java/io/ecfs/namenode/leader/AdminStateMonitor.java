package io.ecfs.namenode.leader;

import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.Proposer;
import io.ecfs.namenode.deletion.OrphanService;
import io.ecfs.namenode.state.MetadataView;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends, on the leader, what an operator began: a datanode on which nothing is left is decommissioned, maintenance whose
 * time is over is none. The log decides: it refuses what its facts do not bear out. Owner thread: the namenode's event
 * thread.
 */
final class AdminStateMonitor {
    private static final Logger LOG = LoggerFactory.getLogger(AdminStateMonitor.class);

    private final NamenodeContext context;

    private final ClusterView cluster;
    private final Proposer proposer;
    private final Predicate<DatanodeId> target;
    private final BiPredicate<MetadataView, VolumeId> replacedChunks;
    private final TreeSet<DatanodeId> underWay = new TreeSet<>();
    /** Those that nothing is placed on any more, and that still have old chunks. */
    private final TreeSet<DatanodeId> withOldChunks = new TreeSet<>();

    /**
     * @param target whether a chunk is being rebuilt on a datanode: it is about to be placed there
     * @param replacedChunks whether a volume still has some, see {@link OrphanService#replacedChunks}
     */
    AdminStateMonitor(
            NamenodeContext context,
            ClusterView cluster,
            Proposer proposer,
            Predicate<DatanodeId> target,
            BiPredicate<MetadataView, VolumeId> replacedChunks) {
        this.context = context;
        this.cluster = cluster;
        this.proposer = proposer;
        this.target = target;
        this.replacedChunks = replacedChunks;
    }

    void tick() {
        try (MetadataView view = context.facts().get()) {
            for (DatanodeFacts facts : List.copyOf(cluster.topology().datanodes())) {
                look(view, facts);
            }
        }
    }

    /** What keeps a datanode that nothing is placed on from being decommissioned. */
    Optional<String> waiting(DatanodeId datanode) {
        return withOldChunks.contains(datanode)
                ? Optional.of("chunks that moved away are not compared with those that stand in for them yet, or not"
                        + " deleted: 'ecfs admin timeline' names those that differ")
                : Optional.empty();
    }

    private void look(MetadataView view, DatanodeFacts facts) {
        AdminState adminState = facts.adminState();
        withOldChunks.remove(facts.datanode());
        switch (adminState.state()) {
            case DECOMMISSIONING -> {
                if (target.test(facts.datanode()) || !empty(view, facts)) {
                    return;
                } else if (deleted(view, facts)) {
                    propose(facts, AdminState.State.DECOMMISSIONED, "nothing is left on it");
                } else {
                    withOldChunks.add(facts.datanode());
                }
            }
            case DECOMMISSIONED -> {
                if (!empty(view, facts)) {
                    propose(facts, AdminState.State.DECOMMISSIONING, "a chunk was placed on it after all");
                }
            }
            case IN_MAINTENANCE -> {
                if (adminState
                        .untilMillis()
                        .filter(until -> until <= context.epochMillis())
                        .isPresent()) {
                    propose(facts, AdminState.State.IN_SERVICE, "the time of its maintenance is over");
                }
            }
            case IN_SERVICE -> {}
        }
    }

    /** Returns whether the facts place nothing on it, nor in a group that is being written. */
    private static boolean empty(MetadataView view, DatanodeFacts facts) {
        return facts.volumes().values().stream()
                .allMatch(volume -> view.chunksOn(volume, Optional.empty(), 1).isEmpty());
    }

    /**
     * Returns whether its old chunks are gone, also those that are yet to be compared, as far as its volumes can be
     * told to delete them.
     */
    private boolean deleted(MetadataView view, DatanodeFacts facts) {
        return facts.volumes().values().stream()
                .filter(volume -> !cluster.permanentlyUnavailable(volume) && !cluster.readOnly(volume))
                .allMatch(volume -> cluster.catalog().reported(volume)
                        && noGarbage(view, volume)
                        && !replacedChunks.test(view, volume));
    }

    private static boolean noGarbage(MetadataView view, VolumeId volume) {
        return view.garbageOn(volume, Optional.empty(), 1).isEmpty();
    }

    private void propose(DatanodeFacts facts, AdminState.State next, String reason) {
        DatanodeId datanode = facts.datanode();
        if (!underWay.add(datanode)) {
            return;
        }
        proposer.propose(
                new Command.ChangeAdminState(context.epochMillis(), datanode, facts.adminState(), next, reason),
                outcome -> {
                    underWay.remove(datanode);
                    cluster.topology().refresh();
                    outcome.resolve(
                            applied -> LOG.info(
                                    "event=duty_changed datanode={} from={} to={} reason=\"{}\"",
                                    datanode,
                                    facts.adminState().state(),
                                    next,
                                    reason),
                            failure -> LOG.debug(
                                    "event=duty_refused datanode={} to={} reason=\"{}\"",
                                    datanode,
                                    next,
                                    failure.getMessage()));
                });
    }
}
