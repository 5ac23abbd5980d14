package io.ecfs.console.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.base.Await;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.namespace.NamespaceReply.AuditLines;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.AuditPlace;
import io.ecfs.message.report.ClusterReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * A page of the audit logs of all namenodes, merged, the latest first. Every namenode is asked for one page, and
 * reads a bounded part of its file. A line is in the page only when every namenode has been read back to its time:
 * so pages one after another have all lines in order, and one may be empty although more follow.
 *
 * @param entries the latest first
 * @param next where to go on, of the namenodes that have more: {@code nn0=FILE.OFFSET,nn1=start}; empty: that was all
 * @param missing namenode → reason, of those that were not read; {@code next} has them, so their lines come late
 */
public record ClusterAudit(List<AuditRecord> entries, Optional<String> next, Map<String, String> missing) {
    private static final String START = "start";

    /** A line of one namenode, with the place where it begins. */
    private record Entry(String namenode, AuditPlace place, String time, String text) {}

    /**
     * Asks the namenodes.
     *
     * @param after the {@code next} of the page before; empty for the first
     * @param containing text that the lines contain; empty: all
     * @param limit most entries
     */
    public static ClusterAudit ask(EcfsClient client, String after, String containing, int limit) throws IOException {
        Map<String, Optional<AuditPlace>> from = places(after);
        Map<String, CompletableFuture<AuditLines>> asked = new TreeMap<>();
        for (ClusterReport.Namenode namenode :
                Await.result(client.admin().report()).namenodes()) {
            String id = namenode.id();
            if (after.isEmpty() || from.containsKey(id)) {
                Optional<AuditPlace> place = from.getOrDefault(id, Optional.empty());
                asked.put(id, client.admin().audit(namenode.address(), place, containing, limit));
            }
        }
        Map<String, AuditLines> pages = new TreeMap<>();
        Map<String, String> missing = new TreeMap<>();
        for (Map.Entry<String, CompletableFuture<AuditLines>> one : asked.entrySet()) {
            try {
                pages.put(one.getKey(), Await.result(one.getValue()));
            } catch (EcfsException e) {
                missing.put(one.getKey(), e.getMessage());
            }
        }
        return merged(pages, from, missing, limit);
    }

    /**
     * The latest entries of several pages.
     *
     * @param most entries
     * @param pages most pages: one in which few lines contain the text is read in vain
     */
    public static ClusterAudit latest(EcfsClient client, String containing, int most, int pages) throws IOException {
        List<AuditRecord> entries = new ArrayList<>();
        Map<String, String> missing = new TreeMap<>();
        Optional<String> after = Optional.of("");
        for (int page = 0; page < pages && after.isPresent() && entries.size() < most; page++) {
            int limit = Math.min(NamespaceRequest.ListAudit.MAX_PAGE, most - entries.size());
            ClusterAudit next = ask(client, after.get(), containing, limit);
            entries.addAll(next.entries());
            missing.putAll(next.missing());
            if (next.next().equals(after)) {
                break; // only namenodes that do not answer are left
            }
            after = next.next();
        }
        return new ClusterAudit(entries, after, missing);
    }

    /** The times that lines begin with order as text. */
    static ClusterAudit merged(
            Map<String, AuditLines> pages,
            Map<String, Optional<AuditPlace>> from,
            Map<String, String> missing,
            int limit) {
        String reached = pages.values().stream()
                .filter(page -> page.next().isPresent())
                .map(AuditLines::reached)
                .max(Comparator.naturalOrder())
                .orElse("");
        List<Entry> all = new ArrayList<>();
        pages.forEach((namenode, page) -> page.lines()
                .forEach(line -> all.add(new Entry(namenode, line.place(), time(line.text()), line.text()))));
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
                            ? from.getOrDefault(namenode, Optional.empty())
                                    .or(() -> behind(page.lines().get(0)))
                            : Optional.of(its.get(its.size() - 1).place());
            rest.ifPresent(place -> places.put(namenode, rest));
        });
        missing.keySet().forEach(namenode -> places.put(namenode, from.getOrDefault(namenode, Optional.empty())));
        return new ClusterAudit(
                taken.stream()
                        .flatMap(entry -> AuditRecord.parse(entry.namenode(), entry.text()).stream())
                        .toList(),
                places.isEmpty() ? Optional.empty() : Optional.of(text(places)),
                missing);
    }

    /** A place from which a line is the next one. */
    private static Optional<AuditPlace> behind(AuditLines.Line line) {
        int bytes = line.text().getBytes(StandardCharsets.UTF_8).length + 1;
        return Optional.of(new AuditPlace(line.place().file(), line.place().offset() + bytes));
    }

    private static String time(String line) {
        return line.substring(0, Math.min("yyyy-MM-dd HH:mm:ss,SSS".length(), line.length()));
    }

    private static String text(Map<String, Optional<AuditPlace>> places) {
        return places.entrySet().stream()
                .map(one -> one.getKey() + "="
                        + one.getValue()
                                .map(place -> place.file() + "." + place.offset())
                                .orElse(START))
                .collect(Collectors.joining(","));
    }

    /** @throws EcfsException {@code INVALID_ARGUMENT} for what no page gave */
    private static Map<String, Optional<AuditPlace>> places(String after) throws EcfsException {
        Map<String, Optional<AuditPlace>> places = new TreeMap<>();
        try {
            for (String one : after.isEmpty() ? new String[0] : after.split(",", -1)) {
                int equals = one.lastIndexOf('=');
                String place = one.substring(equals + 1);
                int dot = place.indexOf('.');
                places.put(
                        one.substring(0, equals),
                        place.equals(START)
                                ? Optional.empty()
                                : Optional.of(new AuditPlace(
                                        Long.parseLong(place.substring(0, dot)),
                                        Long.parseLong(place.substring(dot + 1)))));
            }
        } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
            throw new EcfsException(ErrorCode.INVALID_ARGUMENT, "no page of the audit log gave '" + after + "'", e);
        }
        return places;
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

    /**
     * The entries as CSV (RFC 4180), and a line for each namenode that was not read; what a spreadsheet would compute
     * has an apostrophe before it.
     */
    public String csv() {
        StringBuilder csv = new StringBuilder("at,namenode,person,user,via,from,action,target,to,result,detail\r\n");
        for (AuditRecord e : entries) {
            csv.append(List.of(
                            e.at(),
                            e.namenode(),
                            e.person(),
                            e.user(),
                            e.via(),
                            e.from(),
                            e.action(),
                            e.target(),
                            e.to(),
                            e.result(),
                            e.detail())
                    .stream()
                    .map(ClusterAudit::cell)
                    .collect(Collectors.joining(",")));
            csv.append("\r\n");
        }
        missing.forEach((namenode, why) -> csv.append("," + cell(namenode) + ",,,,,,,,not read," + cell(why) + "\r\n"));
        return csv.toString();
    }

    private static String cell(String text) {
        String safe = !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
        return safe.matches("[^\",\r\n]*") ? safe : '"' + safe.replace("\"", "\"\"") + '"';
    }
}
