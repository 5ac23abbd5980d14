package io.ecfs.console.view;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.RepairTrace;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Losses of chunks and their repair, for {@code ecfs admin timeline}. Only one page is in memory at a time.
 */
public final class Timeline {
    private static final int PAGE = NamespaceRequest.ListRepairs.MAX_PAGE;

    private final EcfsClient client;
    private final PrintWriter out;

    public Timeline(EcfsClient client, PrintWriter out) {
        this.client = client;
        this.out = out;
    }

    /** @param only this incident; empty: all */
    public void json(Optional<Long> only) throws IOException {
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
    public void list() throws IOException {
        TextTable table = new TextTable(
                "INCIDENT",
                "CAUSE",
                "STARTED",
                "TO FIRST REPAIR",
                "REPAIR",
                "HEALED",
                "CHUNKS",
                "FAILED",
                "READ",
                "REPAIRED");
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
        out.print(rows == 0 ? "no incident: no chunk was lost\n" : table);
        out.flush();
    }

    /** One incident with its phases. */
    public void show(long id) throws IOException {
        Incident incident = page(id - 1, Optional.of(id)).get(0);
        IncidentPicture picture = new IncidentPicture(incident);
        eachChunk(id, picture::add);
        picture.print(out);
        out.flush();
    }

    private List<Incident> page(long after, Optional<Long> only) throws IOException {
        List<Incident> page = Await.result(client.admin().incidents(after, only.isPresent() ? 1 : PAGE))
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
            page = Await.result(client.admin().repairs(incident, group, index, PAGE))
                    .repairs();
            for (RepairTrace trace : page) {
                visitor.accept(trace);
                group = trace.group().value();
                index = trace.index();
            }
        } while (page.size() == PAGE);
    }

    private void json(JsonGenerator json, Incident incident) throws IOException {
        json.writeStartObject();
        for (Map.Entry<String, JsonNode> sum : IncidentJson.sums(incident).properties()) {
            json.writeFieldName(sum.getKey());
            json.writeTree(sum.getValue());
        }
        json.writeArrayFieldStart("groups");
        IOException[] failure = new IOException[1];
        eachChunk(incident.id(), trace -> {
            try {
                json.writeTree(IncidentJson.chunk(trace));
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
}
