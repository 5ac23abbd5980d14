package io.ecfs.namenode.rpc;

import io.ecfs.dispatch.HandlerTable;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.namenode.audit.AuditSource;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.leader.Leader;
import io.ecfs.namenode.ring.RingReporter;
import io.ecfs.namenode.settings.RepairThrottles;
import io.ecfs.namenode.state.MetadataState;
import io.ecfs.namenode.state.MetadataView;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** Queries of operators: state of the cluster, history, problems, moves, throttles. Safe for use by any thread. */
final class ClusterQueries {
    private final QueryExecutor executor;
    private final NamenodeContext context;
    private final ClusterView cluster;
    private final MetadataState state;
    private final ClusterReporter reporter;
    private final AuditSource audit;

    ClusterQueries(
            QueryExecutor executor,
            NamenodeContext context,
            ClusterView cluster,
            MetadataState state,
            ClusterReporter reporter,
            AuditSource audit) {
        this.executor = executor;
        this.context = context;
        this.state = state;
        this.cluster = cluster;
        this.reporter = reporter;
        this.audit = audit;
    }

    HandlerTable<NamespaceRequest, CallerIdentity, CompletableFuture<NamespaceReply>> handlers() {
        return HandlerTable.<NamespaceRequest, CallerIdentity, CompletableFuture<NamespaceReply>>builder()
                .on(
                        NamespaceRequest.GetReport.class,
                        (caller, get) -> executor.confirmedByLeader(
                                leading -> new NamespaceReply.Report(reporter.report(leading))))
                .on(NamespaceRequest.GetSpace.class, (caller, get) -> executor.byLeader(leading -> reporter.space()))
                .on(
                        NamespaceRequest.GetCluster.class,
                        (caller, get) -> executor.onEventThread(() -> CompletableFuture.completedFuture(cluster())))
                .on(
                        NamespaceRequest.GetNamenodeState.class,
                        (caller, get) -> CompletableFuture.completedFuture(ownState(get, false)))
                .on(NamespaceRequest.GetSafeMode.class, (caller, get) -> executor.confirmedByLeader(this::safeMode))
                .on(
                        NamespaceRequest.GetLoads.class,
                        (caller, get) -> executor.byLeader(
                                leading -> new NamespaceReply.Loads(new LoadReporter(context, cluster).report())))
                .on(
                        NamespaceRequest.GetWrites.class,
                        (caller, get) -> executor.byLeader(leading -> new NamespaceReply.Writes(
                                cluster.statistics().writes(context.nowMillis(), context.epochMillis()))))
                .on(
                        NamespaceRequest.GetHotGroups.class,
                        (caller, get) -> executor.byLeader(leading -> new NamespaceReply.ReadMost(
                                new LoadReporter(context, cluster).hotGroups(get.datanode(), get.limit()))))
                .on(NamespaceRequest.GetRings.class, (caller, get) -> executor.confirmedByLeader(this::rings))
                .on(
                        NamespaceRequest.GetThrottles.class,
                        (caller, get) -> executor.facts(view -> new NamespaceReply.ThrottlesInForce(
                                RepairThrottles.report(view, context.settings().recovery()))))
                .on(NamespaceRequest.ListAudit.class, (caller, list) -> executor.byWorker(() -> audit.page(list)))
                .on(
                        NamespaceRequest.ListEvents.class,
                        (caller, list) -> executor.facts(
                                view -> new NamespaceReply.Events(view.events(list.after(), list.limit()))))
                .on(
                        NamespaceRequest.ListIncidents.class,
                        (caller, list) -> executor.facts(
                                view -> new NamespaceReply.Incidents(view.incidents(list.after(), list.limit()))))
                .on(NamespaceRequest.ListRepairs.class, (caller, list) -> executor.facts(view -> repairs(view, list)))
                .on(
                        NamespaceRequest.FindProblems.class,
                        (caller, find) -> executor.confirmedByLeader(leading ->
                                new Problems(context, cluster, leading.survey, leading.repairs).find(find, caller)))
                .on(
                        NamespaceRequest.FindOrphans.class,
                        (caller, find) -> executor.confirmedByLeader(leading -> orphans(leading, find)))
                .on(
                        NamespaceRequest.FindPacks.class,
                        (caller, find) -> executor.facts(view -> PackUses.find(view, find, caller)))
                .on(
                        NamespaceRequest.ListPacks.class,
                        (caller, list) -> executor.facts(view ->
                                PackUses.page(view, list, context.settings().rewrite())))
                .on(
                        NamespaceRequest.CheckStop.class,
                        (caller, check) -> executor.confirmedByLeader(
                                leading -> SafeToStopCheck.page(context, cluster, leading.survey, check)))
                .on(
                        NamespaceRequest.SumGroups.class,
                        (caller, sum) -> executor.confirmedByLeader(leading -> new NamespaceReply.SummedGroups(
                                PolicySums.page(context, cluster, leading.survey, sum))))
                .on(
                        NamespaceRequest.Balance.class,
                        (caller, balance) -> executor.confirmedByLeader(leading -> new NamespaceReply.Balanced(
                                leading.moves.balance().answer(balance))))
                .on(
                        NamespaceRequest.GetMoves.class,
                        (caller, get) -> executor.confirmedByLeader(leading -> moves(leading, get)))
                .on(
                        NamespaceRequest.GetConversionRules.class,
                        (caller, get) -> executor.namespace(namespace -> namespace.conversionRules(get.path(), caller)))
                .on(
                        NamespaceRequest.GetConversions.class,
                        (caller, get) -> executor.confirmedByLeader(leading -> conversions(leading, caller)))
                .on(
                        NamespaceRequest.FinalizeUpgrade.class,
                        (caller, finalize) -> executor.confirmed(() -> true)
                                .thenCompose(yes -> executor.atLeader(leading -> leading.upgrade.run())))
                .build();
    }

    /** @param proved whether the caller is a daemon that has proved its identity */
    NamespaceReply ownState(NamespaceRequest.GetNamenodeState get, boolean proved) {
        OptionalLong hash = state.hashAt(get.index());
        return new NamespaceReply.NamenodeState(
                state.codec().level(),
                state.levelInForce(),
                state.applied().index(),
                hash.isPresent() ? Optional.of(hash.getAsLong()) : Optional.empty(),
                Optional.of(proved));
    }

    private NamespaceReply conversions(Leader leading, CallerIdentity caller) {
        return new NamespaceReply.Conversions(leading.rewriting
                .conversions()
                .report(superuser(caller) ? Optional.empty() : Optional.of(caller.user())));
    }

    private boolean superuser(CallerIdentity caller) {
        try (MetadataView view = context.facts().get()) {
            return view.identity()
                    .filter(identity -> identity.superuser(caller.user(), caller.groups()))
                    .isPresent();
        }
    }

    private NamespaceReply rings(Leader leading) {
        try (MetadataView view = context.facts().get()) {
            return new NamespaceReply.Rings(
                    new RingReporter(cluster, leading.ringPositions, datanode -> leading.drains.waiting(view, datanode))
                            .rings(view));
        }
    }

    private NamespaceReply cluster() {
        return new NamespaceReply.Cluster(reporter.clusterId(), reporter.namenodes());
    }

    private NamespaceReply safeMode(Leader leading) {
        try (MetadataView view = context.facts().get()) {
            boolean asked = view.count(Counter.SAFE_MODE) > 0;
            return new NamespaceReply.SafeMode(
                    asked || leading.safeMode.on(), asked ? "the superuser asked for it" : leading.safeMode.reason());
        }
    }

    private NamespaceReply orphans(Leader leading, NamespaceRequest.FindOrphans find) {
        try (MetadataView view = context.facts().get()) {
            return leading.orphans.list(view, find);
        }
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
        try (MetadataView view = context.facts().get()) {
            return new NamespaceReply.Moves(leading.moves.mover().report(view, get));
        }
    }
}
