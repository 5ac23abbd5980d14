package io.ecfs.namenode.rpc;

import io.ecfs.dispatch.HandlerTable;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.message.datanode.DatanodeReport;
import io.ecfs.message.datanode.DatanodeReport.VolumeStatus;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.Proposer;
import io.ecfs.namenode.health.UnderReplicationFeed;
import io.ecfs.namenode.leader.Leader;
import io.ecfs.namenode.report.ChunkCatalog;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the reports of datanodes, on every namenode. Reports are stored as they come, and the damage that they cause
 * or mend is noted; only the leader gives orders. Owner thread: the namenode's event thread.
 */
final class DatanodeReports {
    private static final Logger LOG = LoggerFactory.getLogger(DatanodeReports.class);

    private final NamenodeContext context;

    private final ClusterView cluster;
    private final UnderReplicationFeed feed;
    private final Registration registration;
    /** Registered datanodes without a proof of identity that were logged. */
    private final Set<DatanodeId> warned = new HashSet<>();

    private final HandlerTable<DatanodeReport, Optional<Leader>, CompletableFuture<DatanodeReply>> handlers =
            HandlerTable.<DatanodeReport, Optional<Leader>, CompletableFuture<DatanodeReply>>builder()
                    .on(DatanodeReport.Register.class, this::register)
                    .on(DatanodeReport.Heartbeat.class, (leader, beat) -> done(heartbeat(beat, leader)))
                    .on(DatanodeReport.AwaitOrders.class, (leader, await) -> awaitOrders(await, leader))
                    .on(DatanodeReport.FullReport.class, (leader, page) -> done(fullReport(page, leader)))
                    .on(DatanodeReport.ChangeReport.class, (leader, changes) -> done(changeReport(changes, leader)))
                    .build();

    DatanodeReports(NamenodeContext context, ClusterView cluster, UnderReplicationFeed feed, Proposer proposer) {
        this.context = context;
        this.cluster = cluster;
        this.feed = feed;
        this.registration = new Registration(context, cluster, feed, proposer);
        HandlerTable.requireComplete(HandlerTable.records(DatanodeReport.class), List.of(handlers.kinds()));
    }

    private static CompletableFuture<DatanodeReply> done(DatanodeReply reply) {
        return CompletableFuture.completedFuture(reply);
    }

    /** @param proved whether it comes from the datanode that it names, as far as the join token proves that */
    CompletableFuture<DatanodeReply> handle(DatanodeReport report, boolean proved, Optional<Leader> leader) {
        if (cluster.topology().datanode(report.datanode()).isPresent()) {
            noteProof(report.datanode(), proved);
        }
        try {
            return handlers.handle(leader, report);
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<DatanodeReply> register(Optional<Leader> leader, DatanodeReport.Register register) {
        return registration.register(register, leader.isPresent()).thenApply(reply -> {
            if (reply instanceof DatanodeReply.Registered registered) {
                leader.ifPresent(l -> registered.volumes().values().forEach(l::registered));
            }
            return reply;
        });
    }

    private void noteProof(DatanodeId datanode, boolean proved) {
        if (!proved && warned.add(datanode)) {
            LOG.warn(
                    "event=datanode_unproved datanode={} action=\"copy the join token from a namenode to its machine"
                            + " and start it with this release: it is refused once the upgrade is finalized\"",
                    datanode);
        }
        cluster.table().proved(datanode, proved);
    }

    private DatanodeReply heartbeat(DatanodeReport.Heartbeat beat, Optional<Leader> leader) {
        List<VolumeStatus> own = beat.volumes().stream()
                .filter(load -> cluster.topology().owns(beat.datanode(), load.volume()))
                .toList();
        Optional<DatanodeFacts> facts = cluster.topology().datanode(beat.datanode());
        boolean known = cluster.table()
                .beat(
                        beat.datanode(),
                        beat.uuid(),
                        own,
                        facts.map(f -> f.volumes().values()).orElse(List.of()),
                        context.nowMillis(),
                        context.epochMillis());
        if (!known || facts.isEmpty()) {
            return new DatanodeReply.RegisterAgain();
        }
        feed.datanodeChanged(beat.datanode());
        beat.load()
                .ifPresent(load -> cluster.statistics().loads().onReport(beat.datanode(), load, context.nowMillis()));
        beat.relays()
                .ifPresent(
                        relays -> cluster.statistics().relays().onReport(beat.datanode(), relays, context.nowMillis()));
        beat.rings()
                .ifPresent(rings ->
                        cluster.rings().reports().onReport(facts.get().volumes().values(), rings, context.nowMillis()));
        try (MetadataView view = context.facts().get()) {
            List<DatanodeOrder> orders =
                    leader.map(l -> l.orders(view, facts.get())).orElse(List.of());
            return new DatanodeReply.HeartbeatReply(
                    leader.map(Leader::term).orElse(0L),
                    orders,
                    view.tokenKeys(),
                    context.throttles(view).bytesPerSecond(),
                    leader.map(l -> l.ringPositions.clocks(facts.get())));
        }
    }

    private CompletableFuture<DatanodeReply> awaitOrders(DatanodeReport.AwaitOrders await, Optional<Leader> leader) {
        if (!cluster.table().knows(await.datanode(), await.uuid())) {
            return CompletableFuture.completedFuture(new DatanodeReply.RegisterAgain());
        }
        return leader.map(l -> l.longPoll.await(await.datanode(), Duration.ofMillis(await.holdMillis())))
                .orElseGet(() -> CompletableFuture.completedFuture(
                        new DatanodeReply.HeartbeatReply(0, List.of(), List.of(), Optional.empty())));
    }

    private DatanodeReply fullReport(DatanodeReport.FullReport page, Optional<Leader> leader) throws EcfsException {
        if (!cluster.table().knows(page.datanode(), page.uuid())) {
            return new DatanodeReply.RegisterAgain();
        }
        checkOwns(page, page.volume());
        Optional<DatanodeReply> untaken = untaken(page, page.sequence());
        if (untaken.isPresent()) {
            return untaken.get();
        }
        ChunkCatalog.Page outcome = cluster.catalog().take(page);
        if (outcome == ChunkCatalog.Page.BROKEN) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "page " + page.page() + " of report " + page.reportId() + " of " + page.volume()
                            + " came without the pages before it: report the volume again from page 0");
        }
        if (outcome == ChunkCatalog.Page.TOO_MANY) {
            feed.volumeChanged(page.volume());
            throw tooMany(page, page.volume());
        }
        if (outcome == ChunkCatalog.Page.COMPLETE) {
            LOG.info(
                    "event=volume_reported datanode={} volume={} chunks={}",
                    page.datanode(),
                    page.volume(),
                    cluster.catalog().count(page.volume()));
            feed.volumeChanged(page.volume());
            leader.ifPresent(l -> l.reportedFully(page.volume()));
        }
        return new DatanodeReply.Noted();
    }

    private DatanodeReply changeReport(DatanodeReport.ChangeReport report, Optional<Leader> leader)
            throws EcfsException {
        if (!cluster.table().knows(report.datanode(), report.uuid())) {
            return new DatanodeReply.RegisterAgain();
        }
        for (ChunkChange change : report.changes()) {
            checkOwns(report, change.volume());
        }
        Optional<DatanodeReply> untaken = untaken(report, report.sequence());
        if (untaken.isPresent()) {
            return untaken.get();
        }
        try (MetadataView view = context.facts().get()) {
            for (ChunkChange change : report.changes()) {
                if (!cluster.catalog().take(change)) {
                    throw tooMany(report, change.volume());
                }
                noteRebuild(change);
                leader.ifPresent(l -> l.reported(view, change));
                feed.reported(view, change);
            }
        }
        return new DatanodeReply.Noted();
    }

    /** The reply to a report that is late in the sequence; empty for one that is taken. */
    private Optional<DatanodeReply> untaken(DatanodeReport report, long sequence) {
        return switch (cluster.table().order(report.datanode(), sequence)) {
            case NEWEST -> Optional.empty();
            case OVERTAKEN -> Optional.of(new DatanodeReply.Noted());
            case LEAP -> {
                LOG.warn("event=report_leaps datanode={} instead=register_again", report.datanode());
                yield Optional.of(new DatanodeReply.RegisterAgain());
            }
        };
    }

    private void noteRebuild(ChunkChange change) {
        if (change instanceof ChunkChange.Present present) {
            present.work()
                    .ifPresent(work -> cluster.rebuilds()
                            .onReport(present.volume(), present.record().chunk(), work, context.nowMillis()));
        }
    }

    private EcfsException tooMany(DatanodeReport report, VolumeId volume) {
        return new EcfsException(
                ErrorCode.INVALID_ARGUMENT,
                "datanode " + report.datanode() + " reports more than "
                        + context.settings().chunksPerVolume() + " chunks on volume " + volume
                        + ": they are not taken; if there are so many, raise settings.chunksPerVolume of all"
                        + " namenodes");
    }

    private void checkOwns(DatanodeReport report, VolumeId volume) throws EcfsException {
        if (!cluster.topology().owns(report.datanode(), volume)) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "datanode " + report.datanode() + " reports volume " + volume
                            + ", which is not one of its registered volumes: register it first");
        }
    }
}
