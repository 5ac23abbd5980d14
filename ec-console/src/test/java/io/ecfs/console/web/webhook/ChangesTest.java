package io.ecfs.console.web.webhook;

import static io.ecfs.console.web.webhook.Situations.healed;
import static io.ecfs.console.web.webhook.Situations.open;
import static io.ecfs.console.web.webhook.Situations.planned;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.console.view.Health.Level;
import io.ecfs.console.view.Json;
import io.ecfs.console.view.Severity;
import io.ecfs.console.web.webhook.Changes.Change;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChangesTest {
    private static final long AT = 7_000;
    private static final int ROOM = 100;

    private Ledger ledger = Ledger.NONE;

    /** Ids of the notices; all are announced. */
    private List<String> announced(Situation now) {
        return announced(now, ROOM);
    }

    private List<String> announced(Situation now, int room) {
        List<Change> changes = changes(now, room);
        changes.forEach(change -> ledger = change.after());
        return changes.stream().map(change -> change.notice().id()).toList();
    }

    private List<Change> changes(Situation now, int room) {
        ledger = ledger.on(now);
        return Changes.between(ledger, now, AT, room);
    }

    @Test
    void aNewReceiverGetsWhatIsOpenAndNoHistory() {
        assertThat(announced(Situations.of(Level.WARNING, false, healed(1), open(2), healed(3))))
                .containsExactly("incident-2-opened", "health-7000");
    }

    @Test
    void whatWasAnnouncedIsNotAnnouncedAgain() {
        Situation now = Situations.of(Level.WARNING, false, open(2));
        announced(now);
        assertThat(announced(now)).isEmpty();
    }

    @Test
    void healingIsAnnouncedOnce() {
        announced(Situations.of(Level.OK, false, open(2)));
        assertThat(announced(Situations.of(Level.OK, false, healed(2)))).containsExactly("incident-2-healed");
        assertThat(announced(Situations.of(Level.OK, false, healed(2)))).isEmpty();
    }

    @Test
    void anIncidentThatCameAndWentMeanwhileIsAnnouncedTwice() {
        announced(Situations.of(Level.OK, false, healed(1)));
        assertThat(announced(Situations.of(Level.OK, false, healed(1), healed(2))))
                .containsExactly("incident-2-opened", "incident-2-healed");
    }

    @Test
    void aGroupAtRiskMakesALossCriticalAndNoMove() {
        announced(Situations.of(Level.WARNING, false, open(2), planned(3)));
        List<Change> changes = changes(Situations.of(Level.WARNING, true, open(2), planned(3)), ROOM);
        assertThat(changes).extracting(change -> change.notice().id()).containsExactly("incident-2-critical-7000");
        assertThat(changes.get(0).notice().severity()).isEqualTo(Severity.CRITICAL);
        assertThat(changes.get(0).notice().before()).contains(Severity.WARNING);
    }

    @Test
    void theEndOfACriticalVerdictIsWantedByItsReceiver() {
        announced(Situations.of(Level.CRITICAL, false));
        Notice notice = changes(Situations.of(Level.OK, false), ROOM).get(0).notice();
        assertThat(notice.wanted(Set.of(Severity.CRITICAL))).isTrue();
        assertThat(notice.wanted(Set.of(Severity.WARNING))).isFalse();
    }

    @Test
    void withoutRoomTheRestFollowsLater() {
        Situation now = Situations.of(Level.WARNING, false, open(1), open(2), open(3));
        assertThat(announced(now, 2)).containsExactly("incident-1-opened", "incident-2-opened");
        assertThat(announced(now, 0)).isEmpty();
        assertThat(announced(now)).containsExactly("incident-3-opened", "health-7000");
    }

    @Test
    void anotherClusterIsANewReceiversAgain() {
        announced(Situations.of(Level.OK, false, open(7)));
        assertThat(announced(Situations.of("c2", Level.OK, false, healed(1), open(2))))
                .containsExactly("incident-2-opened");
    }

    @Test
    void afterARestoredBackupNewIncidentsAreAnnounced() {
        announced(Situations.of(Level.OK, false, open(7)));
        announced(Situations.of(Level.OK, false, healed(3)));
        assertThat(announced(Situations.of(Level.OK, false, healed(3), healed(4))))
                .containsExactly("incident-4-opened", "incident-4-healed");
    }

    @Test
    void silentNamenodesAreAnnouncedBeforeTheClusterIsKnown() {
        assertThat(announced(Situations.of("", Level.CRITICAL, false))).containsExactly("health-7000");
        assertThat(announced(Situations.of(Level.OK, false, healed(1), open(2))))
                .containsExactly("incident-2-opened", "health-7000");
    }

    @Test
    void theDocumentHasTheIncidentAsTheApi() throws IOException {
        Notice notice =
                changes(Situations.of(Level.OK, false, open(2)), ROOM).get(0).notice();
        JsonNode json = Json.parse(notice.bytes());
        assertThat(json.get("event").asText()).isEqualTo("incidentOpened");
        assertThat(json.get("cluster").asText()).isEqualTo(Situations.CLUSTER);
        assertThat(json.get("severity").asText()).isEqualTo("warning");
        assertThat(json.get("previousSeverity").isNull()).isTrue();
        assertThat(json.at("/incident/kind").asText()).isEqualTo("DATANODE_DEAD");
        assertThat(json.get("text").asText()).isEqualTo("incident 2 opened: datanode dn2 is dead");
        assertThat(notice.json()).doesNotContain("\n");
    }
}
