package io.ecfs.console.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.message.report.RepairTrace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class IncidentPhasesTest {
    private static Incident incident(Optional<Long> first, Optional<Long> healed) {
        return new Incident(
                1, IncidentCause.dead(new DatanodeId("dn1")), 2000, 4000, first, healed, 0, 0, 1, 1, 0, 1, false);
    }

    private static RepairTrace committed(long at) {
        return new RepairTrace(
                new GroupId(1),
                0,
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(at),
                Optional.empty(),
                1,
                0,
                0,
                Optional.empty(),
                Optional.empty());
    }

    private static List<String> phases(
            Incident incident, Optional<Long> heartbeat, Optional<List<RepairTrace>> repairs) {
        List<String> phases = new ArrayList<>();
        for (JsonNode phase : IncidentPhases.json(incident, heartbeat, repairs).get("phases")) {
            phases.add(phase.get("phase").asText() + " " + millis(phase.get("beganAt")) + " "
                    + millis(phase.get("endedAt")));
        }
        return phases;
    }

    private static String millis(JsonNode time) {
        return time.isNull()
                ? "-"
                : String.valueOf(java.time.Instant.parse(time.asText()).toEpochMilli());
    }

    @Test
    void aHealedIncidentHasFivePhasesFromTheLastHeartbeat() {
        assertThat(phases(
                        incident(Optional.of(4100L), Optional.of(9000L)),
                        Optional.of(500L),
                        Optional.of(List.of(committed(8900)))))
                .containsExactly(
                        "NOTICE 500 2000",
                        "GRACE 2000 4000",
                        "CHECKING 4000 4100",
                        "RECOVERY 4100 8900",
                        "SETTLING 8900 9000");
    }

    @Test
    void whatTheHistoryDoesNotKnowIsLeftOut() {
        Incident healed = incident(Optional.of(4100L), Optional.of(9000L));
        assertThat(phases(healed, Optional.of(12_000L), Optional.of(List.of(committed(8900)))))
                .as("it reported again")
                .first()
                .isEqualTo("GRACE 2000 4000");
        assertThat(phases(healed, Optional.empty(), Optional.empty()))
                .as("not all repairs are retained")
                .containsExactly("GRACE 2000 4000", "CHECKING 4000 4100", "RECOVERY 4100 9000");
    }

    @Test
    void theLastPhaseOfAnOpenIncidentHasNoEnd() {
        assertThat(phases(incident(Optional.empty(), Optional.empty()), Optional.of(500L), Optional.empty()))
                .containsExactly("NOTICE 500 2000", "GRACE 2000 4000", "CHECKING 4000 -");
        assertThat(phases(incident(Optional.of(4100L), Optional.empty()), Optional.empty(), Optional.empty()))
                .containsExactly("GRACE 2000 4000", "CHECKING 4000 4100", "RECOVERY 4100 -");
    }
}
