package io.ecfs.namenode.rpc;

import io.ecfs.dispatch.HandlerTable;
import io.ecfs.error.EcfsException;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.namenode.command.Caller;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.Locator;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.namespace.NamespaceView;
import io.ecfs.namenode.state.MetadataView;
import java.util.concurrent.CompletableFuture;

/**
 * Queries of clients: status, lists, locations, attributes, and what holders of leases and readers report. Safe for use
 * by any thread.
 */
final class NamespaceQueries {
    /** Most groups in one answer to Locate. */
    static final int LOCATE_PAGE = 100;

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

    HandlerTable<NamespaceRequest, Caller, CompletableFuture<NamespaceReply>> handlers() {
        return HandlerTable.<NamespaceRequest, Caller, CompletableFuture<NamespaceReply>>builder()
                .on(
                        NamespaceRequest.GetStatus.class,
                        (caller, get) ->
                                executor.namespace(n -> new NamespaceReply.Status(n.status(get.path(), caller))))
                .on(
                        NamespaceRequest.GetInodeStatus.class,
                        (caller, get) ->
                                executor.namespace(n -> new NamespaceReply.Status(n.status(get.inode(), caller))))
                .on(NamespaceRequest.ListStatus.class, this::list)
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
                .on(NamespaceRequest.RenewLease.class, this::renewLease)
                .on(NamespaceRequest.ReportBadChunks.class, this::reportBadChunks)
                .on(NamespaceRequest.ReportAccesses.class, this::reportAccesses)
                .build();
    }

    private CompletableFuture<NamespaceReply> list(Caller caller, NamespaceRequest.ListStatus list) {
        return executor.namespace(n -> {
            NamespaceView.Page page = n.list(list.path(), list.startAfter(), list.limit(), caller);
            return new NamespaceReply.Listing(page.entries(), page.more());
        });
    }

    private CompletableFuture<NamespaceReply> checkAccess(Caller caller, NamespaceRequest.CheckAccess check) {
        return executor.namespace(n -> {
            n.checkAccess(check.path(), check.bits(), caller);
            return new NamespaceReply.Done();
        });
    }

    private CompletableFuture<NamespaceReply> policies() {
        return executor.confirmed(() -> {
                    try (MetadataView view = executor.state().view()) {
                        return view.identity()
                                .map(i -> i.defaultPolicy())
                                .orElse(context.settings().defaultPolicy());
                    }
                })
                .thenApply(policy -> new NamespaceReply.Policies(policy, StandardPolicies.list(policy)));
    }

    private CompletableFuture<NamespaceReply> locate(Caller caller, NamespaceRequest.Locate request) {
        return executor.confirmed(() -> {
                    try (MetadataView view = executor.state().view()) {
                        return view.namespace()
                                .locate(request.path(), request.offset(), request.length(), LOCATE_PAGE, caller);
                    }
                })
                .thenCompose(found -> executor.onEventThread(() -> {
                    try {
                        return CompletableFuture.<NamespaceReply>completedFuture(
                                BatchLocate.located(locator, found, caller.user()));
                    } catch (EcfsException e) {
                        return CompletableFuture.failedFuture(e);
                    }
                }));
    }

    private CompletableFuture<NamespaceReply> locateAll(Caller caller, NamespaceRequest.LocateAll request) {
        return executor.confirmed(() -> {
                    try (MetadataView view = executor.state().view()) {
                        return BatchLocate.find(view.namespace(), request, caller);
                    }
                })
                .thenCompose(found -> executor.onEventThread(
                        () -> CompletableFuture.<NamespaceReply>completedFuture(found.told(locator))));
    }

    private CompletableFuture<NamespaceReply> confirmGroup(Caller caller, NamespaceRequest.ConfirmGroup confirm) {
        return executor.namespace(n -> {
            n.requireWriter(confirm.client(), confirm.file(), confirm.group(), caller);
            return new NamespaceReply.Done();
        });
    }

    private CompletableFuture<NamespaceReply> renewToken(Caller caller, NamespaceRequest.RenewToken request) {
        return executor.confirmed(() -> {
                    try (MetadataView view = executor.state().view()) {
                        return view.namespace().writtenGroup(request.client(), request.file(), request.group(), caller);
                    }
                })
                .thenCompose(group -> executor.onEventThread(() -> {
                    try {
                        return CompletableFuture.<NamespaceReply>completedFuture(
                                new NamespaceReply.Allocated(locator.locate(group, Right.WRITE, caller.user())));
                    } catch (EcfsException e) {
                        return CompletableFuture.failedFuture(e);
                    }
                }));
    }

    private CompletableFuture<NamespaceReply> renewLease(Caller caller, NamespaceRequest.RenewLease renew) {
        return executor.byLeader(leading -> {
            leading.leases.renew(renew.client(), caller.user());
            return new NamespaceReply.Done();
        });
    }

    private CompletableFuture<NamespaceReply> reportBadChunks(Caller caller, NamespaceRequest.ReportBadChunks bad) {
        return executor.byLeader(leading -> {
            try (MetadataView view = executor.state().view()) {
                leading.complaints.take(view, caller, bad.chunks());
            }
            return new NamespaceReply.Done();
        });
    }

    private CompletableFuture<NamespaceReply> reportAccesses(Caller caller, NamespaceRequest.ReportAccesses accesses) {
        return executor.onEventThread(() -> {
            cluster.statistics().told(caller.user(), accesses.sets(), context.nowMillis());
            return CompletableFuture.completedFuture(new NamespaceReply.Done());
        });
    }
}
