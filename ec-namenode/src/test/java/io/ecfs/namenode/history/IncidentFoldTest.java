package io.ecfs.namenode.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.RebuildWork;
import io.ecfs.message.chunk.RebuildWork.Phase;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.message.report.RepairTrace;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What events add up to. */
class IncidentFoldTest {
    private static final DatanodeId DEAD = new DatanodeId("dn1");
    private static final DatanodeId TARGET = new DatanodeId("dn2");
    private static final IncidentCause CAUSE = IncidentCause.dead(DEAD);
    private static final ChunkId CHUNK = new ChunkId(new GroupId(7), 2, 1);

    private static RebuildWork work(long ran, long read) {
        return new RebuildWork(
                ran,
                new Phase(300, ran - 4),
                new Phase(20, ran - 3),
                new Phase(10, ran - 2),
                new Phase(50, ran - 1),
                read,
                100,
                List.of(new RebuildWork.Source(0, TARGET, read)));
    }

    private static ClusterEvent planned(long detected, long dead, long checked) {
        return new ClusterEvent.RepairPlanned(CAUSE, CHUNK, detected, dead, checked, new VolumeId(4), TARGET, "a test");
    }

    private static ClusterEvent committed(long started, long read) {
        return new ClusterEvent.RepairCommitted(CAUSE, CHUNK, TARGET, started, Optional.of(work(40, read)));
    }

    private static ClusterEvent failed() {
        return new ClusterEvent.RepairFailed(CAUSE, CHUNK, TARGET, "no luck", Optional.of(work(9, 11)));
    }

    @Test
    void theCheckingPeriodEndsWithTheFirstByteRead() {
        Incident incident = Incident.opened(1, CAUSE, 1_000, 11_000);
        assertThat(incident.checkingMillis()).isEmpty();
        incident = IncidentFold.after(incident, planned(1_000, 11_000, 11_100), 11_200);
        incident = IncidentFold.after(incident, committed(12_500, 600), 14_000);
        incident = IncidentFold.after(incident, committed(11_900, 600), 14_500);
        assertThat(incident.repairMillis()).isEmpty();
        incident = IncidentFold.after(incident, new ClusterEvent.IncidentHealed(CAUSE), 15_000);
        assertThat(incident.firstRepairMillis()).contains(11_900L);
        assertThat(incident.checkingMillis()).contains(900L);
        assertThat(incident.repairMillis()).contains(3_100L);
        assertThat(incident.bytesRead()).isEqualTo(1_200);
        assertThat(incident.bytesRepaired()).isEqualTo(200);
        assertThat(incident.repaired()).isEqualTo(2);
    }

    @Test
    void anAttemptThatFailedCostsBytesAndRepairsNothing() {
        Incident incident = IncidentFold.after(Incident.opened(1, CAUSE, 0, 0), failed(), 5);
        assertThat(incident.bytesRead()).isEqualTo(11);
        assertThat(incident.bytesRepaired()).isZero();
        assertThat(incident.failed()).isOne();
        assertThat(incident.firstRepairMillis()).isEmpty();
    }

    @Test
    void aChunkRetainsTheCostOfEarlierAttempts() {
        RepairTrace trace = IncidentFold.chunkOf(planned(50, 100, 120)).orElseThrow();
        trace = IncidentFold.after(
                trace, new ClusterEvent.RepairWaits(CAUSE, CHUNK.group(), 2, 50, 100, "no target"), 110);
        assertThat(trace.waiting()).contains("no target");
        trace = IncidentFold.after(trace, planned(50, 100, 120), 130);
        assertThat(trace.waiting()).isEmpty();
        trace = IncidentFold.after(trace, failed(), 200);
        assertThat(trace.waiting()).contains("no luck");
        trace = IncidentFold.after(trace, planned(50, 100, 250), 260);
        trace = IncidentFold.after(trace, committed(270, 600), 320);
        assertThat(List.of(
                        trace.detectedMillis(),
                        trace.checkedMillis().orElseThrow(),
                        trace.plannedMillis().orElseThrow(),
                        trace.startedMillis().orElseThrow(),
                        trace.readMillis().orElseThrow(),
                        trace.decodedMillis().orElseThrow(),
                        trace.verifiedMillis().orElseThrow(),
                        trace.writtenMillis().orElseThrow(),
                        trace.committedMillis().orElseThrow()))
                .containsExactly(50L, 120L, 260L, 270L, 306L, 307L, 308L, 309L, 320L);
        assertThat(trace.attempts()).isEqualTo(2);
        assertThat(trace.bytesRead()).isEqualTo(611);
        assertThat(trace.bytesRepaired()).isEqualTo(100);
        assertThat(trace.waiting()).isEmpty();
    }

    @Test
    void onlyWhatTellsOfDamageBeginsAnIncident() {
        assertThat(IncidentFold.beginning(planned(50, 40, 60)))
                .hasValueSatisfying(begun -> assertThat(begun.detectedMillis()).isEqualTo(40));
        assertThat(IncidentFold.beginning(committed(1, 1))).isEmpty();
        assertThat(IncidentFold.beginning(new ClusterEvent.IncidentHealed(CAUSE)))
                .isEmpty();
        assertThat(IncidentFold.causeOf(new ClusterEvent.LeaderChanged("nn0", 3)))
                .isEmpty();
    }
}
