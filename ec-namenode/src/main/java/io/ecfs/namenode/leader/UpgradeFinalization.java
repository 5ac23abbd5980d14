package io.ecfs.namenode.leader;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.Outcome;
import io.ecfs.namenode.context.Proposer;
import io.ecfs.namenode.state.MetadataState;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code ecfs admin finalize-upgrade} at the leader: raises the feature level in force to what this release reads, when
 * all namenodes read it (HDFS: finalizeUpgrade). Owner thread: the namenode's event thread.
 */
public final class UpgradeFinalization {
    private static final Logger LOG = LoggerFactory.getLogger(UpgradeFinalization.class);

    private final OtherNamenodes others;
    private final NamenodeContext context;
    private final ClusterView cluster;
    private final MetadataState state;
    private final Proposer proposer;

    UpgradeFinalization(
            OtherNamenodes others,
            NamenodeContext context,
            ClusterView cluster,
            MetadataState state,
            Proposer proposer) {
        this.others = others;
        this.context = context;
        this.cluster = cluster;
        this.state = state;
        this.proposer = proposer;
    }

    /**
     * Raises the level. Rejected in one line, and nothing changed, while a namenode does not answer, is of an earlier
     * release, or lags behind.
     */
    public CompletableFuture<NamespaceReply> run() {
        CompletableFuture<NamespaceReply> reply = new CompletableFuture<>();
        checkNext(others.ids(), state.codec().level(), state.applied().index(), reply);
        return reply;
    }

    /**
     * From the new level on, datanodes without a proof of identity are rejected, so all that are not dead must have
     * given one. A dead one is checked when it comes back.
     */
    private void requireProvedDatanodes() throws EcfsException {
        List<DatanodeId> unproved = cluster.table().unproved(context.nowMillis());
        if (becomesStrict() && !unproved.isEmpty()) {
            throw refusal("the join token has not been proved by "
                    + (unproved.size() == 1 ? "datanode " : "datanodes ")
                    + unproved.stream().map(DatanodeId::name).collect(Collectors.joining(", "))
                    + ": copy it there from a namenode, and start with this release");
        }
    }

    private boolean becomesStrict() {
        return state.levelInForce() < FeatureLevel.PROVED_PEERS && state.codec().level() >= FeatureLevel.PROVED_PEERS;
    }

    private EcfsException refusal(String reason) {
        return new EcfsException(
                ErrorCode.INVALID_ARGUMENT,
                "feature level " + state.codec().level() + " is not finalized, nothing was changed: " + reason);
    }

    private void checkNext(List<String> left, int wanted, long index, CompletableFuture<NamespaceReply> reply) {
        if (left.isEmpty()) {
            try {
                requireProvedDatanodes();
            } catch (EcfsException e) {
                reply.completeExceptionally(e);
                return;
            }
            raise(wanted, reply);
            return;
        }
        String namenode = left.get(0);
        var unused = others.ask(namenode, index).whenComplete((found, failure) -> {
            String reason = "";
            if (failure != null) {
                reason = "does not answer (" + failure.getMessage() + "): start it";
            } else if (found.releaseLevel() < wanted) {
                reason = "reads up to level " + found.releaseLevel() + ": start it with this release";
            } else if (found.appliedIndex() < index) {
                reason = "is " + (index - found.appliedIndex()) + " log entries behind: wait until it has caught up";
            } else if (becomesStrict() && !found.proved().orElse(false)) {
                reason = "and the leader have not proved the join token to each other: copy it to both, and start both"
                        + " again";
            }
            if (reason.isEmpty()) {
                checkNext(left.subList(1, left.size()), wanted, index, reply);
            } else {
                reply.completeExceptionally(refusal("namenode " + namenode + " " + reason));
            }
        });
    }

    private void raise(int wanted, CompletableFuture<NamespaceReply> reply) {
        if (state.levelInForce() >= wanted) {
            reply.complete(new NamespaceReply.LevelsInForce(others.levels()));
            return;
        }
        proposer.propose(new Command.RaiseLevel(context.epochMillis(), wanted), outcome -> {
            if (outcome instanceof Outcome.Failed<?> failed) {
                reply.completeExceptionally(failed.reason());
                return;
            }
            LOG.info("event=feature_level_raised level={}", wanted);
            reply.complete(new NamespaceReply.LevelsInForce(others.levels()));
        });
    }
}
