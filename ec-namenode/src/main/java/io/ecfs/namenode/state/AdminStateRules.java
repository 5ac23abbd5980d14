package io.ecfs.namenode.state;

import io.ecfs.config.Nearest;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.AdminState;
import io.ecfs.message.AdminState.State;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.namespace.NamespaceRequest.SetAdminState;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.cluster.Datanodes;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.group.Groups;
import io.ecfs.namenode.history.History;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.util.List;
import java.util.Optional;

/**
 * Rules of a datanode's admin state, changed by an operator and by the leader; the edges stand at {@link AdminState}.
 */
final class AdminStateRules {
    private AdminStateRules() {}

    /**
     * Sets the state that an operator asks for.
     * @throws EcfsException {@code NOT_FOUND}, or {@code INVALID_ARGUMENT} for maintenance of one that leaves
     */
    static void set(Transaction transaction, Command.Call call, SetAdminState asked) throws EcfsException {
        String reason = "wanted by " + call.caller().who();
        AdminState before = find(transaction, asked.datanode()).adminState();
        Optional<Long> until = asked.forMillis().map(millis -> Math.addExact(call.nowMillis(), millis));
        if (asked.wanted() == State.IN_MAINTENANCE && before.state().leaving()) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "datanode " + asked.datanode() + " is " + before.state() + " and cannot go into maintenance:"
                            + " recommission it first");
        }
        boolean there = asked.wanted() == before.state()
                || (asked.wanted() == State.DECOMMISSIONING && before.state() == State.DECOMMISSIONED);
        if (!there) {
            change(transaction, asked.datanode(), before, asked.wanted(), until, call.nowMillis(), reason);
        } else if (!until.equals(before.untilMillis())) {
            Datanodes.putAdminState(
                    transaction, asked.datanode(), new AdminState(before.state(), before.sinceMillis(), until));
            History.record(
                    transaction,
                    call.nowMillis(),
                    new ClusterEvent.AdminStateChanged(
                            asked.datanode(), before.state(), before.state(), until, reason));
        }
    }

    /**
     * Changes the state after what the leader found.
     * @throws EcfsException {@code INVALID_ARGUMENT} when the state is another by now, or the facts disagree
     */
    static void change(Transaction transaction, Command.ChangeAdminState command) throws EcfsException {
        DatanodeFacts facts = find(transaction, command.datanode());
        AdminState before = facts.adminState();
        if (!before.equals(command.expected()) || !holds(transaction, facts, command)) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "datanode " + command.datanode() + " is " + before + " and does not become " + command.next());
        }
        change(
                transaction,
                command.datanode(),
                before,
                command.next(),
                Optional.empty(),
                command.nowMillis(),
                command.reason());
    }

    private static boolean holds(View view, DatanodeFacts facts, Command.ChangeAdminState command) {
        return switch (command.next()) {
            case DECOMMISSIONED -> facts.adminState().state() == State.DECOMMISSIONING && !holdsChunks(view, facts);
            case DECOMMISSIONING -> facts.adminState().state() == State.DECOMMISSIONED && holdsChunks(view, facts);
            case IN_SERVICE ->
                facts.adminState()
                        .untilMillis()
                        .filter(until -> until <= command.nowMillis())
                        .isPresent();
            case IN_MAINTENANCE -> false;
        };
    }

    /** Returns whether the facts place a chunk on it, also one of a group that is being written. */
    private static boolean holdsChunks(View view, DatanodeFacts facts) {
        return facts.volumes().values().stream()
                .anyMatch(volume ->
                        !Groups.onVolume(view, volume, Optional.empty(), 1).isEmpty());
    }

    private static void change(
            Transaction transaction,
            DatanodeId datanode,
            AdminState before,
            State next,
            Optional<Long> until,
            long nowMillis,
            String reason) {
        Datanodes.putAdminState(transaction, datanode, new AdminState(next, nowMillis, until));
        History.record(
                transaction,
                nowMillis,
                new ClusterEvent.AdminStateChanged(datanode, before.state(), next, until, reason));
        IncidentCause leaving = IncidentCause.leaving(datanode);
        if (next == State.DECOMMISSIONING) {
            History.record(transaction, nowMillis, new ClusterEvent.IncidentOpened(leaving, nowMillis, nowMillis));
        } else if (before.state() == State.DECOMMISSIONING) {
            History.record(transaction, nowMillis, new ClusterEvent.IncidentHealed(leaving));
        }
    }

    private static DatanodeFacts find(View view, DatanodeId datanode) throws EcfsException {
        return Datanodes.find(view, datanode).orElseThrow(() -> unknown(view, datanode));
    }

    /** Names the id that was probably meant. */
    static EcfsException unknown(View view, DatanodeId datanode) {
        List<String> names = Datanodes.all(view).stream()
                .map(facts -> facts.datanode().name())
                .toList();
        return new EcfsException(
                ErrorCode.NOT_FOUND,
                "no datanode " + datanode + " has registered; "
                        + (names.isEmpty() ? "none has" : "did you mean " + Nearest.to(datanode.name(), names) + "?"));
    }
}
