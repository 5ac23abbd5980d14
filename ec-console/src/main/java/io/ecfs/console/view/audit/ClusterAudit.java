package io.ecfs.console.view.audit;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.console.view.Json;
import io.ecfs.message.namespace.NamespaceReply.AuditLines;
import io.ecfs.message.report.AuditForm;
import io.ecfs.message.report.AuditPlace;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A page of the audit logs of all namenodes, merged, the latest first, as {@link AuditQuery} asks for it. A line is in
 * the page only when every namenode has been read back to its time: so pages one after another have all lines in order,
 * and one may be empty although more follow.
 *
 * @param entries the latest first
 * @param next where to go on, of the namenodes that have more, as {@link AuditCursor} has it; empty: that was all
 * @param missing namenode → reason, of those that were not read; {@code next} has them, so their lines come late
 */
public record ClusterAudit(List<AuditRecord> entries, Optional<String> next, Map<String, String> missing) {
    /** A line of one namenode, with the place where it begins. */
    private record Entry(String namenode, AuditPlace place, String time, String text) {}

    /** The times that lines begin with order as text. */
    static ClusterAudit merged(
            Map<String, AuditLines> pages, AuditCursor from, Map<String, String> missing, int limit) {
        String reached = pages.values().stream()
                .filter(page -> page.next().isPresent())
                .map(AuditLines::reached)
                .max(Comparator.naturalOrder())
                .orElse("");
        List<Entry> all = new ArrayList<>();
        pages.forEach((namenode, page) -> page.lines()
                .forEach(line -> all.add(new Entry(namenode, line.place(), AuditForm.time(line.text()), line.text()))));
        // Stable: the lines of one namenode stay in the order of its file.
        List<Entry> taken = all.stream()
                .filter(entry -> entry.time().compareTo(reached) >= 0)
                .sorted(Comparator.comparing(Entry::time).reversed())
                .limit(limit)
                .toList();
        Map<String, Optional<AuditPlace>> places = new TreeMap<>();
        pages.forEach((namenode, page) -> {
            List<Entry> its =
                    taken.stream().filter(e -> e.namenode().equals(namenode)).toList();
            boolean whole = its.size() == page.lines().size();
            Optional<AuditPlace> rest = whole
                    ? page.next()
                    : its.isEmpty()
                            ? from.place(namenode).or(() -> behind(page.lines().get(0)))
                            : Optional.of(its.get(its.size() - 1).place());
            rest.ifPresent(place -> places.put(namenode, rest));
        });
        missing.keySet().forEach(namenode -> places.put(namenode, from.place(namenode)));
        return new ClusterAudit(
                taken.stream()
                        .flatMap(entry -> AuditRecord.parse(entry.namenode(), entry.text()).stream())
                        .toList(),
                new AuditCursor(places).text(),
                missing);
    }

    /** A place from which a line is the next one. */
    private static Optional<AuditPlace> behind(AuditLines.Line line) {
        int bytes = line.text().getBytes(StandardCharsets.UTF_8).length + 1;
        return Optional.of(new AuditPlace(line.place().file(), line.place().offset() + bytes));
    }

    /** For scripts and the console's API. */
    public ObjectNode json() {
        ObjectNode json = Json.node();
        ArrayNode list = json.putArray("entries");
        entries.forEach(entry -> list.add(Json.node(entry)));
        json.put("next", next.orElse(null));
        json.set("missing", Json.node(missing));
        return json;
    }
}
