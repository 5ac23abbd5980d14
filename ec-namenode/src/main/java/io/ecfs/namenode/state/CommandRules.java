package io.ecfs.namenode.state;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.namespace.NamespaceRequest;
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
import java.util.Optional;
import java.util.UUID;

/** Which rule applies which command. */
final class CommandRules {
    private CommandRules() {}

    /** @throws EcfsException why it is refused; what it wrote until then must be dropped */
    static CommandResult apply(Transaction transaction, Command command) throws EcfsException {
        if (command instanceof Command.Format c) {
            return format(transaction, c);
        }
        ClusterIdentity identity = MetadataView.formatted(transaction);
        if (command instanceof Command.Call c && c.mutation() instanceof NamespaceRequest.OpenSession) {
            return new CommandResult.Done(); // what is remembered of it is the session
        }
        if (command instanceof Command.Call c) {
            RequestRights.require(identity, c.caller(), c.mutation());
        }
        if (command instanceof Command.Call c && c.mutation() instanceof NamespaceRequest.SetAdminState wanted) {
            AdminStateRules.set(transaction, c, wanted);
            return new CommandResult.Done();
        } else if (command instanceof Command.Call c && c.mutation() instanceof NamespaceRequest.AdmitDatanode wanted) {
            Datanodes.admit(transaction, wanted.datanode());
            return new CommandResult.Done();
        } else if (command instanceof Command.Call c && c.mutation() instanceof NamespaceRequest.SetSafeMode wanted) {
            return setSafeMode(transaction, wanted);
        } else if (command instanceof Command.Call c && c.mutation() instanceof NamespaceRequest.PauseMover wanted) {
            Counter.MOVER_PAUSED.add(transaction, (wanted.paused() ? 1 : 0) - Counter.MOVER_PAUSED.of(transaction));
            return new CommandResult.Done();
        } else if (command instanceof Command.Call c && c.mutation() instanceof NamespaceRequest.SetThrottles wanted) {
            set(transaction, Counter.REPAIRS_AT_ONCE, wanted.repairsAtOnce());
            set(transaction, Counter.REPAIRS_PER_DATANODE, wanted.repairsPerDatanode());
            set(transaction, Counter.REPAIR_BYTES_PER_SECOND, wanted.repairBytesPerSecond());
            return new CommandResult.Done();
        } else if (command instanceof Command.Call c) {
            refuseInSafeMode(transaction);
            return NamespaceChange.call(transaction, identity, c);
        } else if (command instanceof Command.BeginRecovery c) {
            return NamespaceChange.beginRecovery(transaction, c);
        } else if (command instanceof Command.FinishRecovery c) {
            return NamespaceChange.finishRecovery(transaction, c);
        } else if (command instanceof Command.PurgeStep c) {
            return new CommandResult.Purged(NamespaceChange.purge(transaction, c.budget(), c.upTo()));
        } else if (command instanceof Command.RegisterDatanode c) {
            DatanodeFacts facts =
                    Datanodes.register(transaction, c.datanode(), c.uuid(), c.address(), c.rack(), c.volumes());
            return new CommandResult.Registered(facts.volumes());
        } else if (command instanceof Command.BeginRepair c) {
            return beginRepair(transaction, c);
        }
        bookkeeping(transaction, command);
        return new CommandResult.Done();
    }

    private static CommandResult setSafeMode(Transaction transaction, NamespaceRequest.SetSafeMode wanted) {
        Counter.SAFE_MODE.add(transaction, (wanted.on() ? 1 : 0) - Counter.SAFE_MODE.of(transaction));
        return new CommandResult.Done();
    }

    /** A counter has what was set plus one, so that 0 is nothing, as is {@link NamespaceRequest.SetThrottles#AS_CONFIGURED}. */
    private static void set(Transaction transaction, Counter counter, Optional<Long> wanted) {
        wanted.ifPresent(value -> counter.add(transaction, value + 1 - counter.of(transaction)));
    }

    private static void refuseInSafeMode(Transaction transaction) throws EcfsException {
        if (Counter.SAFE_MODE.of(transaction) > 0) {
            throw new EcfsException(
                    ErrorCode.SAFE_MODE,
                    "the namenode refuses changes because the superuser asked for it: setSafeMode(LEAVE) ends that");
        }
    }

    private static void bookkeeping(Transaction transaction, Command command) throws EcfsException {
        if (command instanceof Command.MarkGarbage c) {
            Orphans.markGarbage(transaction, c.chunk(), c.stamp().orElse(Stamp.NONE), c.proof());
        } else if (command instanceof Command.ForgetGarbage c) {
            c.chunks().forEach(chunk -> Garbage.forget(transaction, chunk));
        } else if (command instanceof Command.AdoptChunk c) {
            Orphans.adopt(transaction, c.chunk(), c.stamp().orElse(Stamp.NONE), c.groupLength());
        } else if (command instanceof Command.CommitRepair c) {
            Repairs.commit(transaction, c.chunk(), c.groupLength(), c.replaced(), c.proof());
            c.event().ifPresent(event -> History.record(transaction, c.nowMillis(), event));
        } else if (command instanceof Command.ChangeDuty c) {
            AdminStateRules.change(transaction, c);
        } else if (command instanceof Command.RollKeys c) {
            TokenKeys.roll(transaction, c.key(), c.nowMillis());
        } else if (command instanceof Command.RecordEvents c) {
            History.bound(transaction, c.bounds());
            c.events().forEach(noted -> History.record(transaction, noted.atMillis(), noted.event()));
        } else if (command instanceof Command.RaiseLevel c) {
            LevelInForce.raise(transaction, c.level());
        } else if (command instanceof Command.CheckState) {
            ComparableFacts.begin(transaction);
        } else {
            throw new EcfsException(
                    ErrorCode.INTERNAL,
                    "no rule for command " + command.getClass().getSimpleName());
        }
    }

    private static CommandResult beginRepair(Transaction transaction, Command.BeginRepair command)
            throws EcfsException {
        ChunkId chunk = Repairs.begin(transaction, command.group(), command.index(), command.target(), command.writer())
                .chunk();
        command.reason()
                .ifPresent(reason -> History.record(
                        transaction,
                        command.nowMillis(),
                        new ClusterEvent.RepairPlanned(
                                reason.cause(),
                                chunk,
                                reason.detectedMillis(),
                                reason.deadMillis(),
                                reason.checkedMillis(),
                                command.target(),
                                reason.datanode(),
                                reason.text())));
        return new CommandResult.RepairBegun(chunk);
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
