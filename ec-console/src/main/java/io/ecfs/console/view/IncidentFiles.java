package io.ecfs.console.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.layout.GroupId;
import io.ecfs.message.namespace.NamespaceRequest.FindGroups;
import io.ecfs.message.namespace.NamespaceRequest.ListRepairs;
import io.ecfs.message.report.GroupFile;
import io.ecfs.message.report.RepairTrace;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Files that had chunks in an incident, healed by now or not, at their present paths: those of the groups that the
 * incident's history has.
 *
 * @param files path → chunks of it in the incident; the first {@value #MOST_FILES} in the order of paths
 * @param count of all files, among the chunks that were examined
 * @param goneGroups groups without a file by now
 * @param deniedGroups groups whose files who asks may not list
 * @param complete false: the incident has more than {@value #MOST_CHUNKS} chunks, and the others were not examined
 */
public record IncidentFiles(Map<String, Integer> files, int count, int goneGroups, int deniedGroups, boolean complete) {
    public static final int MOST_FILES = 100;
    private static final int MOST_CHUNKS = 20_000;

    /**
     * Asks page by page.
     *
     * @param history client that may list incidents
     * @param names client of the user whose permissions decide which files are named
     */
    public static IncidentFiles ask(EcfsClient history, EcfsClient names, long incident) throws IOException {
        Map<String, Integer> files = new TreeMap<>();
        int gone = 0;
        int denied = 0;
        Map<GroupId, Integer> chunks = new TreeMap<>();
        boolean complete = count(history, incident, chunks);
        List<GroupId> groups = new ArrayList<>(chunks.keySet());
        for (int from = 0; from < groups.size(); from += FindGroups.MOST_GROUPS) {
            List<GroupId> some = groups.subList(from, Math.min(groups.size(), from + FindGroups.MOST_GROUPS));
            for (GroupFile file : Await.result(names.admin().groupFiles(some))) {
                switch (file.state()) {
                    case FOUND -> files.merge(file.path().orElseThrow().text(), chunks.get(file.group()), Integer::sum);
                    case GONE -> gone++;
                    case DENIED -> denied++;
                }
            }
        }
        Map<String, Integer> first = new TreeMap<>();
        files.entrySet().stream().limit(MOST_FILES).forEach(file -> first.put(file.getKey(), file.getValue()));
        return new IncidentFiles(first, files.size(), gone, denied, complete);
    }

    /** Counts the chunks of an incident by group; returns whether these are all. */
    private static boolean count(EcfsClient client, long incident, Map<GroupId, Integer> chunks) throws IOException {
        long group = 0;
        int index = 0;
        for (int seen = 0; seen < MOST_CHUNKS; ) {
            List<RepairTrace> page = Await.result(client.admin().repairs(incident, group, index, ListRepairs.MAX_PAGE))
                    .repairs();
            for (RepairTrace trace : page) {
                chunks.merge(trace.group(), 1, Integer::sum);
                group = trace.group().value();
                index = trace.index();
            }
            seen += page.size();
            if (page.size() < ListRepairs.MAX_PAGE) {
                return true;
            }
        }
        return false;
    }

    /** For scripts and the console's API. */
    public ObjectNode json() {
        ObjectNode json = Json.node();
        ArrayNode list = json.putArray("files");
        files.forEach((path, chunks) -> list.addObject().put("path", path).put("chunks", chunks));
        json.put("count", count);
        json.put("goneGroups", goneGroups);
        json.put("deniedGroups", deniedGroups);
        json.put("complete", complete);
        return json;
    }

    /** For people. */
    public void print(PrintWriter out) {
        TextTable table = new TextTable("CHUNKS", "FILE");
        files.forEach((path, chunks) -> table.row(chunks, path));
        out.print(table);
        out.println(count + (complete ? "" : " or more") + " files"
                + (count > files.size() ? ", of which the first " + files.size() + " are listed" : "")
                + (goneGroups > 0 ? "; " + goneGroups + " groups have no file any more" : ""));
        out.flush();
    }
}
