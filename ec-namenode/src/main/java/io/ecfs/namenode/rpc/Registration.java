package io.ecfs.namenode.rpc;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.VolumeId;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.message.datanode.DatanodeReport.Register;
import io.ecfs.message.datanode.DatanodeReport.VolumeOffer;
import io.ecfs.namenode.cluster.ClusterIdentity;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.Proposer;
import io.ecfs.namenode.health.UnderReplicationFeed;
import io.ecfs.namenode.state.MetadataView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registration of datanodes. The leader proposes what the log does not have yet; a follower has the datanode register
 * again until the entry has reached it. Owner thread: the namenode's event thread.
 */
public final class Registration {
    private static final Logger LOG = LoggerFactory.getLogger(Registration.class);

    /** The version of the datanode's disk format that this namenode works with. */
    public static final int LAYOUT_VERSION = 2;

    private final NamenodeContext context;

    private final ClusterView cluster;
    private final UnderReplicationFeed feed;
    private final Proposer proposer;

    Registration(NamenodeContext context, ClusterView cluster, UnderReplicationFeed feed, Proposer proposer) {
        this.context = context;
        this.cluster = cluster;
        this.feed = feed;
        this.proposer = proposer;
    }

    CompletableFuture<DatanodeReply> register(Register register, boolean leading) {
        try {
            String clusterId = check(register);
            Optional<DatanodeFacts> facts = known(register);
            if (facts.isPresent()) {
                return CompletableFuture.completedFuture(
                        welcome(register, clusterId, facts.get().volumes()));
            }
            if (!leading) {
                return CompletableFuture.completedFuture(new DatanodeReply.RegisterAgain());
            }
            return propose(register, clusterId);
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** @return the cluster's id */
    private String check(Register register) throws EcfsException {
        if (register.layoutVersion() != LAYOUT_VERSION) {
            throw refuse(
                    register,
                    ErrorCode.INCOMPATIBLE_VERSION,
                    "datanode " + register.datanode() + " has disk layout version " + register.layoutVersion()
                            + ", this namenode works with version " + LAYOUT_VERSION
                            + ": run the same release of ECFS on both");
        }
        ClusterIdentity identity;
        try (MetadataView view = context.facts().get()) {
            identity = view.identity()
                    .orElseThrow(() -> new EcfsException(
                            ErrorCode.SAFE_MODE, "the cluster is being formatted: register again in a moment"));
        }
        if (!register.clusterId().isEmpty() && !register.clusterId().equals(identity.clusterId())) {
            throw refuse(
                    register,
                    ErrorCode.WRONG_CLUSTER,
                    "datanode " + register.datanode() + " belongs to cluster " + register.clusterId()
                            + ", this is cluster " + identity.clusterId()
                            + ": correct the datanode's namenode addresses, or give it an empty directory");
        }
        return identity.clusterId();
    }

    /** The facts of the datanode, when they include all that it registers. */
    private Optional<DatanodeFacts> known(Register register) {
        cluster.topology().refresh();
        return cluster.topology()
                .datanode(register.datanode())
                .filter(facts -> facts.uuid().equals(register.uuid())
                        && facts.address().equals(register.address())
                        && facts.rack().equals(register.rack())
                        && register.volumes().stream()
                                .allMatch(offer -> facts.volumes().containsKey(offer.uuid())));
    }

    private CompletableFuture<DatanodeReply> propose(Register register, String clusterId) {
        List<String> volumes =
                register.volumes().stream().map(VolumeOffer::uuid).toList();
        CompletableFuture<DatanodeReply> reply = new CompletableFuture<>();
        proposer.propose(
                new Command.RegisterDatanode(
                        context.epochMillis(),
                        register.datanode(),
                        register.uuid(),
                        register.address(),
                        register.rack(),
                        volumes),
                outcome -> outcome.resolve(
                        registered -> {
                            cluster.topology().refresh();
                            reply.complete(
                                    welcome(register, clusterId, ((CommandResult.Registered) registered).volumes()));
                        },
                        failure -> {
                            LOG.warn(
                                    "event=datanode_refused datanode={} reason=\"{}\"",
                                    register.datanode(),
                                    failure.getMessage());
                            reply.completeExceptionally(failure);
                        }));
        return reply;
    }

    private DatanodeReply welcome(Register register, String clusterId, Map<String, VolumeId> volumes) {
        // It may have started anew, with less than it had: its earlier reports prove nothing until it reports again.
        volumes.values().forEach(cluster.catalog()::reportAwaited);
        cluster.table()
                .registered(
                        register.datanode(),
                        register.uuid(),
                        register.sequence(),
                        context.nowMillis(),
                        context.epochMillis());
        register.volumes().forEach(offer -> cluster.rings().reports().registered(volumes.get(offer.uuid()), offer));
        feed.datanodeChanged(register.datanode());
        LOG.info(
                "event=datanode_registered datanode={} address={} rack={} volumes={}",
                register.datanode(),
                register.address(),
                register.rack(),
                volumes.values());
        try (MetadataView view = context.facts().get()) {
            return new DatanodeReply.Registered(clusterId, volumes, view.tokenKeys(), Optional.of(view.levelInForce()));
        }
    }

    private static EcfsException refuse(Register register, ErrorCode code, String message) {
        LOG.warn("event=datanode_refused datanode={} reason=\"{}\"", register.datanode(), message);
        return new EcfsException(code, message);
    }
}
