package io.ecfs.namenode.state;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.cluster.Datanodes;
import io.ecfs.namenode.cluster.Events;
import io.ecfs.namenode.cluster.Identity;
import io.ecfs.namenode.cluster.TokenKeys;
import io.ecfs.namenode.command.Applied;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.group.Garbage;
import io.ecfs.namenode.group.Orphans;
import io.ecfs.namenode.group.Repairs;
import io.ecfs.namenode.namespace.NamespaceChange;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import java.util.Optional;

/** Which rule applies which command. */
final class CommandRules {
    private CommandRules() {}

    /** @throws EcfsException why it is refused; what it wrote until then must be dropped */
    static Applied apply(Transaction transaction, Command command) throws EcfsException {
        if (command instanceof Command.Format c) {
            return format(transaction, c);
        }
        Identity identity = MetadataView.formatted(transaction);
        if (command instanceof Command.Call c) {
            return NamespaceChange.call(transaction, identity, c);
        } else if (command instanceof Command.BeginRecovery c) {
            return NamespaceChange.beginRecovery(transaction, c);
        } else if (command instanceof Command.FinishRecovery c) {
            return NamespaceChange.finishRecovery(transaction, c);
        } else if (command instanceof Command.PurgeStep c) {
            return new Applied.Purged(NamespaceChange.purge(transaction, c.budget()));
        } else if (command instanceof Command.RegisterDatanode c) {
            DatanodeFacts facts =
                    Datanodes.register(transaction, c.datanode(), c.uuid(), c.address(), c.rack(), c.volumes());
            return new Applied.Registered(facts.volumes());
        } else if (command instanceof Command.BeginRepair c) {
            return new Applied.RepairBegun(Repairs.begin(transaction, c.group(), c.index(), c.target(), c.writer())
                    .chunk());
        }
        bookkeeping(transaction, command);
        return new Applied.Done();
    }

    private static void bookkeeping(Transaction transaction, Command command) throws EcfsException {
        if (command instanceof Command.MarkGarbage c) {
            Orphans.markGarbage(transaction, c.chunk(), c.proof());
        } else if (command instanceof Command.ForgetGarbage c) {
            c.chunks().forEach(chunk -> Garbage.forget(transaction, chunk));
        } else if (command instanceof Command.AdoptChunk c) {
            Orphans.adopt(transaction, c.chunk(), c.groupLength());
        } else if (command instanceof Command.CommitRepair c) {
            Repairs.commit(transaction, c.chunk(), c.groupLength(), c.replaced(), c.proof());
        } else if (command instanceof Command.RollKeys c) {
            TokenKeys.roll(transaction, c.key(), c.nowMillis());
        } else if (command instanceof Command.RecordEvent c) {
            Events.add(transaction, c.nowMillis(), c.event(), c.details());
        } else {
            throw new EcfsException(
                    ErrorCode.INTERNAL,
                    "no rule for command " + command.getClass().getSimpleName());
        }
    }

    private static Applied format(Transaction transaction, Command.Format command) {
        Optional<Identity> present = Identity.find(transaction);
        if (present.isPresent()) {
            return new Applied.Formatted(present.get().clusterId());
        }
        Identity identity =
                new Identity(command.clusterId(), command.owner(), command.defaultPolicy(), command.nowMillis());
        identity.put(transaction);
        NamespaceChange.format(transaction, identity);
        return new Applied.Formatted(identity.clusterId());
    }
}
