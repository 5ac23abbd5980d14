package io.ecfs.namenode.state;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.ClusterEvent;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.NamespaceRequest;
import io.ecfs.namenode.cluster.ComparableFacts;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.cluster.Datanodes;
import io.ecfs.namenode.cluster.Identity;
import io.ecfs.namenode.cluster.LevelInForce;
import io.ecfs.namenode.cluster.LogRow;
import io.ecfs.namenode.cluster.TokenKeys;
import io.ecfs.namenode.command.Applied;
import io.ecfs.namenode.command.Command;
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
    static Applied apply(Transaction transaction, Command command) throws EcfsException {
        if (command instanceof Command.Format c) {
            return format(transaction, c);
        }
        Identity identity = MetadataView.formatted(transaction);
        if (command instanceof Command.Call c && c.mutation() instanceof NamespaceRequest.OpenSession) {
            return new Applied.Done(); // what is remembered of it is the session
        }
        if (command instanceof Command.Call c) {
            RequestRights.require(identity, c.caller(), c.mutation());
        }
        if (command instanceof Command.Call c && c.mutation() instanceof NamespaceRequest.SetDuty wanted) {
            DutyRules.set(transaction, c, wanted);
            return new Applied.Done();
        } else if (command instanceof Command.Call c && c.mutation() instanceof NamespaceRequest.AdmitDatanode wanted) {
            Datanodes.admit(transaction, wanted.datanode());
            return new Applied.Done();
        } else if (command instanceof Command.Call c && c.mutation() instanceof NamespaceRequest.SetSafeMode wanted) {
            return setSafeMode(transaction, wanted);
        } else if (command instanceof Command.Call c && c.mutation() instanceof NamespaceRequest.PauseMover wanted) {
            Counter.MOVER_PAUSED.add(transaction, (wanted.paused() ? 1 : 0) - Counter.MOVER_PAUSED.of(transaction));
            return new Applied.Done();
        } else if (command instanceof Command.Call c && c.mutation() instanceof NamespaceRequest.SetThrottles wanted) {
            set(transaction, Counter.REPAIRS_AT_ONCE, wanted.repairsAtOnce());
            set(transaction, Counter.REPAIRS_PER_DATANODE, wanted.repairsPerDatanode());
            set(transaction, Counter.REPAIR_BYTES_PER_SECOND, wanted.repairBytesPerSecond());
            return new Applied.Done();
        } else if (command instanceof Command.Call c) {
            refuseInSafeMode(transaction);
            return NamespaceChange.call(transaction, identity, c);
        } else if (command instanceof Command.BeginRecovery c) {
            return NamespaceChange.beginRecovery(transaction, c);
        } else if (command instanceof Command.FinishRecovery c) {
            return NamespaceChange.finishRecovery(transaction, c);
        } else if (command instanceof Command.PurgeStep c) {
            return new Applied.Purged(NamespaceChange.purge(transaction, c.budget(), c.upTo()));
        } else if (command instanceof Command.RegisterDatanode c) {
            DatanodeFacts facts =
                    Datanodes.register(transaction, c.datanode(), c.uuid(), c.address(), c.rack(), c.volumes());
            return new Applied.Registered(facts.volumes());
        } else if (command instanceof Command.BeginRepair c) {
            return beginRepair(transaction, c);
        }
        bookkeeping(transaction, command);
        return new Applied.Done();
    }

    private static Applied setSafeMode(Transaction transaction, NamespaceRequest.SetSafeMode wanted) {
        Counter.SAFE_MODE.add(transaction, (wanted.on() ? 1 : 0) - Counter.SAFE_MODE.of(transaction));
        return new Applied.Done();
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
            DutyRules.change(transaction, c);
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

    private static Applied beginRepair(Transaction transaction, Command.BeginRepair command) throws EcfsException {
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
        return new Applied.RepairBegun(chunk);
    }

    private static Applied format(Transaction transaction, Command.Format command) throws EcfsException {
        Optional<Identity> present = Identity.find(transaction);
        if (present.isPresent()) {
            return new Applied.Formatted(present.get().clusterId());
        }
        Identity identity =
                new Identity(command.clusterId(), command.owner(), command.defaultPolicy(), command.nowMillis());
        identity.put(transaction);
        LevelInForce.raise(transaction, command.level().orElse(FeatureLevel.FIRST));
        command.log().map(UUID::fromString).ifPresent(log -> {
            LogRow.put(transaction, log);
            ComparableFacts.begin(transaction);
        });
        NamespaceChange.format(transaction, identity);
        return new Applied.Formatted(identity.clusterId());
    }
}
