package io.ecfs.console.command;

import com.fasterxml.jackson.core.JsonGenerator;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.base.Await;
import io.ecfs.message.Incident;
import io.ecfs.message.NamespaceRequest;
import io.ecfs.message.RebuildWork;
import io.ecfs.message.RepairTrace;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Losses of chunks and their repair, as {@code ecfs admin timeline} shows them. Only one page of anything is held at a time. */
final class Timeline {
    private static final int PAGE = NamespaceRequest.ListRepairs.MAX_PAGE;

    private final EcfsClient client;
    private final PrintWriter out;

    Timeline(EcfsClient client, PrintWriter out) {
        this.client = client;
        this.out = out;
    }

    /** @param only this incident; empty: all */
    void json(Optional<Long> only) throws IOException {
        try (JsonGenerator json = Json.generator(out)) {
            json.writeStartObject();
            json.writeArrayFieldStart("incidents");
            for (long after = only.map(id -> id - 1).orElse(0L); ; ) {
                List<Incident> page = page(after, only);
                for (Incident incident : page) {
                    json(json, incident);
                    after = incident.id();
                }
                if (only.isPresent() || page.size() < PAGE) {
                    break;
                }
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        out.println();
        out.flush();
    }

    /** One line an incident. */
    void list() throws IOException {
        TextTable table = new TextTable(
                "INCIDENT", "CAUSE", "DEAD", "CHECKING", "REPAIR", "HEALED", "CHUNKS", "FAILED", "READ", "REPAIRED");
        int rows = 0;
        List<Incident> page;
        long after = 0;
        do {
            page = page(after, Optional.empty());
            for (Incident i : page) {
                rows++;
                after = i.id();
                table.row(
                        i.id(),
                        i.cause().text(),
                        Times.local(i.deadMillis()),
                        Times.seconds(i.checkingMillis()),
                        Times.seconds(i.repairMillis()),
                        i.healedMillis().map(Times::local).orElse("not yet"),
                        i.repaired(),
                        i.failed(),
                        TextTable.bytes(i.bytesRead()),
                        TextTable.bytes(i.bytesRepaired()));
            }
        } while (page.size() == PAGE);
        out.print(rows == 0 ? "no incident is known: no chunk was lost\n" : table);
        out.flush();
    }

    /** One incident with its phases. */
    void show(long id) throws IOException {
        Incident incident = page(id - 1, Optional.of(id)).get(0);
        IncidentPicture picture = new IncidentPicture(incident);
        eachChunk(id, picture::add);
        picture.print(out);
        out.flush();
    }

    private List<Incident> page(long after, Optional<Long> only) throws IOException {
        List<Incident> page = Await.result(client.incidents(after, only.isPresent() ? 1 : PAGE))
                .incidents();
        boolean missing = only.isPresent() && page.stream().noneMatch(i -> i.id() == only.get());
        if (missing) {
            throw new IllegalArgumentException(
                    "the history has no incident " + only.get() + ": 'ecfs admin timeline' shows those it has");
        }
        return page;
    }

    private void eachChunk(long incident, Consumer<RepairTrace> visitor) throws IOException {
        long group = 0;
        int index = 0;
        List<RepairTrace> page;
        do {
            page = Await.result(client.repairs(incident, group, index, PAGE)).repairs();
            for (RepairTrace trace : page) {
                visitor.accept(trace);
                group = trace.group().value();
                index = trace.index();
            }
        } while (page.size() == PAGE);
    }

    private void json(JsonGenerator json, Incident incident) throws IOException {
        json.writeStartObject();
        json.writeNumberField("id", incident.id());
        json.writeStringField("cause", incident.cause().text());
        time(json, "detectedAt", Optional.of(incident.detectedMillis()));
        time(json, "deadAt", Optional.of(incident.deadMillis()));
        time(json, "firstRepairAt", incident.firstRepairMillis());
        time(json, "healedAt", incident.healedMillis());
        seconds(json, "checkingSeconds", incident.checkingMillis());
        seconds(json, "repairSeconds", incident.repairMillis());
        json.writeNumberField("bytesRead", incident.bytesRead());
        json.writeNumberField("bytesRepaired", incident.bytesRepaired());
        json.writeArrayFieldStart("groups");
        IOException[] failure = new IOException[1];
        eachChunk(incident.id(), trace -> {
            try {
                json(json, trace);
            } catch (IOException e) {
                failure[0] = e;
            }
        });
        if (failure[0] != null) {
            throw failure[0];
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void json(JsonGenerator json, RepairTrace trace) throws IOException {
        json.writeStartObject();
        json.writeNumberField("groupId", trace.group().value());
        json.writeNumberField("index", trace.index());
        json.writeStringField("target", trace.datanode().map(d -> d.name()).orElse(null));
        json.writeNumberField("attempts", trace.attempts());
        time(json, "detectedAt", Optional.of(trace.detectedMillis()));
        time(json, "checkedAt", trace.checkedMillis());
        time(json, "plannedAt", trace.plannedMillis());
        time(json, "startedAt", trace.startedMillis());
        time(json, "readAt", trace.readMillis());
        time(json, "decodedAt", trace.decodedMillis());
        time(json, "verifiedAt", trace.verifiedMillis());
        time(json, "writtenAt", trace.writtenMillis());
        time(json, "committedAt", trace.committedMillis());
        json.writeObjectFieldStart("busySeconds");
        busy(json, "read", trace.work().map(RebuildWork::read));
        busy(json, "decode", trace.work().map(RebuildWork::decode));
        busy(json, "verify", trace.work().map(RebuildWork::verify));
        busy(json, "write", trace.work().map(RebuildWork::write));
        json.writeEndObject();
        json.writeNumberField("bytesRead", trace.bytesRead());
        json.writeNumberField("bytesRepaired", trace.bytesRepaired());
        json.writeArrayFieldStart("sources");
        for (RebuildWork.Source source : trace.sources()) {
            json.writeStartObject();
            json.writeNumberField("index", source.index());
            json.writeStringField("datanode", source.datanode().name());
            json.writeNumberField("bytes", source.bytes());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeStringField("waiting", trace.waiting().orElse(null));
        json.writeEndObject();
    }

    private static void time(JsonGenerator json, String name, Optional<Long> millis) throws IOException {
        json.writeStringField(name, millis.map(Times::iso).orElse(null));
    }

    private static void seconds(JsonGenerator json, String name, Optional<Long> millis) throws IOException {
        if (millis.isPresent()) {
            json.writeNumberField(name, millis.get() / 1e3);
        } else {
            json.writeNullField(name);
        }
    }

    private static void busy(JsonGenerator json, String name, Optional<RebuildWork.Phase> phase) throws IOException {
        json.writeNumberField(name, phase.map(p -> p.busyMicros() / 1e6).orElse(0.0));
    }
}
