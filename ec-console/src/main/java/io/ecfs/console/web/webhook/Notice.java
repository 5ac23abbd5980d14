package io.ecfs.console.web.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.console.view.Json;
import io.ecfs.console.view.Severity;
import io.ecfs.console.view.Times;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;

/**
 * One document for a receiver.
 *
 * @param id alike in each attempt to deliver it
 * @param severity of the alert now; of a healed incident, the last one
 * @param before severity before the change; empty for a new incident and a test
 * @param json the document
 */
record Notice(String id, Event event, Severity severity, Optional<Severity> before, String json) {
    private static final int VERSION = 1;

    /** What a document is about. */
    enum Event {
        INCIDENT_OPENED("incidentOpened"),
        INCIDENT_SEVERITY_CHANGED("incidentSeverityChanged"),
        INCIDENT_HEALED("incidentHealed"),
        HEALTH_CHANGED("healthChanged"),
        TEST("test");

        private final String text;

        Event(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    /**
     * @param text one line for people
     * @param subject key and value of the incident or verdict; empty for a test
     */
    static Notice of(
            String id,
            Event event,
            String cluster,
            long atMillis,
            Severity severity,
            Optional<Severity> before,
            String text,
            Optional<Subject> subject) {
        ObjectNode json = Json.node();
        json.put("version", VERSION);
        json.put("id", id);
        json.put("at", Times.iso(atMillis));
        json.put("cluster", cluster);
        json.put("event", event.text());
        json.put("severity", severity.text());
        json.put("previousSeverity", before.map(Severity::text).orElse(null));
        json.put("text", text);
        subject.ifPresent(about -> json.set(about.key(), about.value()));
        return new Notice(id, event, severity, before, json.toString());
    }

    /** The incident or verdict of a document. */
    record Subject(String key, ObjectNode value) {}

    /** True for a receiver of these severities: it gets an alert also when that leaves them. */
    boolean wanted(Set<Severity> severities) {
        return severities.contains(severity)
                || before.filter(severities::contains).isPresent();
    }

    byte[] bytes() {
        return json.getBytes(StandardCharsets.UTF_8);
    }
}
