package io.ecfs.namenode.state;

import io.ecfs.dispatch.HandlerTable;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.namenode.cluster.ClusterIdentity;
import io.ecfs.namenode.cluster.ComparableFacts;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.cluster.Datanodes;
import io.ecfs.namenode.cluster.LevelInForce;
import io.ecfs.namenode.cluster.LogRow;
import io.ecfs.namenode.cluster.TokenKeys;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.group.Garbage;
import io.ecfs.namenode.group.Orphans;
import io.ecfs.namenode.group.Repairs;
import io.ecfs.namenode.history.History;
import io.ecfs.namenode.namespace.NamespaceChange;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.user.RequestRights;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Handlers of the commands of the log. A {@link Command.Call} goes on to the handler of its mutation: those of the
 * cluster are in {@link ClusterCalls}, those of files and directories in {@link NamespaceChange}.
 */
final class CommandRules {
    private static final HandlerTable<Command, Applying, CommandResult> HANDLERS =
            HandlerTable.<Command, Applying, CommandResult>builder()
                    .on(Command.Call.class, CommandRules::call)
                    .on(Command.BeginRecovery.class, (on, c) -> NamespaceChange.beginRecovery(on.transaction(), c))
                    .on(Command.FinishRecovery.class, (on, c) -> NamespaceChange.finishRecovery(on.transaction(), c))
                    .on(Command.PurgeStep.class, CommandRules::purge)
                    .on(Command.RegisterDatanode.class, CommandRules::register)
                    .on(Command.BeginRepair.class, CommandRules::beginRepair)
                    .on(Command.CommitRepair.class, CommandRules::commitRepair)
                    .on(Command.MarkGarbage.class, CommandRules::markGarbage)
                    .on(Command.ForgetGarbage.class, CommandRules::forgetGarbage)
                    .on(Command.AdoptChunk.class, CommandRules::adopt)
                    .on(Command.ChangeAdminState.class, CommandRules::changeAdminState)
                    .on(Command.RollKeys.class, CommandRules::rollKeys)
                    .on(Command.RecordEvents.class, CommandRules::recordEvents)
                    .on(Command.RaiseLevel.class, CommandRules::raiseLevel)
                    .on(Command.CheckState.class, CommandRules::checkState)
                    .on(Command.BeginRewrite.class, (on, c) -> NamespaceChange.beginRewrite(on.transaction(), c))
                    .on(Command.CommitRewrite.class, (on, c) -> NamespaceChange.commitRewrite(on.transaction(), c))
                    .on(Command.AbortRewrite.class, (on, c) -> NamespaceChange.abortRewrite(on.transaction(), c))
                    .on(Command.AdoptPolicy.class, (on, c) -> NamespaceChange.adoptPolicy(on.transaction(), c))
                    .on(
                            Command.RecordConversion.class,
                            (on, c) -> NamespaceChange.recordConversion(on.transaction(), c))
                    .on(Command.AdaptRing.class, (on, c) -> RingRules.adapt(on.transaction(), c))
                    .build();

    /** Before a cluster is formatted it has no identity, and takes this command alone. */
    private static final Set<Class<?>> WITHOUT_IDENTITY = Set.of(Command.Format.class);

    private CommandRules() {}

    /** The state that a command changes. */
    record Applying(Transaction transaction, ClusterIdentity identity) {}

    /** @throws IllegalStateException naming the commands and mutations without a handler */
    static void requireAllHandled() {
        HandlerTable.requireComplete(HandlerTable.records(Command.class), List.of(HANDLERS.kinds(), WITHOUT_IDENTITY));
        HandlerTable.requireComplete(
                HandlerTable.records(Mutation.class), List.of(ClusterCalls.HANDLERS.kinds(), NamespaceChange.kinds()));
    }

    /** @throws EcfsException why it is refused; what it wrote until then must be dropped */
    static CommandResult apply(Transaction transaction, Command command) throws EcfsException {
        if (command instanceof Command.Format format) {
            return format(transaction, format);
        }
        return HANDLERS.handle(new Applying(transaction, MetadataView.formatted(transaction)), command);
    }

    private static CommandResult call(Applying on, Command.Call call) throws EcfsException {
        RequestRights.require(on.identity(), call.caller(), call.mutation());
        if (ClusterCalls.HANDLERS.handles(call.mutation())) {
            return ClusterCalls.HANDLERS.handle(new ClusterCalls.Call(on.transaction(), call), call.mutation());
        }
        refuseInSafeMode(on.transaction());
        return NamespaceChange.call(on.transaction(), on.identity(), call);
    }

    private static void refuseInSafeMode(Transaction transaction) throws EcfsException {
        if (Counter.SAFE_MODE.of(transaction) > 0) {
            throw new EcfsException(
                    ErrorCode.SAFE_MODE,
                    "the namenode refuses changes because the superuser asked for it: setSafeMode(LEAVE) ends that");
        }
    }

    private static CommandResult purge(Applying on, Command.PurgeStep step) {
        return new CommandResult.Purged(NamespaceChange.purge(on.transaction(), step.budget(), step.upTo()));
    }

    private static CommandResult register(Applying on, Command.RegisterDatanode c) throws EcfsException {
        DatanodeFacts facts =
                Datanodes.register(on.transaction(), c.datanode(), c.uuid(), c.address(), c.rack(), c.volumes());
        return new CommandResult.Registered(facts.volumes());
    }

    private static CommandResult commitRepair(Applying on, Command.CommitRepair c) throws EcfsException {
        Repairs.commit(on.transaction(), c.chunk(), c.groupLength(), c.replaced(), c.proof());
        c.event().ifPresent(event -> History.record(on.transaction(), c.nowMillis(), event));
        return new CommandResult.Done();
    }

    private static CommandResult markGarbage(Applying on, Command.MarkGarbage c) throws EcfsException {
        Orphans.markGarbage(on.transaction(), c.chunk(), c.stamp().orElse(Stamp.NONE), c.proof());
        return new CommandResult.Done();
    }

    private static CommandResult forgetGarbage(Applying on, Command.ForgetGarbage c) {
        c.chunks().forEach(chunk -> Garbage.forget(on.transaction(), chunk));
        return new CommandResult.Done();
    }

    private static CommandResult adopt(Applying on, Command.AdoptChunk c) throws EcfsException {
        Orphans.adopt(on.transaction(), c.chunk(), c.stamp().orElse(Stamp.NONE), c.groupLength());
        return new CommandResult.Done();
    }

    private static CommandResult changeAdminState(Applying on, Command.ChangeAdminState c) throws EcfsException {
        AdminStateRules.change(on.transaction(), c);
        return new CommandResult.Done();
    }

    private static CommandResult rollKeys(Applying on, Command.RollKeys c) throws EcfsException {
        TokenKeys.roll(on.transaction(), c.key(), c.nowMillis());
        return new CommandResult.Done();
    }

    private static CommandResult recordEvents(Applying on, Command.RecordEvents c) {
        History.bound(on.transaction(), c.bounds());
        c.events().forEach(noted -> History.record(on.transaction(), noted.atMillis(), noted.event()));
        return new CommandResult.Done();
    }

    private static CommandResult raiseLevel(Applying on, Command.RaiseLevel c) throws EcfsException {
        LevelInForce.raise(on.transaction(), c.level());
        return new CommandResult.Done();
    }

    private static CommandResult checkState(Applying on, Command.CheckState c) {
        ComparableFacts.begin(on.transaction());
        return new CommandResult.Done();
    }

    private static CommandResult beginRepair(Applying on, Command.BeginRepair c) throws EcfsException {
        ChunkId chunk = Repairs.begin(on.transaction(), c.group(), c.index(), c.target(), c.writer())
                .chunk();
        c.reason().ifPresent(reason -> History.record(on.transaction(), c.nowMillis(), planned(c, chunk, reason)));
        return new CommandResult.RepairBegun(chunk);
    }

    private static ClusterEvent planned(Command.BeginRepair c, ChunkId chunk, Command.RepairReason reason) {
        return new ClusterEvent.RepairPlanned(
                reason.cause(),
                chunk,
                reason.detectedMillis(),
                reason.deadMillis(),
                reason.checkedMillis(),
                c.target(),
                reason.datanode(),
                reason.text());
    }

    private static CommandResult format(Transaction transaction, Command.Format command) throws EcfsException {
        Optional<ClusterIdentity> present = ClusterIdentity.find(transaction);
        if (present.isPresent()) {
            return new CommandResult.Formatted(present.get().clusterId());
        }
        ClusterIdentity identity =
                new ClusterIdentity(command.clusterId(), command.owner(), command.defaultPolicy(), command.nowMillis());
        identity.put(transaction);
        LevelInForce.raise(transaction, command.level().orElse(FeatureLevel.FIRST));
        command.log().map(UUID::fromString).ifPresent(log -> {
            LogRow.put(transaction, log);
            ComparableFacts.begin(transaction);
        });
        NamespaceChange.format(transaction, identity);
        return new CommandResult.Formatted(identity.clusterId());
    }
}
