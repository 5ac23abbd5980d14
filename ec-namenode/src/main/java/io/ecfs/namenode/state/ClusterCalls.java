package io.ecfs.namenode.state;

import io.ecfs.dispatch.HandlerTable;
import io.ecfs.error.EcfsException;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.cluster.Datanodes;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.history.History;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import java.util.Optional;

/** Mutations of the cluster by operators, and sessions of clients. An operator's safe mode rejects none of them. */
final class ClusterCalls {
    static final HandlerTable<Mutation, Call, CommandResult> HANDLERS =
            HandlerTable.<Mutation, Call, CommandResult>builder()
                    .on(NamespaceRequest.OpenSession.class, ClusterCalls::openSession)
                    .on(NamespaceRequest.SetAdminState.class, ClusterCalls::setAdminState)
                    .on(NamespaceRequest.AdmitDatanode.class, ClusterCalls::admit)
                    .on(NamespaceRequest.SetSafeMode.class, ClusterCalls::setSafeMode)
                    .on(NamespaceRequest.PauseMover.class, ClusterCalls::pauseMover)
                    .on(NamespaceRequest.SetThrottles.class, ClusterCalls::setThrottles)
                    .on(NamespaceRequest.CreateRing.class, (call, wanted) -> RingRules.create(call, wanted))
                    .on(NamespaceRequest.SetRing.class, (call, wanted) -> RingRules.set(call, wanted))
                    .on(NamespaceRequest.AssignVolumes.class, (call, wanted) -> RingRules.assign(call, wanted))
                    .on(NamespaceRequest.DropRing.class, (call, wanted) -> RingRules.drop(call, wanted))
                    .build();

    private ClusterCalls() {}

    /** @param command that carries the mutation, with its time and caller */
    record Call(Transaction transaction, Command.Call command) {}

    /** The retained session is its whole effect. */
    private static CommandResult openSession(Call call, NamespaceRequest.OpenSession wanted) {
        return new CommandResult.Done();
    }

    private static CommandResult setAdminState(Call call, NamespaceRequest.SetAdminState wanted) throws EcfsException {
        AdminStateRules.set(call.transaction(), call.command(), wanted);
        return new CommandResult.Done();
    }

    private static CommandResult admit(Call call, NamespaceRequest.AdmitDatanode wanted) throws EcfsException {
        Datanodes.admit(call.transaction(), wanted.datanode());
        return new CommandResult.Done();
    }

    private static CommandResult setSafeMode(Call call, NamespaceRequest.SetSafeMode wanted) {
        set(call.transaction(), Counter.SAFE_MODE, wanted.on() ? 1 : 0);
        return new CommandResult.Done();
    }

    private static CommandResult pauseMover(Call call, NamespaceRequest.PauseMover wanted) {
        set(call.transaction(), Counter.MOVER_PAUSED, wanted.paused() ? 1 : 0);
        return new CommandResult.Done();
    }

    private static CommandResult setThrottles(Call call, NamespaceRequest.SetThrottles wanted) {
        Transaction transaction = call.transaction();
        Optional<Long> atOnce = changed(transaction, Counter.REPAIRS_AT_ONCE, wanted.repairsAtOnce());
        Optional<Long> perDatanode = changed(transaction, Counter.REPAIRS_PER_DATANODE, wanted.repairsPerDatanode());
        Optional<Long> bytes = changed(transaction, Counter.REPAIR_BYTES_PER_SECOND, wanted.repairBytesPerSecond());
        if (atOnce.isPresent() || perDatanode.isPresent() || bytes.isPresent()) {
            History.recordSetting(
                    transaction,
                    call.command().nowMillis(),
                    new ClusterEvent.ThrottlesChanged(
                            atOnce, perDatanode, bytes, call.command().caller().who()));
        }
        return new CommandResult.Done();
    }

    /**
     * Sets a throttle; returns it when it was another before. The row has the throttle plus one, so that 0 means unset,
     * as {@link NamespaceRequest.SetThrottles#AS_CONFIGURED} does.
     */
    private static Optional<Long> changed(Transaction transaction, Counter counter, Optional<Long> wanted) {
        Optional<Long> changed = wanted.filter(value -> value + 1 != counter.of(transaction));
        changed.ifPresent(value -> set(transaction, counter, value + 1));
        return changed;
    }

    private static void set(Transaction transaction, Counter counter, long value) {
        counter.add(transaction, value - counter.of(transaction));
    }
}
