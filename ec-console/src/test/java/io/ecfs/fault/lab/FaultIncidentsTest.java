package io.ecfs.fault.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.message.report.IncidentCause.Kind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FaultIncidentsTest {
    private static final Incident CORRUPT = of(onVolume(Kind.CHUNKS_CORRUPT), true);
    private static final Incident DISPUTED = of(IncidentCause.disputed(), false);

    /** The chunk mover goes on for as long as there is load. */
    @Test
    void movesAreNotAwaited() {
        for (IncidentCause moves : List.of(
                onVolume(Kind.VOLUME_LEAVING),
                new IncidentCause(Kind.READS_COSTLY, Optional.empty(), Optional.empty()),
                IncidentCause.rewritten())) {
            FaultIncidents incidents = FaultIncidents.among(List.of(CORRUPT, of(moves, false)));
            assertThat(incidents.over()).as("%s", moves).isTrue();
            assertThat(incidents.nextOneIsNew()).as("%s", moves).isTrue();
        }
    }

    @Test
    void aReadOnlyVolumeIsAwaited() {
        FaultIncidents incidents = FaultIncidents.among(List.of(of(onVolume(Kind.VOLUME_READ_ONLY), false)));
        assertThat(incidents.noticed(List.of("dn1"))).isTrue();
        assertThat(incidents.over()).isFalse();
        assertThat(incidents.nextOneIsNew()).isFalse();
    }

    /** A loss on a volume whose incident is open becomes part of it. */
    @Test
    void onlyADisputeMayStayOpenBeforeTheNextFault() {
        FaultIncidents disputed = FaultIncidents.among(List.of(CORRUPT, DISPUTED));
        assertThat(disputed.over()).isFalse();
        assertThat(disputed.nextOneIsNew()).isTrue();
        assertThat(FaultIncidents.among(List.of(of(onVolume(Kind.CHUNKS_CORRUPT), false)))
                        .nextOneIsNew())
                .isFalse();
    }

    @Test
    void eachDatanodeIsToBeNoticed() {
        FaultIncidents incidents = FaultIncidents.among(List.of(CORRUPT, DISPUTED));
        assertThat(incidents.noticed(List.of("dn1"))).isTrue();
        assertThat(incidents.noticed(List.of("dn1", "dn2"))).isFalse();
    }

    private static IncidentCause onVolume(Kind kind) {
        return IncidentCause.onVolume(kind, new DatanodeId("dn1"), new VolumeId(1));
    }

    private static Incident of(IncidentCause cause, boolean healed) {
        return new Incident(
                1, cause, 0, 0, Optional.empty(), healed ? Optional.of(5L) : Optional.empty(), 0, 0, 0, 0, 0, 0, false);
    }
}
