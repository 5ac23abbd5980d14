package io.ecfs.namenode.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.AdminState;
import io.ecfs.message.AdminState.State;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.RequestId;
import io.ecfs.message.namespace.NamespaceRequest.SetAdminState;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.log.ReplicatedState.Position;
import io.ecfs.namenode.store.MemoryStore;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the log takes of what is wanted of datanodes, and what it refuses. */
class AdminStateRulesTest {
    private static final DatanodeId DN = new DatanodeId("dn0");

    private final Ledger ledger = new Ledger(new MemoryStore());

    private SetAdminState wanted(State state) {
        return new SetAdminState(ledger.request(), DN, state, Optional.empty());
    }

    private SetAdminState maintenance(long millis) {
        return new SetAdminState(ledger.request(), DN, State.IN_MAINTENANCE, Optional.of(millis));
    }

    private AdminState adminState() {
        try (MetadataView view = ledger.state.view()) {
            return view.datanode(DN).orElseThrow().adminState();
        }
    }

    private List<ClusterEvent.AdminStateChanged> changes() {
        try (MetadataView view = ledger.state.view()) {
            return view.events(0, 1000).stream()
                    .filter(e -> e.event() instanceof ClusterEvent.AdminStateChanged)
                    .map(e -> (ClusterEvent.AdminStateChanged) e.event())
                    .toList();
        }
    }

    private CommandResult change(State next) {
        return ledger.apply(new Command.ChangeAdminState(ledger.now, DN, adminState(), next, "found"));
    }

    private Incident incident() {
        try (MetadataView view = ledger.state.view()) {
            return view.incidents(0, 100).get(0);
        }
    }

    @Test
    void anAdminStateSurvivesANewRegistration() {
        assertThat(adminState()).isEqualTo(AdminState.USUAL);
        ledger.done(wanted(State.DECOMMISSIONING));
        assertThat(adminState()).isEqualTo(new AdminState(State.DECOMMISSIONING, ledger.now, Optional.empty()));
        ledger.apply(new Command.RegisterDatanode(
                ledger.now, DN, "uuid0", new Address("elsewhere", 1), "/r2", List.of("vol0", "more")));
        assertThat(adminState().state()).isEqualTo(State.DECOMMISSIONING);
    }

    @Test
    void sayingItAgainChangesNothingButTheEndOfMaintenance() {
        ledger.done(wanted(State.IN_SERVICE));
        assertThat(changes()).isEmpty();
        ledger.done(wanted(State.DECOMMISSIONING));
        AdminState first = adminState();
        ledger.now += 5000;
        ledger.done(wanted(State.DECOMMISSIONING));
        assertThat(adminState()).isEqualTo(first);
        assertThat(changes()).hasSize(1);
        ledger.done(wanted(State.IN_SERVICE));

        ledger.done(maintenance(60_000));
        AdminState before = adminState();
        assertThat(before.untilMillis()).contains(ledger.now + 60_000);
        ledger.now += 10_000;
        int changes = changes().size();
        ledger.done(maintenance(60_000));
        assertThat(changes())
                .as("the new end is in the history")
                .hasSize(changes + 1)
                .endsWith(new ClusterEvent.AdminStateChanged(
                        DN,
                        State.IN_MAINTENANCE,
                        State.IN_MAINTENANCE,
                        Optional.of(ledger.now + 60_000),
                        "wanted by root"));
        assertThat(adminState())
                .isEqualTo(
                        new AdminState(State.IN_MAINTENANCE, before.sinceMillis(), Optional.of(ledger.now + 60_000)));
        ledger.done(wanted(State.IN_MAINTENANCE));
        assertThat(adminState().untilMillis()).isEmpty();
    }

    @Test
    void onlyTheSuperuserChangesTheAdminState() {
        ledger.refused(
                new CallerIdentity("eve", List.of("users")), wanted(State.DECOMMISSIONING), ErrorCode.ACCESS_DENIED);
        assertThat(ledger.call(new CallerIdentity("ann", List.of("supergroup")), wanted(State.IN_MAINTENANCE)))
                .isEqualTo(new CommandResult.Done());
    }

    @Test
    void anUnknownDatanodeIsRefusedWithTheNearestName() {
        SetAdminState typo =
                new SetAdminState(ledger.request(), new DatanodeId("dm3"), State.DECOMMISSIONING, Optional.empty());
        assertThat(ledger.call(typo)).isInstanceOfSatisfying(CommandResult.Refused.class, refused -> {
            assertThat(refused.code()).isEqualTo(ErrorCode.NOT_FOUND);
            assertThat(refused.message()).contains("no datanode dm3").contains("did you mean dn3?");
        });
    }

    @Test
    void oneThatLeavesGoesIntoNoMaintenance() {
        ledger.done(wanted(State.DECOMMISSIONING));
        ledger.refused(maintenance(1000), ErrorCode.INVALID_ARGUMENT);
        ledger.done(wanted(State.IN_SERVICE));
        ledger.done(maintenance(1000));
        ledger.done(wanted(State.DECOMMISSIONING));
        assertThat(adminState().untilMillis()).isEmpty();
    }

    /** HDFS-17658. */
    @Test
    // HDFS-17365
    void itIsDecommissionedWhenNoGroupPlacesAChunkOnIt() {
        CommandResult.Created file = ledger.open("/f");
        ledger.done(wanted(State.DECOMMISSIONING));
        ledger.refused(change(State.DECOMMISSIONED), ErrorCode.INVALID_ARGUMENT);
        ledger.close(file, 100);
        ledger.refused(change(State.DECOMMISSIONED), ErrorCode.INVALID_ARGUMENT);
        ledger.done(ledger.delete("/f"));
        ledger.apply(new Command.PurgeStep(ledger.now, 1000));
        ledger.now += 7000;
        assertThat(change(State.DECOMMISSIONED)).isEqualTo(new CommandResult.Done());
        assertThat(adminState()).isEqualTo(new AdminState(State.DECOMMISSIONED, ledger.now, Optional.empty()));
        ledger.done(wanted(State.DECOMMISSIONING));
        assertThat(adminState().state()).as("it is that already").isEqualTo(State.DECOMMISSIONED);
        assertThat(incident().cause()).isEqualTo(IncidentCause.leaving(DN));
        assertThat(incident().healedMillis()).contains(ledger.now);

        ledger.refused(change(State.DECOMMISSIONING), ErrorCode.INVALID_ARGUMENT);
        ledger.open("/late");
        assertThat(change(State.DECOMMISSIONING)).isEqualTo(new CommandResult.Done());
        assertThat(changes())
                .extracting(ClusterEvent.AdminStateChanged::to)
                .containsExactly(State.DECOMMISSIONING, State.DECOMMISSIONED, State.DECOMMISSIONING);
    }

    @Test
    void theLeaderEndsMaintenanceWhenItsTimeIsOver() {
        ledger.done(maintenance(60_000));
        AdminState seen = adminState();
        ledger.refused(change(State.IN_SERVICE), ErrorCode.INVALID_ARGUMENT);
        ledger.now += 59_000;
        ledger.done(maintenance(60_000));
        ledger.now += 1_000;
        ledger.refused(
                ledger.apply(new Command.ChangeAdminState(ledger.now, DN, seen, State.IN_SERVICE, "over")),
                ErrorCode.INVALID_ARGUMENT);
        ledger.now += 59_000;
        assertThat(change(State.IN_SERVICE)).isEqualTo(new CommandResult.Done());
        assertThat(adminState()).isEqualTo(new AdminState(State.IN_SERVICE, ledger.now, Optional.empty()));
        ledger.done(wanted(State.IN_MAINTENANCE));
        ledger.now += 1_000_000;
        ledger.refused(change(State.IN_SERVICE), ErrorCode.INVALID_ARGUMENT);
    }

    @Test
    void recommissionEndsTheIncidentAndARetryOfACallHasItsEffectOnce() {
        SetAdminState call = wanted(State.DECOMMISSIONING);
        ledger.done(call);
        assertThat(incident().healedMillis()).isEmpty();
        ledger.done(wanted(State.IN_SERVICE));
        assertThat(incident().healedMillis()).isPresent();
        ledger.done(new SetAdminState(new RequestId("other", 1), DN, State.IN_SERVICE, Optional.empty()));
        ledger.done(call);
        assertThat(adminState().state()).isEqualTo(State.IN_SERVICE);
    }

    @Test
    void theLogGivesTheSameDutiesOnEveryNode() {
        ledger.done(maintenance(60_000));
        ledger.now += 70_000;
        change(State.IN_SERVICE);
        ledger.done(wanted(State.DECOMMISSIONING));
        change(State.DECOMMISSIONED);
        MetadataState other = new MetadataState(new MemoryStore());
        for (int i = 0; i < ledger.commands.size(); i++) {
            other.apply(new Position(1, i + 1), List.of(ledger.commands.get(i)));
        }
        assertThat(other.stateHash()).isEqualTo(ledger.state.stateHash());
        try (MetadataView view = other.view()) {
            assertThat(view.datanode(DN).orElseThrow().adminState()).isEqualTo(adminState());
            assertThat(adminState().state()).isEqualTo(State.DECOMMISSIONED);
        }
    }
}
