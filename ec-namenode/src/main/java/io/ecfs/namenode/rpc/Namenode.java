package io.ecfs.namenode.rpc;

import io.ecfs.dispatch.HandlerTable;
import io.ecfs.env.Environment;
import io.ecfs.env.Scheduler;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.InodeId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.FilePath;
import io.ecfs.message.Message;
import io.ecfs.message.PrincipalName;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.message.datanode.DatanodeReport;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.namenode.audit.AuditSource;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.context.ClusterRings;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.ConnectProbe;
import io.ecfs.namenode.context.Locator;
import io.ecfs.namenode.context.Members;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.Proposer;
import io.ecfs.namenode.context.TokenIssuer;
import io.ecfs.namenode.context.Topology;
import io.ecfs.namenode.health.HealthSurvey;
import io.ecfs.namenode.health.UnderReplicationAudit;
import io.ecfs.namenode.health.UnderReplicationCheck;
import io.ecfs.namenode.health.UnderReplicationFeed;
import io.ecfs.namenode.leader.Leader;
import io.ecfs.namenode.log.MetadataLog;
import io.ecfs.namenode.log.MetadataLog.Leadership;
import io.ecfs.namenode.metrics.NamenodeGauges;
import io.ecfs.namenode.report.ChunkCatalog;
import io.ecfs.namenode.report.DatanodeTable;
import io.ecfs.namenode.report.RebuildNotes;
import io.ecfs.namenode.settings.NamenodeSettings;
import io.ecfs.namenode.state.MetadataState;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.namenode.stats.Statistics;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One namenode, without network and disk: messages in, answers out. It may be called from any thread; everything that
 * decides runs on one event thread, reads of the state on a few workers. Its owner closes log and state after it.
 */
public final class Namenode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Namenode.class);
    private static final int READERS = 2;
    private static final int MAX_WAITING_READS = 10_000;

    private final ConnectProbe probe;
    private final Members members;
    private final MetadataLog log;
    private final MetadataState state;
    private final Scheduler scheduler;
    private final Workers readers;
    private final NamenodeContext context;
    private final ClusterView cluster;
    private final UnderReplicationFeed feed;
    private final UnderReplicationCheck ledgerCheck;
    private final HealthSurvey survey;
    private final Proposer proposer;
    private final MutationService mutations;
    private final DatanodeReports reports;
    private final ClusterReporter reporter;
    private final QueryExecutor executor;
    private final ClusterQueries clusterQueries;
    private final HandlerTable<NamespaceRequest, CallerIdentity, CompletableFuture<NamespaceReply>> queries;
    private Optional<Leader> leader = Optional.empty();

    public Namenode(
            Environment environment, Members members, MetadataLog log, MetadataState state, NamenodeSettings settings) {
        this(environment, members, log, state, settings, AuditSource.none(), ConnectProbe.NONE);
    }

    /** One that reads no audit log. */
    public Namenode(
            Environment environment,
            Members members,
            MetadataLog log,
            MetadataState state,
            NamenodeSettings settings,
            ConnectProbe probe) {
        this(environment, members, log, state, settings, AuditSource.none(), probe);
    }

    /**
     * @param audit reads the audit log of this namenode
     * @param probe finds datanodes whose process has ended
     */
    public Namenode(
            Environment environment,
            Members members,
            MetadataLog log,
            MetadataState state,
            NamenodeSettings settings,
            AuditSource audit,
            ConnectProbe probe) {
        this.probe = probe;
        this.members = members;
        this.log = log;
        this.state = state;
        this.scheduler = environment.threads().scheduler("namenode-" + members.id());
        this.readers = environment.threads().workers("namenode-" + members.id() + "-read", READERS, MAX_WAITING_READS);
        Supplier<MetadataView> facts = state::view;
        this.context = new NamenodeContext(environment, scheduler, settings, facts);
        Topology topology = new Topology(facts);
        this.cluster = new ClusterView(
                context,
                topology,
                new DatanodeTable(settings.silence(), settings.recovery().grace(), context.nowMillis()),
                new ChunkCatalog(settings.chunksPerVolume()),
                new RebuildNotes(),
                new Statistics(),
                new ClusterRings(facts, topology));
        this.feed = new UnderReplicationFeed(context, cluster, () -> leader.ifPresent(Leader::damageFound));
        this.ledgerCheck = new UnderReplicationCheck(context, cluster, feed);
        this.survey = new HealthSurvey(context, feed);
        feed.follow(state);
        this.proposer = new Proposer(log, state.codec(), scheduler, state::levelInForce);
        Locator locator = new Locator(cluster, new TokenIssuer(context));
        this.mutations = new MutationService(context, cluster, proposer, locator);
        this.reports = new DatanodeReports(context, cluster, feed, proposer);
        this.reporter = new ClusterReporter(context, cluster, log, members.addresses());
        this.executor = new QueryExecutor(members, log, state, scheduler, readers, feed, () -> leader);
        this.clusterQueries = new ClusterQueries(executor, context, cluster, state, reporter, audit);
        this.queries = queries(new NamespaceQueries(executor, context, cluster, locator), clusterQueries);
        scheduler.scheduleWithFixedDelay(Duration.ZERO, settings.tick(), this::tick);
        log.onLeadership(now -> scheduler.execute(() -> leadership(now)));
    }

    /** @throws IllegalStateException naming the queries without a handler */
    private static HandlerTable<NamespaceRequest, CallerIdentity, CompletableFuture<NamespaceReply>> queries(
            NamespaceQueries namespace, ClusterQueries cluster) {
        HandlerTable<NamespaceRequest, CallerIdentity, CompletableFuture<NamespaceReply>> all =
                HandlerTable.<NamespaceRequest, CallerIdentity, CompletableFuture<NamespaceReply>>builder()
                        .with(namespace.handlers())
                        .with(cluster.handlers())
                        .build();
        HandlerTable.requireComplete(
                HandlerTable.records(NamespaceRequest.class).filter(kind -> !Mutation.class.isAssignableFrom(kind)),
                List.of(all.kinds()));
        return all;
    }

    /**
     * The cluster's id as far as this namenode knows; empty before the cluster is formatted. Safe for use by any
     * thread.
     */
    public String clusterId() {
        return reporter.clusterId();
    }

    /** Returns the present path of a file, as far as this namenode knows. Safe for use by any thread. */
    public Optional<FilePath> pathOf(InodeId file) {
        try (MetadataView view = state.view()) {
            return view.identity().isPresent()
                    ? view.knownNamespace().status(file).map(FileStatus::path)
                    : Optional.empty();
        }
    }

    /** Returns whether block tokens are of version 2. Safe for use by any thread. */
    public boolean boundTokens() {
        return state.levelInForce() >= FeatureLevel.BOUND_TOKENS;
    }

    /**
     * Answers a client or a daemon; fails with {@link EcfsException}, anything else is a bug.
     * @param proved whether the caller is a daemon that has proved its identity
     */
    public CompletableFuture<? extends Message> handle(CallerIdentity caller, boolean proved, Message request) {
        return handle(caller, Optional.empty(), proved, request);
    }

    /**
     * As {@link #handle(CallerIdentity, boolean, Message)}.
     * @param host of the caller's connection: named to others whom its leases keep from a file
     */
    public CompletableFuture<? extends Message> handle(
            CallerIdentity caller, Optional<String> host, boolean proved, Message request) {
        if (request instanceof NamespaceRequest.GetNamenodeState get) {
            return CompletableFuture.completedFuture(clusterQueries.ownState(get, proved));
        }
        if (request instanceof NamespaceRequest asked) {
            return namespace(caller, host, proved, asked);
        }
        if (request instanceof DatanodeReport report) {
            return datanode(report, proved);
        }
        return CompletableFuture.failedFuture(new EcfsException(
                ErrorCode.UNSUPPORTED,
                "a namenode does not answer " + request.getClass().getSimpleName()));
    }

    /** Answers a datanode that has proved its identity. */
    public CompletableFuture<DatanodeReply> datanode(DatanodeReport report) {
        return datanode(report, true);
    }

    private CompletableFuture<DatanodeReply> datanode(DatanodeReport report, boolean proved) {
        return executor.onEventThread(() -> reports.handle(report, proved, leader));
    }

    /** A connection of a datanode that has proved its identity was closed. Safe for use by any thread. */
    public void connectionClosed(DatanodeId datanode) {
        scheduler.execute(() -> leader.ifPresent(leading -> leading.connectionClosed(datanode)));
    }

    /** Answers a user. */
    public CompletableFuture<NamespaceReply> namespace(CallerIdentity caller, NamespaceRequest request) {
        return namespace(caller, Optional.empty(), false, request);
    }

    private CompletableFuture<NamespaceReply> namespace(
            CallerIdentity caller, Optional<String> host, boolean proved, NamespaceRequest request) {
        try {
            requireName(caller, proved, request);
            if (!(request instanceof Mutation)) { // whose rights are decided in the log's order
                context.requireRight(caller, request);
            }
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
        if (request instanceof Mutation mutation) {
            return executor.atLeader(leading -> mutations.call(leading, caller, host, mutation));
        }
        try {
            return queries.handle(caller, request);
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Rejects names that no user may have; a datanode, whose name no user may have, reports bad chunks. */
    private void requireName(CallerIdentity caller, boolean proved, NamespaceRequest request) throws EcfsException {
        boolean complaint = proved && request instanceof NamespaceRequest.ReportBadChunks;
        if (!PrincipalName.valid(caller.user()) && !complaint && state.levelInForce() >= FeatureLevel.OF_USERS) {
            throw new EcfsException(
                    ErrorCode.ACCESS_DENIED, "the connection's user has a name of other than " + PrincipalName.RULE);
        }
    }

    /** The gauges for monitoring. Safe for use by any thread. */
    public CompletableFuture<NamenodeGauges> gauges() {
        return executor.onEventThread(() -> {
            feed.drainChanges();
            return CompletableFuture.completedFuture(NamenodeGauges.of(context, cluster, survey, leader, log));
        });
    }

    private void tick() {
        ledgerCheck.tick();
        feed.tick();
    }

    /** Recounts everything at once: for tests and simulation. Safe for use by any thread. */
    public CompletableFuture<UnderReplicationAudit> auditLedger() {
        return executor.onEventThread(() -> CompletableFuture.completedFuture(ledgerCheck.audit()));
    }

    private void leadership(Leadership now) {
        if (leader.isPresent() && (!now.leading() || leader.get().term() != now.term())) {
            LOG.info(
                    "event=leading_ends namenode={} term={}",
                    members.id(),
                    leader.get().term());
            leader.get().stop();
            leader = Optional.empty();
        }
        if (now.leading() && leader.isEmpty()) {
            LOG.info("event=leading_begins namenode={} term={}", members.id(), now.term());
            leader = Optional.of(
                    new Leader(members, now.term(), context, cluster, feed, survey, state, proposer, probe));
        }
    }

    /** Stops answering. */
    @Override
    public void close() {
        scheduler.execute(() -> {
            leader.ifPresent(Leader::stop);
            feed.stop();
        });
        readers.close();
        scheduler.close();
    }
}
