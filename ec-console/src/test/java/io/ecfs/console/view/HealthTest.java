package io.ecfs.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.console.view.Health.Level;
import io.ecfs.message.Address;
import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.report.ClusterReport.Datanode;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import io.ecfs.message.report.ClusterReport.Drain;
import io.ecfs.message.report.ClusterReport.Groups;
import io.ecfs.message.report.ClusterReport.Namenode;
import io.ecfs.message.report.ClusterReport.Role;
import io.ecfs.message.report.ClusterReport.Volume;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HealthTest {
    private static final Address ADDRESS = new Address("127.0.0.1", 9700);
    private static final Groups WHOLE = new Groups(10, 0, 0, 0);

    private static Health health(Role role, Datanode datanode, Groups groups, List<Long> bySpare) {
        return health(role, List.of(datanode), groups, bySpare);
    }

    private static Health health(Role role, List<Datanode> datanodes, Groups groups, List<Long> bySpare) {
        return Health.of(new ClusterReport(
                "c",
                false,
                "",
                List.of(new Namenode("nn0", ADDRESS, role, 1, 1)),
                datanodes,
                groups,
                Optional.of(bySpare)));
    }

    private static Datanode datanode(DatanodeState state, AdminState.State duty, long used, Optional<Drain> drain) {
        return new Datanode(
                new DatanodeId("dn0"),
                ADDRESS,
                "/r",
                state,
                new AdminState(duty, 0, Optional.empty()),
                drain,
                1,
                List.of(new Volume(new VolumeId(1), VolumeState.HEALTHY, 100, used, 100 - used, 1, 0)));
    }

    private static Datanode fine() {
        return datanode(DatanodeState.HEALTHY, AdminState.State.IN_SERVICE, 10, Optional.empty());
    }

    @Test
    void aWholeClusterIsOkWithoutAReason() {
        assertThat(health(Role.LEADER, fine(), WHOLE, List.of())).isEqualTo(new Health(Level.OK, List.of()));
    }

    @Test
    void anUnavailableGroupIsCritical() {
        Health health = health(Role.LEADER, fine(), new Groups(9, 0, 1, 0), List.of());
        assertThat(health.level()).isEqualTo(Level.CRITICAL);
        assertThat(health.reasons().get(0).text()).isEqualTo("1 group is unavailable");
    }

    @Test
    void aGroupThatToleratesNoFurtherLossIsCritical() {
        Health health = health(Role.LEADER, fine(), new Groups(7, 3, 0, 0), List.of(1L, 2L));
        assertThat(health.reasons())
                .extracting(reason -> reason.level() + " " + reason.text())
                .containsExactly("CRITICAL 1 group tolerates no further loss", "WARNING 2 groups have missing chunks");
    }

    @Test
    void aClusterWithoutALeaderIsCritical() {
        assertThat(health(Role.CANDIDATE, fine(), WHOLE, List.of()).level()).isEqualTo(Level.CRITICAL);
    }

    @Test
    void aDeadDatanodeIsAWarning() {
        Datanode dead = datanode(DatanodeState.DEAD, AdminState.State.IN_SERVICE, 10, Optional.empty());
        assertThat(health(Role.LEADER, List.of(dead, fine()), WHOLE, List.of()).level())
                .isEqualTo(Level.WARNING);
    }

    @Test
    void aStoppedDatanodeInMaintenanceIsNoReason() {
        Datanode resting = datanode(DatanodeState.DEAD, AdminState.State.IN_MAINTENANCE, 10, Optional.empty());
        assertThat(health(Role.LEADER, List.of(resting, fine()), WHOLE, List.of())
                        .reasons())
                .isEmpty();
    }

    @Test
    void aClusterWithoutALiveDatanodeIsCritical() {
        Datanode dead = datanode(DatanodeState.DEAD, AdminState.State.IN_SERVICE, 10, Optional.empty());
        assertThat(health(Role.LEADER, dead, WHOLE, List.of()).level()).isEqualTo(Level.CRITICAL);
        assertThat(health(Role.LEADER, List.of(), WHOLE, List.of()).level()).isEqualTo(Level.CRITICAL);
    }

    @Test
    void spaceOfADrainedDatanodeIsNotFree() {
        Datanode full = datanode(DatanodeState.HEALTHY, AdminState.State.IN_SERVICE, 97, Optional.empty());
        Datanode empty = datanode(DatanodeState.HEALTHY, AdminState.State.DECOMMISSIONED, 0, Optional.empty());
        assertThat(health(Role.LEADER, List.of(full, empty), WHOLE, List.of()).level())
                .isEqualTo(Level.CRITICAL);
    }

    @Test
    void aDrainThatWaitsIsAWarningWithItsReason() {
        Drain waits = new Drain(5, 5, 0, 0, Optional.empty(), Optional.of("no datanode may take the chunk"));
        Datanode leaving = datanode(DatanodeState.HEALTHY, AdminState.State.DECOMMISSIONING, 10, Optional.of(waits));
        assertThat(health(Role.LEADER, leaving, WHOLE, List.of())
                        .reasons()
                        .get(0)
                        .text())
                .isEqualTo("the decommission of datanode dn0 waits: no datanode may take the chunk");
    }

    @Test
    void spaceIsAWarningFrom85PercentAndCriticalFrom95() {
        Datanode nearlyFull = datanode(DatanodeState.HEALTHY, AdminState.State.IN_SERVICE, 85, Optional.empty());
        Datanode full = datanode(DatanodeState.HEALTHY, AdminState.State.IN_SERVICE, 95, Optional.empty());
        assertThat(health(Role.LEADER, nearlyFull, WHOLE, List.of()).level()).isEqualTo(Level.WARNING);
        assertThat(health(Role.LEADER, full, WHOLE, List.of()).level()).isEqualTo(Level.CRITICAL);
    }
}
