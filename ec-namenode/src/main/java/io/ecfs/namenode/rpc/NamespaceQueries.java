package io.ecfs.namenode.rpc;

import io.ecfs.dispatch.HandlerTable;
import io.ecfs.layout.Policy;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.namenode.cluster.ClusterIdentity;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.Locator;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.namespace.NamespaceView;
import io.ecfs.namenode.placement.Placement;
import io.ecfs.namenode.state.MetadataView;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Queries of clients: status, lists, locations, attributes, and the reports of lease holders and readers. Safe for use
 * by any thread.
 */
final class NamespaceQueries {

    private final QueryExecutor executor;
    private final NamenodeContext context;
    private final ClusterView cluster;
    private final Locator locator;

    NamespaceQueries(QueryExecutor executor, NamenodeContext context, ClusterView cluster, Locator locator) {
        this.executor = executor;
        this.context = context;
        this.cluster = cluster;
        this.locator = locator;
    }

    HandlerTable<NamespaceRequest, CallerIdentity, CompletableFuture<NamespaceReply>> handlers() {
        return HandlerTable.<NamespaceRequest, CallerIdentity, CompletableFuture<NamespaceReply>>builder()
                .on(
                        NamespaceRequest.GetStatus.class,
                        (caller, get) ->
                                executor.namespace(n -> new NamespaceReply.Status(n.status(get.path(), caller))))
                .on(
                        NamespaceRequest.GetInodeStatus.class,
                        (caller, get) ->
                                executor.namespace(n -> new NamespaceReply.Status(n.status(get.inode(), caller))))
                .on(NamespaceRequest.ListStatus.class, this::list)
                .on(NamespaceRequest.FindNames.class, (caller, find) -> executor.namespace(n -> n.find(find, caller)))
                .on(
                        NamespaceRequest.FindGroups.class,
                        (caller, find) -> executor.facts(view -> GroupFiles.find(view, find, caller)))
                .on(
                        NamespaceRequest.SumDirectory.class,
                        (caller, sum) ->
                                executor.namespace(n -> n.sums(sum.path(), sum.startAfter(), sum.limit(), caller)))
                .on(NamespaceRequest.CheckAccess.class, this::checkAccess)
                .on(NamespaceRequest.GetAcl.class, (caller, get) -> executor.namespace(n -> n.acl(get.path(), caller)))
                .on(
                        NamespaceRequest.GetXAttrs.class,
                        (caller, get) -> executor.namespace(n -> n.xattrs(get.path(), caller)))
                .on(
                        NamespaceRequest.GetQuota.class,
                        (caller, get) -> executor.namespace(n -> n.quota(get.path(), caller)))
                .on(NamespaceRequest.ListPolicies.class, (caller, list) -> policies())
                .on(NamespaceRequest.Locate.class, this::locate)
                .on(NamespaceRequest.LocateAll.class, this::locateAll)
                .on(NamespaceRequest.ConfirmGroup.class, this::confirmGroup)
                .on(NamespaceRequest.RenewToken.class, this::renewToken)
                .on(NamespaceRequest.CountPlaces.class, this::countPlaces)
                .on(NamespaceRequest.RenewLease.class, this::renewLease)
                .on(NamespaceRequest.ReportBadChunks.class, this::reportBadChunks)
                .on(NamespaceRequest.ReportAccesses.class, this::reportAccesses)
                .on(NamespaceRequest.ReportWrites.class, this::reportWrites)
                .build();
    }

    private CompletableFuture<NamespaceReply> list(CallerIdentity caller, NamespaceRequest.ListStatus list) {
        return executor.namespace(n -> {
            NamespaceView.Page page = n.list(list.path(), list.startAfter(), list.limit(), caller);
            return new NamespaceReply.Listing(page.entries(), page.more());
        });
    }

    private CompletableFuture<NamespaceReply> checkAccess(CallerIdentity caller, NamespaceRequest.CheckAccess check) {
        return executor.namespace(n -> {
            n.checkAccess(check.path(), check.bits(), caller);
            return new NamespaceReply.Done();
        });
    }

    private CompletableFuture<NamespaceReply> policies() {
        return executor.facts(view -> {
            Policy policy = view.identity()
                    .map(ClusterIdentity::defaultPolicy)
                    .orElse(context.settings().defaultPolicy());
            return new NamespaceReply.Policies(policy, StandardPolicies.list(policy));
        });
    }

    private CompletableFuture<NamespaceReply> locate(CallerIdentity caller, NamespaceRequest.Locate request) {
        return executor.namespace(
                n -> n.locate(request.path(), request.offset(), request.length(), BatchLocate.GROUPS_AT_ONCE, caller),
                found -> BatchLocate.located(locator, found, caller.user()));
    }

    private CompletableFuture<NamespaceReply> locateAll(CallerIdentity caller, NamespaceRequest.LocateAll request) {
        return executor.namespace(n -> BatchLocate.find(n, request, caller), found -> found.reply(locator));
    }

    private CompletableFuture<NamespaceReply> confirmGroup(
            CallerIdentity caller, NamespaceRequest.ConfirmGroup confirm) {
        return executor.namespace(n -> {
            n.requireWriter(confirm.client(), confirm.file(), confirm.group(), caller);
            return new NamespaceReply.Done();
        });
    }

    private CompletableFuture<NamespaceReply> countPlaces(CallerIdentity caller, NamespaceRequest.CountPlaces count) {
        return executor.byLeader(leading -> {
            try (MetadataView view = context.facts().get()) {
                NamespaceView namespace = view.namespace();
                namespace.requireWriter(count.client(), count.file(), count.group(), caller);
                Policy policy = namespace.policyOf(count.file()).orElseThrow();
                return new NamespaceReply.Places(cluster.newGroup(
                                new Placement(context.settings().minFreeBytes()),
                                policy,
                                namespace.ringOf(count.file()),
                                Set.copyOf(count.avoid()))
                        .volumes()
                        .size());
            }
        });
    }

    private CompletableFuture<NamespaceReply> renewToken(CallerIdentity caller, NamespaceRequest.RenewToken request) {
        return executor.namespace(
                n -> n.writtenGroup(request.client(), request.file(), request.group(), caller),
                group -> new NamespaceReply.Allocated(locator.locate(group, Right.WRITE, caller.user())));
    }

    private CompletableFuture<NamespaceReply> renewLease(CallerIdentity caller, NamespaceRequest.RenewLease renew) {
        return executor.byLeader(leading -> {
            leading.leases.renew(renew.client(), caller.user());
            return new NamespaceReply.Done();
        });
    }

    private CompletableFuture<NamespaceReply> reportBadChunks(
            CallerIdentity caller, NamespaceRequest.ReportBadChunks bad) {
        return executor.byLeader(leading -> {
            try (MetadataView view = context.facts().get()) {
                leading.complaints.take(view, caller, bad.chunks());
            }
            return new NamespaceReply.Done();
        });
    }

    private CompletableFuture<NamespaceReply> reportAccesses(
            CallerIdentity caller, NamespaceRequest.ReportAccesses accesses) {
        return executor.onEventThread(() -> {
            cluster.statistics().onReport(caller.user(), accesses.sets(), context.nowMillis());
            return CompletableFuture.completedFuture(new NamespaceReply.Done());
        });
    }

    private CompletableFuture<NamespaceReply> reportWrites(
            CallerIdentity caller, NamespaceRequest.ReportWrites writes) {
        return executor.onEventThread(() -> {
            cluster.statistics().onWrites(caller.user(), writes, context.nowMillis(), context.epochMillis());
            return CompletableFuture.completedFuture(new NamespaceReply.Done());
        });
    }
}
