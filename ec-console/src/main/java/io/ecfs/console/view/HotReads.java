package io.ecfs.console.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.report.GroupFile;
import io.ecfs.message.report.HotGroups;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Cause of a datanode's load: the groups with a chunk there that clients read most, with their files and readers.
 *
 * @param files paths by group, of those that the user may list
 */
public record HotReads(HotGroups hot, Map<GroupId, FilePath> files) {
    /** Groups that are listed. */
    public static final int MOST = 10;

    private static final int PERCENT = 100;
    private static final double MILLIS = 1000;

    /** Asks for them. */
    public static HotReads ask(EcfsClient client, DatanodeId datanode) throws IOException {
        HotGroups hot = Await.result(client.admin().hotGroups(datanode, MOST));
        List<GroupId> groups = hot.groups().stream().map(HotGroups.Group::group).toList();
        Map<GroupId, FilePath> files = new TreeMap<>();
        if (!groups.isEmpty()) {
            for (GroupFile file : Await.result(client.admin().groupFiles(groups))) {
                file.path().ifPresent(path -> files.put(file.group(), path));
            }
        }
        return new HotReads(hot, files);
    }

    private Optional<String> file(HotGroups.Group group) {
        return Optional.ofNullable(files.get(group.group())).map(FilePath::text);
    }

    private double share(HotGroups.Group group) {
        return (double) group.requests() / Math.max(1, hot.requests());
    }

    /** For scripts and the console's API. */
    public ObjectNode json() {
        ObjectNode json = Json.node();
        json.put("spanSeconds", hot.spanMillis() / MILLIS);
        json.put("requests", hot.requests());
        ArrayNode list = json.putArray("groups");
        for (HotGroups.Group group : hot.groups()) {
            ObjectNode one = list.addObject();
            one.put("groupId", group.group().value());
            one.put("group", group.group().toString());
            one.put("file", file(group).orElse(null));
            one.put("requests", group.requests());
            one.put("share", share(group));
            ArrayNode readers = one.putArray("readers");
            group.readers()
                    .forEach(reader ->
                            readers.addObject().put("user", reader.user()).put("share", reader.share()));
        }
        return json;
    }

    /** For people. */
    public void print(PrintWriter out) {
        out.println(String.format(
                Locale.ROOT,
                "about %d requests of clients in %.0f s; groups with a chunk there:",
                hot.requests(),
                hot.spanMillis() / MILLIS));
        out.println();
        TextTable table = new TextTable("GROUP", "REQUESTS", "SHARE", "FILE", "READERS");
        for (HotGroups.Group group : hot.groups()) {
            table.row(
                    group.group(),
                    group.requests(),
                    percent(share(group)),
                    file(group).orElse("-"),
                    group.readers().stream()
                            .map(reader -> reader.user() + " " + percent(reader.share()))
                            .collect(Collectors.joining(", ")));
        }
        out.print(table);
        out.flush();
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", share * PERCENT);
    }
}
