package io.ecfs.namenode.rpc;

import io.ecfs.dispatch.HandlerTable;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.CallerContext;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.Locator;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.Proposer;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.leader.Leader;
import io.ecfs.namenode.namespace.inode.Lease;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.wire.Futures;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Mutations of the namespace, at the leader: proposes them with the {@link LeaderChoices}, starts the work that follows
 * from them, and makes the client's reply of the outcome. Owner thread: the namenode's event thread.
 */
final class MutationService {
    /** The outcomes of commands that no mutation has. */
    private static final Set<Class<?>> OF_OTHER_COMMANDS = Set.of(
            CommandResult.Refused.class,
            CommandResult.Formatted.class,
            CommandResult.Registered.class,
            CommandResult.RepairBegun.class,
            CommandResult.Purged.class);

    /** Those whose event in the history names the person behind the caller. */
    private static final Set<Class<?>> OF_OPERATORS = Set.of(
            NamespaceRequest.SetAdminState.class,
            NamespaceRequest.SetThrottles.class,
            NamespaceRequest.SetPolicy.class,
            NamespaceRequest.SetEncoding.class,
            NamespaceRequest.SetDirectoryRing.class,
            NamespaceRequest.CreateRing.class,
            NamespaceRequest.SetRing.class,
            NamespaceRequest.AssignVolumes.class,
            NamespaceRequest.DropRing.class,
            NamespaceRequest.SetQuota.class,
            NamespaceRequest.ConvertFiles.class,
            NamespaceRequest.ControlConversion.class);

    /** Hint of a lease conflict. */
    private static final String CLOSE_THERE = "close it there, or wait until its lease expires";

    private final NamenodeContext context;
    private final ClusterView cluster;
    private final Proposer proposer;
    private final Locator locator;
    private final LeaderChoices choices;
    /** Of the mutations from which work of the leader follows; the others have none. */
    private final HandlerTable<Mutation, Leader, Void> effects = HandlerTable.<Mutation, Leader, Void>builder()
            .on(NamespaceRequest.Delete.class, (leader, delete) -> purgeSoon(leader, true))
            .on(NamespaceRequest.AbandonFile.class, (leader, abandon) -> purgeSoon(leader, true))
            .on(NamespaceRequest.Truncate.class, (leader, truncate) -> purgeSoon(leader, true))
            .on(NamespaceRequest.Concat.class, (leader, concat) -> purgeSoon(leader, true))
            .on(NamespaceRequest.ReplaceLayout.class, (leader, replace) -> purgeSoon(leader, true))
            .on(NamespaceRequest.Create.class, (leader, create) -> purgeSoon(leader, create.overwrite()))
            .on(
                    NamespaceRequest.CreateWithoutGroup.class,
                    (leader, create) -> purgeSoon(leader, create.create().overwrite()))
            .on(NamespaceRequest.Rename.class, (leader, rename) -> purgeSoon(leader, rename.overwrite()))
            .on(NamespaceRequest.SetAdminState.class, (leader, set) -> {
                leader.adminStateChanged();
                return null;
            })
            .on(NamespaceRequest.ConvertFiles.class, (leader, convert) -> converting(leader))
            .on(NamespaceRequest.ControlConversion.class, (leader, control) -> converting(leader))
            .build();

    /** The paths of mutations that another client's lease keeps from a file. */
    private final HandlerTable<Mutation, Leader, FilePath> openers = HandlerTable.<Mutation, Leader, FilePath>builder()
            .on(NamespaceRequest.OpenUpdate.class, (leader, open) -> open.path())
            .on(NamespaceRequest.Append.class, (leader, append) -> append.path())
            .on(NamespaceRequest.Truncate.class, (leader, truncate) -> truncate.path())
            .build();

    private final HandlerTable<CommandResult, Replying, CompletableFuture<NamespaceReply>> replies =
            HandlerTable.<CommandResult, Replying, CompletableFuture<NamespaceReply>>builder()
                    .on(CommandResult.Done.class, (to, done) -> now(new NamespaceReply.Done()))
                    .on(CommandResult.Status.class, (to, status) -> now(new NamespaceReply.Status(status.status())))
                    .on(CommandResult.Created.class, this::created)
                    .on(
                            CommandResult.Committed.class,
                            (to, committed) -> now(new NamespaceReply.Committed(committed.refused())))
                    .on(
                            CommandResult.Updating.class,
                            (to, opened) -> now(
                                    new NamespaceReply.Updating(opened.status(), opened.version(), opened.patches())))
                    .on(CommandResult.Allocated.class, this::allocated)
                    .on(
                            CommandResult.ConversionBegun.class,
                            (to, begun) -> now(new NamespaceReply.ConversionBegun(begun.job())))
                    .on(CommandResult.Recovery.class, this::recovery)
                    .build();

    /** The mutation that an outcome answers, its user, and the leader that proposed it. */
    private record Replying(Leader leader, Mutation mutation, String user) {}

    /** @throws IllegalStateException naming the outcomes of mutations that have no reply */
    MutationService(NamenodeContext context, ClusterView cluster, Proposer proposer, Locator locator) {
        this.context = context;
        this.cluster = cluster;
        this.proposer = proposer;
        this.locator = locator;
        this.choices = new LeaderChoices(context, cluster);
        HandlerTable.requireComplete(
                HandlerTable.records(CommandResult.class).filter(kind -> !OF_OTHER_COMMANDS.contains(kind)),
                List.of(replies.kinds()));
    }

    /** @param host of the caller; empty where it has no connection of its own */
    CompletableFuture<NamespaceReply> call(
            Leader leader, CallerIdentity caller, Optional<String> host, Mutation mutation) {
        if (leader.safeMode.on() && !(mutation instanceof NamespaceRequest.AdmitDatanode)) {
            return CompletableFuture.failedFuture(new EcfsException(
                    ErrorCode.SAFE_MODE,
                    "the namenode is in safe mode and takes no writes yet: " + leader.safeMode.reason()));
        }
        leader.leases.renew(mutation.request().client(), caller.user(), host);
        LeaderChoices.Choices chosen;
        try {
            chosen = choices.choose(leader, caller, mutation);
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
        spareDropped(leader, caller, mutation);
        CompletableFuture<NamespaceReply> reply = new CompletableFuture<>();
        proposer.propose(
                new Command.Call(
                        context.epochMillis(),
                        logged(caller, mutation),
                        mutation,
                        chosen.candidates(),
                        chosen.expiredHolder(),
                        chosen.candidates().isEmpty() ? Optional.empty() : Optional.of(leader.stamp())),
                outcome -> outcome.resolve(
                        applied -> {
                            try {
                                if (effects.handles(mutation)) {
                                    effects.handle(leader, mutation);
                                }
                                Futures.forward(
                                        replies.handle(new Replying(leader, mutation, caller.user()), applied), reply);
                            } catch (EcfsException e) {
                                reply.completeExceptionally(e);
                            }
                        },
                        refusal -> reply.completeExceptionally(withHolder(leader, caller, mutation, refusal))));
        return reply;
    }

    /** Names the host on which a file is open that the caller would open too: a fact of this leader, not of the log. */
    private Throwable withHolder(Leader leader, CallerIdentity caller, Mutation mutation, Throwable failure) {
        if (!(failure instanceof EcfsException refusal)
                || refusal.code() != ErrorCode.LEASE_CONFLICT
                || !openers.handles(mutation)) {
            return failure;
        }
        try (MetadataView view = context.facts().get()) {
            return view.namespace()
                    .lease(openers.handle(leader, mutation), caller)
                    .filter(lease -> !lease.recovering())
                    .flatMap(leader.leases::host)
                    .map(host -> new EcfsException(
                            refusal.code(), refusal.getMessage() + " at " + host, CLOSE_THERE, refusal))
                    .orElse(refusal);
        } catch (EcfsException closedByNow) {
            return refusal;
        }
    }

    /** The caller as the log has it: with the context only for the mutations that record it. */
    private CallerIdentity logged(CallerIdentity caller, Mutation mutation) {
        boolean recorded = OF_OPERATORS.contains(mutation.getClass())
                && caller.context().text().length() <= CallerContext.MOST_STORED;
        if (!recorded) {
            return caller.alone();
        }
        try (MetadataView view = context.facts().get()) {
            return view.levelInForce() >= FeatureLevel.RECORDED_SETTINGS ? caller : caller.alone();
        }
    }

    private static Void converting(Leader leader) {
        leader.rewriting.conversionsChanged();
        return null;
    }

    /** Purges what a mutation removed soon, not at the leader's next tick. */
    private static Void purgeSoon(Leader leader, boolean mayRemove) {
        if (mayRemove) {
            leader.deletion.deleted();
        }
        return null;
    }

    private void notePlaced(GroupFacts group) {
        group.stored().stream().map(ChunkOnVolume::volume).forEach(cluster.table()::placed);
    }

    /** Spares a group that a writer replaces by another one: it may still copy from its live chunks. */
    private static void spareDropped(Leader leader, CallerIdentity caller, Mutation mutation) {
        if (mutation instanceof NamespaceRequest.AddGroup add) {
            add.previous()
                    .filter(word -> word.length() == 0)
                    .ifPresent(word -> leader.deletion.spare(
                            word.group(), add.file(), add.request().client(), caller.user()));
        }
    }

    private static CompletableFuture<NamespaceReply> now(NamespaceReply reply) {
        return CompletableFuture.completedFuture(reply);
    }

    private CompletableFuture<NamespaceReply> created(Replying to, CommandResult.Created created) throws EcfsException {
        notePlaced(created.first());
        return now(
                new NamespaceReply.Created(created.status(), locator.locate(created.first(), Right.WRITE, to.user())));
    }

    private CompletableFuture<NamespaceReply> allocated(Replying to, CommandResult.Allocated allocated)
            throws EcfsException {
        notePlaced(allocated.group());
        return now(new NamespaceReply.Allocated(locator.locate(allocated.group(), Right.WRITE, to.user())));
    }

    /**
     * A lease in recovery is the expected result of {@code RecoverLease}, and a conflict for others. A caller that asks
     * for the file waits a moment for its end; a writer that abandons its own file does not.
     */
    private CompletableFuture<NamespaceReply> recovery(Replying to, CommandResult.Recovery recovery)
            throws EcfsException {
        if (!recovery.closed()) {
            try (MetadataView view = context.facts().get()) {
                view.knownNamespace()
                        .lease(recovery.file())
                        .filter(Lease::recovering)
                        .ifPresent(to.leader().recovery::begin);
            }
        }
        if (to.mutation() instanceof NamespaceRequest.RecoverLease recover) {
            boolean wait = !recovery.closed() && recover.file().isEmpty();
            return wait
                    ? to.leader()
                            .recovery
                            .awaitClosed(recovery.file(), context.settings().leaseCloseWait())
                            .thenApply(NamespaceReply.Recovery::new)
                    : now(new NamespaceReply.Recovery(recovery.closed()));
        }
        throw new EcfsException(
                ErrorCode.LEASE_CONFLICT,
                "the file exists and its writer has gone: it is being recovered to a consistent length; try again");
    }
}
