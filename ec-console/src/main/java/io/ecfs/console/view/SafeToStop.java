package io.ecfs.console.view;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.namespace.NamespaceReply.StopChecked;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.report.StopProblem;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Effect of stopping datanodes on the redundancy of groups, for {@code ecfs admin safe-to-stop}: the sum of all pages
 * of the leader's answer.
 */
public final class SafeToStop {
    private static final int SHOWN = 10;

    private final boolean readable;
    private final List<StopProblem> problems = new ArrayList<>();
    private long checked;
    private long open;
    private long unreadable;
    private long withoutSpare;
    private long unsynced;

    private SafeToStop(boolean readable) {
        this.readable = readable;
    }

    /**
     * Checks all groups that have chunks on these datanodes, at the leader.
     *
     * @param readable only requires that all stay readable; otherwise each must tolerate another loss
     */
    public static SafeToStop ask(EcfsClient client, List<DatanodeId> datanodes, boolean readable) throws IOException {
        SafeToStop sum = new SafeToStop(readable);
        int volume = 0;
        long group = 0;
        do {
            StopChecked page = Await.result(
                    client.admin().checkStop(datanodes, volume, group, NamespaceRequest.CheckStop.MAX_PAGE));
            sum.add(page);
            volume = page.nextVolume();
            group = page.nextGroup();
        } while (volume > 0);
        sum.unsynced = Await.result(client.admin().report()).datanodes().stream()
                .filter(datanode -> datanodes.contains(datanode.id()))
                .mapToLong(ClusterReport.Datanode::unsyncedChunks)
                .sum();
        return sum;
    }

    private void add(StopChecked page) {
        checked += page.checked();
        open += page.open();
        unreadable += page.unreadable();
        withoutSpare += page.withoutSpare();
        page.problems().stream()
                .filter(problem -> problem.unreadable() || !readable)
                .limit(SHOWN - (long) problems.size())
                .forEach(problems::add);
    }

    /** True when the datanodes may be stopped. */
    public boolean yes() {
        return unreadable == 0 && (readable || withoutSpare == 0);
    }

    public void json(PrintWriter out) throws IOException {
        Json.print(out, json());
    }

    /** The answer as an object. */
    public ObjectNode json() {
        ObjectNode answer = Json.node();
        answer.put("safe", yes());
        answer.put("groupsChecked", checked);
        answer.put("groupsBeingWritten", open);
        answer.put("groupsUnreadable", unreadable);
        answer.put("groupsWithoutSpare", withoutSpare);
        answer.put("chunksNotOnDiskYet", unsynced);
        answer.withArray("groups");
        for (StopProblem problem : problems) {
            ObjectNode node = answer.withArray("groups").addObject();
            node.put("groupId", problem.group().value());
            node.put("path", problem.path().map(Object::toString).orElse(null));
            node.put("chunksAlive", problem.alive());
            node.put("chunksThen", problem.after());
            node.put("chunksNeeded", problem.needed());
            node.put("unreadable", problem.unreadable());
        }
        return answer;
    }

    public void print(PrintWriter out) {
        out.println((yes() ? "yes" : "no") + ": of " + checked + " groups " + unreadable + " would be unavailable, "
                + withoutSpare + " would be readable without tolerating another loss"
                + (open > 0 ? "; " + open + " more are being written" : "")
                + (unsynced > 0 ? "; " + unsynced + " closed chunks there are not on disk yet" : ""));
        problems.forEach(problem -> out.println("  group " + problem.group() + "  "
                + problem.path().map(Object::toString).orElse("(deleted)") + "  " + problem.alive()
                + " chunks alive, " + problem.after() + " then, " + problem.needed() + " needed to read"));
        long more = unreadable + withoutSpare - problems.size();
        if (!yes() && more > 0) {
            out.println("  and " + more + " more");
        }
        out.flush();
    }
}
