package io.ecfs.namenode.rpc;

import io.ecfs.env.Environment;
import io.ecfs.env.Scheduler;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.Message;
import io.ecfs.message.PrincipalName;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.message.datanode.DatanodeReport;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.command.Caller;
import io.ecfs.namenode.context.Locator;
import io.ecfs.namenode.context.Members;
import io.ecfs.namenode.context.Proposer;
import io.ecfs.namenode.context.Surroundings;
import io.ecfs.namenode.context.TokenIssuer;
import io.ecfs.namenode.context.Topology;
import io.ecfs.namenode.health.HealthSurvey;
import io.ecfs.namenode.health.LedgerAudit;
import io.ecfs.namenode.health.LedgerCheck;
import io.ecfs.namenode.health.LedgerFeed;
import io.ecfs.namenode.leader.Leader;
import io.ecfs.namenode.log.MetadataLog;
import io.ecfs.namenode.log.MetadataLog.Leadership;
import io.ecfs.namenode.log.MetadataLog.LocalRead;
import io.ecfs.namenode.metrics.NamenodeGauges;
import io.ecfs.namenode.namespace.NamespaceView;
import io.ecfs.namenode.report.ChunkCatalog;
import io.ecfs.namenode.report.DatanodeTable;
import io.ecfs.namenode.report.RebuildNotes;
import io.ecfs.namenode.settings.NamenodeSettings;
import io.ecfs.namenode.settings.RepairThrottles;
import io.ecfs.namenode.state.MetadataState;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.namenode.stats.Statistics;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One namenode, without network and disk: messages in, answers out. It may be called from any thread; everything that
 * decides runs on one event thread, reads of the state on a few workers. Whoever makes it closes log and state after
 * it.
 */
public final class Namenode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Namenode.class);
    private static final int READERS = 2;
    private static final int MAX_WAITING_READS = 10_000;

    /** Most groups in one answer to Locate. */
    static final int LOCATE_PAGE = 100;

    private final Members members;
    private final MetadataLog log;
    private final MetadataState state;
    private final Scheduler scheduler;
    private final Workers readers;
    private final Surroundings around;
    private final LedgerFeed feed;
    private final LedgerCheck ledgerCheck;
    private final HealthSurvey survey;
    private final Proposer proposer;
    private final Locator locator;
    private final MutationService calls;
    private final DatanodeReports reports;
    private final ClusterReporter reporter;
    private Optional<Leader> leader = Optional.empty();

    public Namenode(
            Environment environment, Members members, MetadataLog log, MetadataState state, NamenodeSettings settings) {
        this.members = members;
        this.log = log;
        this.state = state;
        this.scheduler = environment.threads().scheduler("namenode-" + members.id());
        this.readers = environment.threads().workers("namenode-" + members.id() + "-read", READERS, MAX_WAITING_READS);
        Supplier<MetadataView> facts = state::view;
        this.around = new Surroundings(
                environment,
                scheduler,
                settings,
                facts,
                new Topology(facts),
                new DatanodeTable(
                        settings.silence(),
                        settings.recovery().grace(),
                        environment.clock().nanos() / 1_000_000),
                new ChunkCatalog(settings.chunksPerVolume()),
                new RebuildNotes(),
                new Statistics());
        this.feed = new LedgerFeed(around, () -> leader.ifPresent(Leader::damageFound));
        this.ledgerCheck = new LedgerCheck(around, feed);
        this.survey = new HealthSurvey(around, feed);
        feed.follow(state);
        this.proposer = new Proposer(log, state.codec(), scheduler, state::levelInForce);
        this.locator = new Locator(around, new TokenIssuer(around));
        this.calls = new MutationService(around, proposer, locator);
        this.reports = new DatanodeReports(around, feed, proposer);
        this.reporter = new ClusterReporter(around, log, members.addresses());
        scheduler.scheduleWithFixedDelay(Duration.ZERO, settings.tick(), this::tick);
        log.onLeadership(now -> scheduler.execute(() -> leadership(now)));
    }

    /**
     * The cluster's id as far as this namenode knows; empty before the cluster is formatted. Safe for use by any
     * thread.
     */
    public String clusterId() {
        return reporter.clusterId();
    }

    /** Whether block tokens are of version 2. Safe for use by any thread. */
    public boolean boundTokens() {
        return state.levelInForce() >= FeatureLevel.BOUND_TOKENS;
    }

    /**
     * Answers a client or a daemon; fails with {@link EcfsException}, anything else is a bug.
     *
     * @param proved whether the caller is a daemon and has proved which one
     */
    public CompletableFuture<? extends Message> handle(Caller caller, boolean proved, Message request) {
        if (request instanceof NamespaceRequest.GetNamenodeState get) {
            return CompletableFuture.completedFuture(ownState(get, proved));
        } else if (request instanceof NamespaceRequest asked) {
            return namespace(caller, proved, asked);
        } else if (request instanceof DatanodeReport report) {
            return datanode(report, proved);
        }
        return CompletableFuture.failedFuture(new EcfsException(
                ErrorCode.UNSUPPORTED,
                "a namenode does not answer " + request.getClass().getSimpleName()));
    }

    /** Answers a datanode that proved who it is. */
    public CompletableFuture<DatanodeReply> datanode(DatanodeReport report) {
        return datanode(report, true);
    }

    private CompletableFuture<DatanodeReply> datanode(DatanodeReport report, boolean proved) {
        return onEventThread(() -> reports.handle(report, proved, leader));
    }

    /** Answers a user. */
    public CompletableFuture<NamespaceReply> namespace(Caller caller, NamespaceRequest request) {
        return namespace(caller, false, request);
    }

    private CompletableFuture<NamespaceReply> namespace(Caller caller, boolean proved, NamespaceRequest request) {
        try {
            requireName(caller, proved, request);
            if (!(request instanceof Mutation)) { // whose rights are decided in the log's order
                around.requireRight(caller, request);
            }
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
        if (request instanceof Mutation mutation) {
            return atLeader(leading -> calls.call(leading, caller, mutation));
        } else if (request instanceof NamespaceRequest.GetStatus get) {
            return read(n -> new NamespaceReply.Status(n.status(get.path(), caller)));
        } else if (request instanceof NamespaceRequest.ListStatus list) {
            return read(n -> {
                NamespaceView.Page page = n.list(list.path(), list.startAfter(), list.limit(), caller);
                return new NamespaceReply.Listing(page.entries(), page.more());
            });
        } else if (request instanceof NamespaceRequest.Locate locate) {
            return locate(caller, locate);
        } else if (request instanceof NamespaceRequest.LocateAll all) {
            return locateAll(caller, all);
        } else if (request instanceof NamespaceRequest.ListPolicies) {
            return confirmed(() -> {
                        try (MetadataView view = state.view()) {
                            return view.identity()
                                    .map(i -> i.defaultPolicy())
                                    .orElse(around.settings().defaultPolicy());
                        }
                    })
                    .thenApply(policy -> new NamespaceReply.Policies(policy, StandardPolicies.list(policy)));
        } else if (request instanceof NamespaceRequest.GetReport) {
            return confirmedByLeader(leading -> new NamespaceReply.Report(reporter.report(leading)));
        } else if (request instanceof NamespaceRequest.ListEvents list) {
            return facts(view -> new NamespaceReply.Events(view.events(list.after(), list.limit())));
        } else if (request instanceof NamespaceRequest.ListIncidents list) {
            return facts(view -> new NamespaceReply.Incidents(view.incidents(list.after(), list.limit())));
        } else if (request instanceof NamespaceRequest.ListRepairs list) {
            return facts(view -> repairs(view, list));
        } else if (request instanceof NamespaceRequest.FindProblems find) {
            return confirmedByLeader(
                    leading -> new Problems(around, leading.survey, leading.repairs).find(find, caller));
        } else if (request instanceof NamespaceRequest.FindOrphans find) {
            return confirmedByLeader(leading -> orphans(leading, find));
        } else if (request instanceof NamespaceRequest.CheckStop check) {
            return confirmedByLeader(leading -> SafeToStopCheck.page(around, leading.survey, check));
        } else if (request instanceof NamespaceRequest.Balance balance) {
            return confirmedByLeader(leading ->
                    new NamespaceReply.Balanced(leading.moves.balance().answer(balance)));
        } else if (request instanceof NamespaceRequest.GetSpace) {
            return byLeader(leading -> reporter.space());
        } else if (request instanceof NamespaceRequest.GetCluster) {
            return onEventThread(() -> CompletableFuture.completedFuture(cluster()));
        } else if (request instanceof NamespaceRequest.GetNamenodeState get) {
            return CompletableFuture.completedFuture(ownState(get, false));
        } else if (request instanceof NamespaceRequest.FinalizeUpgrade) {
            return confirmed(() -> true).thenCompose(yes -> atLeader(leading -> leading.upgrade.run()));
        } else if (request instanceof NamespaceRequest.GetLoads) {
            return byLeader(leading -> new NamespaceReply.Loads(new LoadReporter(around).report()));
        } else if (request instanceof NamespaceRequest.GetMoves get) {
            return confirmedByLeader(leading -> moves(leading, get));
        } else if (request instanceof NamespaceRequest.GetThrottles) {
            return facts(view -> new NamespaceReply.ThrottlesInForce(
                    RepairThrottles.report(view, around.settings().recovery())));
        } else if (request instanceof NamespaceRequest.SumGroups sum) {
            return confirmedByLeader(
                    leading -> new NamespaceReply.SummedGroups(PolicySums.page(around, leading.survey, sum)));
        } else if (request instanceof NamespaceRequest.ReportAccesses accesses) {
            return onEventThread(() -> {
                around.statistics().told(caller.user(), accesses.sets(), around.nowMillis());
                return CompletableFuture.completedFuture(new NamespaceReply.Done());
            });
        } else if (request instanceof NamespaceRequest.ReportBadChunks bad) {
            return byLeader(leading -> badChunks(leading, caller, bad.chunks()));
        } else if (request instanceof NamespaceRequest.ConfirmGroup confirm) {
            return read(n -> {
                n.requireWriter(confirm.client(), confirm.file(), confirm.group(), caller);
                return new NamespaceReply.Done();
            });
        } else if (request instanceof NamespaceRequest.RenewToken renew) {
            return renewToken(caller, renew);
        } else if (request instanceof NamespaceRequest.RenewLease renew) {
            return byLeader(leading -> {
                leading.leases.renew(renew.client(), caller.user());
                return new NamespaceReply.Done();
            });
        }
        return attributes(caller, request);
    }

    private CompletableFuture<NamespaceReply> attributes(Caller caller, NamespaceRequest request) {
        if (request instanceof NamespaceRequest.GetInodeStatus get) {
            return read(n -> new NamespaceReply.Status(n.status(get.inode(), caller)));
        } else if (request instanceof NamespaceRequest.CheckAccess check) {
            return read(n -> {
                n.checkAccess(check.path(), check.bits(), caller);
                return new NamespaceReply.Done();
            });
        } else if (request instanceof NamespaceRequest.GetAcl get) {
            return read(n -> n.acl(get.path(), caller));
        } else if (request instanceof NamespaceRequest.GetXAttrs get) {
            return read(n -> n.xattrs(get.path(), caller));
        } else if (request instanceof NamespaceRequest.GetQuota get) {
            return read(n -> n.quota(get.path(), caller));
        } else if (request instanceof NamespaceRequest.SumDirectory sum) {
            return read(n -> n.sums(sum.path(), sum.startAfter(), sum.limit(), caller));
        } else if (request instanceof NamespaceRequest.GetSafeMode) {
            return confirmedByLeader(this::safeMode);
        }
        throw new IllegalStateException(
                "no rule for request " + request.getClass().getSimpleName());
    }

    /** A datanode is called as no user may be, and says of chunks that they are bad. */
    private void requireName(Caller caller, boolean proved, NamespaceRequest request) throws EcfsException {
        boolean complaint = proved && request instanceof NamespaceRequest.ReportBadChunks;
        if (!PrincipalName.valid(caller.user()) && !complaint && state.levelInForce() >= FeatureLevel.OF_USERS) {
            throw new EcfsException(
                    ErrorCode.ACCESS_DENIED, "the connection's user has a name of other than " + PrincipalName.RULE);
        }
    }

    /** What monitoring shows. Safe for use by any thread. */
    public CompletableFuture<NamenodeGauges> gauges() {
        return onEventThread(() -> {
            feed.drainChanges();
            return CompletableFuture.completedFuture(NamenodeGauges.of(around, survey, leader, log));
        });
    }

    private NamespaceReply orphans(Leader leading, NamespaceRequest.FindOrphans find) {
        try (MetadataView view = state.view()) {
            return leading.orphans.list(view, find);
        }
    }

    private NamespaceReply ownState(NamespaceRequest.GetNamenodeState get, boolean proved) {
        OptionalLong hash = state.hashAt(get.index());
        return new NamespaceReply.NamenodeState(
                state.codec().level(),
                state.levelInForce(),
                state.applied().index(),
                hash.isPresent() ? Optional.of(hash.getAsLong()) : Optional.empty(),
                Optional.of(proved));
    }

    private NamespaceReply cluster() {
        return new NamespaceReply.Cluster(
                reporter.clusterId(), List.copyOf(members.addresses().values()));
    }

    private NamespaceReply safeMode(Leader leading) {
        try (MetadataView view = state.view()) {
            boolean asked = view.count(Counter.SAFE_MODE) > 0;
            return new NamespaceReply.SafeMode(
                    asked || leading.safeMode.on(), asked ? "the superuser asked for it" : leading.safeMode.reason());
        }
    }

    private NamespaceReply badChunks(Leader leading, Caller caller, List<BadChunk> chunks) {
        try (MetadataView view = state.view()) {
            leading.complaints.take(view, caller, chunks);
        }
        return new NamespaceReply.Done();
    }

    private CompletableFuture<NamespaceReply> locate(Caller caller, NamespaceRequest.Locate request) {
        return confirmed(() -> {
                    try (MetadataView view = state.view()) {
                        return view.namespace()
                                .locate(request.path(), request.offset(), request.length(), LOCATE_PAGE, caller);
                    }
                })
                .thenCompose(found -> onEventThread(() -> {
                    try {
                        return CompletableFuture.<NamespaceReply>completedFuture(
                                BatchLocate.located(locator, found, caller.user()));
                    } catch (EcfsException e) {
                        return CompletableFuture.failedFuture(e);
                    }
                }));
    }

    private CompletableFuture<NamespaceReply> renewToken(Caller caller, NamespaceRequest.RenewToken request) {
        return confirmed(() -> {
                    try (MetadataView view = state.view()) {
                        return view.namespace().writtenGroup(request.client(), request.file(), request.group(), caller);
                    }
                })
                .thenCompose(group -> onEventThread(() -> {
                    try {
                        return CompletableFuture.<NamespaceReply>completedFuture(
                                new NamespaceReply.Allocated(locator.locate(group, Right.WRITE, caller.user())));
                    } catch (EcfsException e) {
                        return CompletableFuture.failedFuture(e);
                    }
                }));
    }

    private CompletableFuture<NamespaceReply> locateAll(Caller caller, NamespaceRequest.LocateAll request) {
        return confirmed(() -> {
                    try (MetadataView view = state.view()) {
                        return BatchLocate.find(view.namespace(), request, caller);
                    }
                })
                .thenCompose(found ->
                        onEventThread(() -> CompletableFuture.<NamespaceReply>completedFuture(found.told(locator))));
    }

    private static NamespaceReply repairs(MetadataView view, NamespaceRequest.ListRepairs list) throws EcfsException {
        if (view.incident(list.incident()).isEmpty()) {
            throw new EcfsException(
                    ErrorCode.NOT_FOUND,
                    "the history has no incident " + list.incident() + ": 'ecfs admin timeline' shows those it has");
        }
        return new NamespaceReply.Repairs(
                view.repairs(list.incident(), list.afterGroup(), list.afterIndex(), list.limit()));
    }

    private NamespaceReply moves(Leader leading, NamespaceRequest.GetMoves get) {
        try (MetadataView view = state.view()) {
            return new NamespaceReply.Moves(leading.moves.mover().report(view, get));
        }
    }

    private interface FactsRead {
        NamespaceReply run(MetadataView view) throws EcfsException;
    }

    private CompletableFuture<NamespaceReply> facts(FactsRead read) {
        return confirmed(() -> {
            try (MetadataView view = state.view()) {
                return read.run(view);
            }
        });
    }

    private interface NamespaceRead {
        NamespaceReply run(NamespaceView namespace) throws EcfsException;
    }

    private CompletableFuture<NamespaceReply> read(NamespaceRead read) {
        return confirmed(() -> {
            try (MetadataView view = state.view()) {
                return read.run(view.namespace());
            }
        });
    }

    /** A linearizable read, away from the event thread. */
    private <T> CompletableFuture<T> confirmed(LocalRead<T> read) {
        return readers.submit(() -> log.read(read)).thenCompose(result -> result);
    }

    private interface AtLeader {
        CompletableFuture<NamespaceReply> run(Leader leading);
    }

    private CompletableFuture<NamespaceReply> atLeader(AtLeader action) {
        return onEventThread(
                () -> leader.map(action::run).orElseGet(() -> CompletableFuture.failedFuture(notLeader())));
    }

    private interface LeaderAnswer {
        NamespaceReply get(Leader leading) throws EcfsException;
    }

    /** An answer that the leader has at hand. */
    private CompletableFuture<NamespaceReply> byLeader(LeaderAnswer answer) {
        return atLeader(leading -> {
            feed.drainChanges();
            try {
                return CompletableFuture.completedFuture(answer.get(leading));
            } catch (EcfsException e) {
                return CompletableFuture.failedFuture(e);
            }
        });
    }

    /** The same after a majority confirmed the leader: one that was deposed without knowing it does not answer. */
    private CompletableFuture<NamespaceReply> confirmedByLeader(LeaderAnswer answer) {
        return confirmed(() -> true).thenCompose(yes -> byLeader(answer));
    }

    private EcfsException notLeader() {
        Leadership now = log.leadership();
        Optional<Address> address =
                now.leader().filter(id -> !id.equals(members.id())).map(members.addresses()::get);
        String where = address.map(a -> "namenode " + now.leader().orElseThrow() + " at " + a + " does")
                .orElse("no leader is known at the moment: try again");
        return new EcfsException(
                ErrorCode.NOT_LEADER,
                "namenode " + members.id() + " does not lead; " + where,
                address.map(Address::toString).orElse(""),
                null);
    }

    private <T> CompletableFuture<T> onEventThread(Supplier<CompletableFuture<T>> action) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        scheduler.execute(() -> {
            try {
                CompletableFuture<?> unused = action.get().whenComplete((value, failure) -> {
                    if (failure != null) {
                        answer.completeExceptionally(Proposer.cause(failure));
                    } else {
                        answer.complete(value);
                    }
                });
            } catch (RuntimeException | Error e) {
                answer.completeExceptionally(e);
                throw e;
            }
        });
        return answer;
    }

    private void tick() {
        ledgerCheck.tick();
        feed.tick();
    }

    /** Recounts everything at once: for tests and simulation. Safe for use by any thread. */
    public CompletableFuture<LedgerAudit> auditLedger() {
        return onEventThread(() -> CompletableFuture.completedFuture(ledgerCheck.audit()));
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
            leader = Optional.of(new Leader(members, now.term(), around, feed, survey, state, proposer));
        }
    }

    /** Answers nothing more. */
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
