package io.ecfs.console.web.webhook;

import io.ecfs.console.view.Health;
import io.ecfs.console.view.IncidentJson;
import io.ecfs.console.view.Json;
import io.ecfs.console.view.Severity;
import io.ecfs.console.web.webhook.Notice.Event;
import io.ecfs.console.web.webhook.Notice.Subject;
import io.ecfs.message.report.Incident;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The notices that lead from what was announced to what is. For one thread. */
final class Changes {
    /**
     * A notice and what was announced with it.
     *
     * @param after of all notices up to this one
     */
    record Change(Notice notice, Ledger after) {}

    private final Situation now;
    private final long atMillis;
    private final int most;
    private final List<Change> changes = new ArrayList<>();
    private Ledger ledger;

    private Changes(Ledger ledger, Situation now, long atMillis, int most) {
        this.ledger = ledger;
        this.now = now;
        this.atMillis = atMillis;
        this.most = most;
    }

    /**
     * The oldest first.
     *
     * @param announced as {@link Ledger#on} gives it for this situation
     * @param atMillis the present time, since the epoch
     * @param most notices; the rest follows from the ledger of the last one
     */
    static List<Change> between(Ledger announced, Situation now, long atMillis, int most) {
        Changes changes = new Changes(announced, now, atMillis, most);
        now.incidents().forEach(changes::incident);
        changes.health();
        return changes.changes;
    }

    private void incident(Incident incident) {
        Severity severity = Severity.of(incident.cause(), now.atRisk());
        boolean healed = incident.healedMillis().isPresent();
        if (!ledger.open().containsKey(incident.id())) {
            if (healed && incident.id() <= ledger.last()) {
                return;
            }
            add(
                    "incident-" + incident.id() + "-opened",
                    Event.INCIDENT_OPENED,
                    severity,
                    Optional.empty(),
                    "incident " + incident.id() + " opened: " + incident.cause().text(),
                    incident,
                    ledger.opened(incident.id(), severity));
        }
        Severity announced = ledger.open().get(incident.id());
        if (announced == null) {
            return; // no room for the notice that opens it
        }
        if (healed) {
            add(
                    "incident-" + incident.id() + "-healed",
                    Event.INCIDENT_HEALED,
                    announced,
                    Optional.of(announced),
                    "incident " + incident.id() + " healed: " + incident.cause().text(),
                    incident,
                    ledger.healed(incident.id()));
        } else if (announced != severity) {
            add(
                    "incident-" + incident.id() + "-" + severity.text() + "-" + atMillis,
                    Event.INCIDENT_SEVERITY_CHANGED,
                    severity,
                    Optional.of(announced),
                    "incident " + incident.id() + " is now " + severity.text() + ": "
                            + incident.cause().text(),
                    incident,
                    ledger.opened(incident.id(), severity));
        }
    }

    private void add(
            String id,
            Event event,
            Severity severity,
            Optional<Severity> before,
            String text,
            Incident incident,
            Ledger after) {
        Subject subject = new Subject("incident", IncidentJson.node(incident));
        add(id, event, severity, before, text, subject, after);
    }

    private void health() {
        Health health = now.health();
        if (health.level() == ledger.health()) {
            return;
        }
        String why =
                health.reasons().isEmpty() ? "" : ": " + health.reasons().get(0).text();
        add(
                "health-" + atMillis,
                Event.HEALTH_CHANGED,
                Severity.of(health.level()),
                Optional.of(Severity.of(ledger.health())),
                "health is " + health.level().text() + ", was "
                        + ledger.health().text() + why,
                new Subject("health", Json.node(health)),
                ledger.judged(health.level()));
    }

    private void add(
            String id,
            Event event,
            Severity severity,
            Optional<Severity> before,
            String text,
            Subject subject,
            Ledger after) {
        if (changes.size() < most) {
            Notice notice = Notice.of(id, event, now.cluster(), atMillis, severity, before, text, Optional.of(subject));
            changes.add(new Change(notice, after));
            ledger = after;
        }
    }
}
