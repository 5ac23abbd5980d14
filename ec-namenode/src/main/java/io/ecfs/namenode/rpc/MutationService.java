package io.ecfs.namenode.rpc;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.namenode.command.Caller;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.context.Locator;
import io.ecfs.namenode.context.Proposer;
import io.ecfs.namenode.context.Surroundings;
import io.ecfs.namenode.group.Allocation;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.leader.Leader;
import io.ecfs.namenode.namespace.NamespaceView;
import io.ecfs.namenode.namespace.inode.Lease;
import io.ecfs.namenode.operation.HandlerTable;
import io.ecfs.namenode.placement.Placement;
import io.ecfs.namenode.state.MetadataView;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls that change the namespace, at the leader: makes the choices that applying must not make (time, placement,
 * whether a lease ran out), proposes, and turns the outcome into the client's answer. Owner thread: the namenode's
 * event thread.
 */
final class MutationService {
    private static final Logger LOG = LoggerFactory.getLogger(MutationService.class);

    private final Surroundings around;
    private final Proposer proposer;
    private final Locator locator;
    private final Placement placement;
    /** Other mutations leave nothing to choose but the time. */
    private final HandlerTable<Mutation, Choosing, Choices> choosers =
            HandlerTable.<Mutation, Choosing, Choices>builder()
                    .on(NamespaceRequest.Create.class, this::create)
                    .on(NamespaceRequest.Append.class, this::append)
                    .on(NamespaceRequest.AddGroup.class, this::addGroup)
                    .on(NamespaceRequest.RecoverLease.class, this::recoverLease)
                    .build();

    private final HandlerTable<CommandResult, Replying, NamespaceReply> replies =
            HandlerTable.<CommandResult, Replying, NamespaceReply>builder()
                    .on(CommandResult.Done.class, (to, done) -> new NamespaceReply.Done())
                    .on(CommandResult.Status.class, (to, status) -> new NamespaceReply.Status(status.status()))
                    .on(CommandResult.Created.class, this::created)
                    .on(CommandResult.Allocated.class, this::allocated)
                    .on(CommandResult.Recovery.class, MutationService::recovery)
                    .build();

    /** What the choices for one mutation are made from. */
    private record Choosing(Leader leader, Caller caller, MetadataView view) {}

    /** The mutation that an outcome answers, and its user. */
    private record Replying(Mutation mutation, String user) {}

    /** What the leader decided for one call. */
    private record Choices(List<VolumeId> candidates, Optional<String> expiredHolder) {
        static final Choices NONE = new Choices(List.of(), Optional.empty());
    }

    MutationService(Surroundings around, Proposer proposer, Locator locator) {
        this.around = around;
        this.proposer = proposer;
        this.locator = locator;
        this.placement = new Placement(around.settings().minFreeBytes());
    }

    CompletableFuture<NamespaceReply> call(Leader leader, Caller caller, Mutation mutation) {
        if (leader.safeMode.on() && !(mutation instanceof NamespaceRequest.AdmitDatanode)) {
            return CompletableFuture.failedFuture(new EcfsException(
                    ErrorCode.SAFE_MODE,
                    "the namenode is in safe mode and takes no writes yet: " + leader.safeMode.reason()));
        }
        leader.leases.renew(mutation.request().client(), caller.user());
        Choices choices;
        try {
            choices = choose(leader, caller, mutation);
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
        spareDropped(leader, caller, mutation);
        CompletableFuture<NamespaceReply> reply = new CompletableFuture<>();
        proposer.propose(
                new Command.Call(
                        around.epochMillis(),
                        caller,
                        mutation,
                        choices.candidates(),
                        choices.expiredHolder(),
                        choices.candidates().isEmpty() ? Optional.empty() : Optional.of(leader.stamp())),
                (applied, failure) -> {
                    if (failure != null) {
                        reply.completeExceptionally(failure);
                        return;
                    }
                    try {
                        noteEffects(leader, mutation, applied);
                        reply.complete(replies.handle(new Replying(mutation, caller.user()), applied));
                    } catch (EcfsException e) {
                        reply.completeExceptionally(e);
                    }
                });
        return reply;
    }

    /**
     * Looks at local facts only, which may be behind: what they refuse is proposed all the same, so that only the log's
     * order decides.
     */
    private Choices choose(Leader leader, Caller caller, Mutation mutation) throws EcfsException {
        if (!choosers.handles(mutation)) {
            return Choices.NONE;
        }
        try (MetadataView view = around.facts().get()) {
            return choosers.handle(new Choosing(leader, caller, view), mutation);
        }
    }

    private Choices create(Choosing on, NamespaceRequest.Create create) throws EcfsException {
        NamespaceView.Room room = room(on.view().namespace(), create, on.caller());
        Policy policy = create.policy().orElse(room.policy());
        return new Choices(
                place(on.view(), on.caller(), create, policy, List.of()),
                room.lease().flatMap(on.leader().leases::expired));
    }

    private Choices append(Choosing on, NamespaceRequest.Append append) throws EcfsException {
        Optional<Policy> policy = filePolicy(on.view().namespace(), append.path(), on.caller());
        return policy.isEmpty()
                ? Choices.NONE
                : new Choices(
                        place(on.view(), on.caller(), append, policy.get(), List.of()),
                        expiredHolder(on, append.path()));
    }

    private Choices addGroup(Choosing on, NamespaceRequest.AddGroup add) throws EcfsException {
        Optional<Policy> policy = on.view().namespace().policyOf(add.file());
        return policy.isEmpty()
                ? Choices.NONE
                : new Choices(place(on.view(), on.caller(), add, policy.get(), add.avoid()), Optional.empty());
    }

    private Choices recoverLease(Choosing on, NamespaceRequest.RecoverLease recover) throws EcfsException {
        return new Choices(List.of(), expiredHolder(on, recover.path()));
    }

    private NamespaceView.Room room(NamespaceView namespace, NamespaceRequest.Create create, Caller caller) {
        try {
            return namespace.roomFor(create.path(), caller);
        } catch (EcfsException refusedByLocalFacts) {
            return new NamespaceView.Room(around.settings().defaultPolicy(), Optional.empty());
        }
    }

    private static Optional<Policy> filePolicy(NamespaceView namespace, FilePath path, Caller caller) {
        try {
            return Optional.of(namespace.status(path, caller))
                    .filter(s -> !s.directory())
                    .map(FileStatus::policy);
        } catch (EcfsException refusedByLocalFacts) {
            return Optional.empty();
        }
    }

    private static Optional<String> expiredHolder(Choosing on, FilePath path) throws EcfsException {
        NamespaceView namespace = on.view().namespace();
        try {
            return namespace.lease(path, on.caller()).flatMap(on.leader().leases::expired);
        } catch (EcfsException refusedByLocalFacts) {
            return Optional.empty();
        }
    }

    /** Of a call that comes again nothing is chosen where there is no room any more: it had its effect before. */
    private List<VolumeId> place(
            MetadataView view, Caller caller, Mutation mutation, Policy policy, List<DatanodeId> avoid)
            throws EcfsException {
        try {
            return place(policy, avoid);
        } catch (EcfsException noRoom) {
            if (view.answerTo(caller.user(), mutation).isPresent()) {
                return List.of();
            }
            throw noRoom;
        }
    }

    private List<VolumeId> place(Policy policy, List<DatanodeId> avoid) throws EcfsException {
        Set<DatanodeId> avoided = new HashSet<>(avoid);
        Placement.Choice choice = placement.choose(
                around.candidates(),
                avoided,
                policy.chunks(),
                around.environment().randomness());
        if (choice.volumes().size() < Allocation.fewestChunks(policy)) {
            throw new EcfsException(
                    ErrorCode.NO_SPACE,
                    "a block group under " + policy + " needs " + policy.chunks() + " datanodes, at least "
                            + Allocation.fewestChunks(policy) + "; " + choice.explain());
        }
        if (choice.volumes().size() < policy.chunks()) {
            LOG.warn(
                    "event=group_short policy={} chunks={} reason=\"{}\"",
                    policy,
                    choice.volumes().size(),
                    choice.explain());
        }
        return choice.volumes();
    }

    private void noteEffects(Leader leader, Mutation mutation, CommandResult applied) {
        if (applied instanceof CommandResult.Created created) {
            notePlaced(created.first());
        } else if (applied instanceof CommandResult.Allocated allocated) {
            notePlaced(allocated.group());
        } else if (applied instanceof CommandResult.Recovery recovery && !recovery.closed()) {
            try (MetadataView view = around.facts().get()) {
                view.knownNamespace()
                        .lease(recovery.file())
                        .filter(Lease::recovering)
                        .ifPresent(leader.recovery::begin);
            }
        }
        if (mutation instanceof NamespaceRequest.SetAdminState) {
            leader.dutyChanged();
        }
        if (mayDelete(mutation)) {
            leader.deletion.deleted();
        }
    }

    /** Whether the call may leave something to turn into garbage soon; the rest waits for the leader's next tick. */
    private static boolean mayDelete(Mutation mutation) {
        return mutation instanceof NamespaceRequest.Delete
                || mutation instanceof NamespaceRequest.AbandonFile
                || mutation instanceof NamespaceRequest.Truncate
                || mutation instanceof NamespaceRequest.Concat
                || (mutation instanceof NamespaceRequest.Create create && create.overwrite())
                || (mutation instanceof NamespaceRequest.Rename rename && rename.overwrite());
    }

    private void notePlaced(GroupFacts group) {
        group.stored().stream().map(ChunkOnVolume::volume).forEach(around.table()::placed);
    }

    /** A group that a writer gives up for another one: it may still copy what it sent from the chunks that live. */
    private static void spareDropped(Leader leader, Caller caller, Mutation mutation) {
        if (mutation instanceof NamespaceRequest.AddGroup add) {
            add.previous()
                    .filter(word -> word.length() == 0)
                    .ifPresent(word -> leader.deletion.spare(
                            word.group(), add.file(), add.request().client(), caller.user()));
        }
    }

    private NamespaceReply created(Replying to, CommandResult.Created created) throws EcfsException {
        return new NamespaceReply.Created(created.status(), locator.locate(created.first(), Right.WRITE, to.user()));
    }

    private NamespaceReply allocated(Replying to, CommandResult.Allocated allocated) throws EcfsException {
        return new NamespaceReply.Allocated(locator.locate(allocated.group(), Right.WRITE, to.user()));
    }

    /**
     * A lease that is being recovered is what its caller wants of {@code RecoverLease}, and stands in the way of
     * others.
     */
    private static NamespaceReply recovery(Replying to, CommandResult.Recovery recovery) throws EcfsException {
        if (to.mutation() instanceof NamespaceRequest.RecoverLease) {
            return new NamespaceReply.Recovery(recovery.closed());
        }
        throw new EcfsException(
                ErrorCode.LEASE_CONFLICT,
                "the file exists and its writer has gone: it is being recovered to a consistent length; try again");
    }
}
