package io.ecfs.console.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.base.Await;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.ClusterReport;
import io.ecfs.message.ClusterReport.Drain;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.Duty;
import io.ecfs.message.NamespaceReply.StopChecked;
import io.ecfs.message.NamespaceRequest;
import io.ecfs.message.StopProblem;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Taking datanodes out of service and back, and whether some may stop. */
final class Drainage {
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);
    private static final int SHOWN = 10;

    private final EcfsClient client;
    private final PrintWriter out;
    private final boolean json;

    Drainage(EcfsClient client, PrintWriter out, boolean json) {
        this.client = client;
        this.out = out;
        this.json = json;
    }

    /** Says what is wanted of a datanode, and shows what it is then. */
    void want(DatanodeId datanode, Duty.State wanted, Optional<Duration> time) throws IOException {
        Await.result(client.setDuty(datanode, wanted, time));
        show(find(datanode));
    }

    /** Tells once a second how far it is, until nothing is left on it. */
    void follow(DatanodeId datanode) throws IOException, InterruptedException {
        while (!out.checkError()) {
            ClusterReport.Datanode now = find(datanode);
            if (now.duty().state() != Duty.State.DECOMMISSIONING) {
                show(now);
                return;
            }
            Thread.sleep(LOOK_AGAIN.toMillis());
            if (!json) {
                show(now);
            }
        }
    }

    private ClusterReport.Datanode find(DatanodeId datanode) throws IOException {
        return Await.result(client.report()).datanodes().stream()
                .filter(d -> d.id().equals(datanode))
                .findFirst()
                .orElseThrow(() -> new EcfsException(ErrorCode.NOT_FOUND, "no datanode " + datanode));
    }

    private void show(ClusterReport.Datanode datanode) throws IOException {
        if (json) {
            Json.print(out, datanode);
        } else {
            out.println("datanode " + datanode.id() + ": " + duty(datanode.duty())
                    + datanode.drain().map(drain -> ", " + text(drain)).orElse(""));
            out.flush();
        }
    }

    /** What is wanted of a datanode, for a table. */
    static String duty(Duty duty) {
        return duty.state() + until(duty.untilMillis());
    }

    /** The end of a maintenance behind its name, if it has one. */
    static String until(Optional<Long> untilMillis) {
        return untilMillis.map(until -> " until " + Times.local(until)).orElse("");
    }

    /** How far a datanode is on its way out. */
    static String text(Drain drain) {
        return drain.chunksLeft() + " chunks (" + TextTable.bytes(drain.bytesLeft()) + ") left, "
                + drain.chunksMoved() + " (" + TextTable.bytes(drain.bytesMoved()) + ") moved"
                + drain.etaSeconds()
                        .map(seconds -> ", ready in "
                                + Duration.ofSeconds(seconds)
                                        .toString()
                                        .substring(2)
                                        .toLowerCase(java.util.Locale.ROOT))
                        .orElse("")
                + drain.waiting().map(reason -> ", waits: " + reason).orElse("");
    }

    /**
     * Whether no group would have too few chunks left if these stopped.
     *
     * @param readable that is already so when all could be read
     */
    boolean safe(List<DatanodeId> datanodes, boolean readable) throws IOException {
        long checked = 0;
        long open = 0;
        long unreadable = 0;
        long withoutSpare = 0;
        List<StopProblem> problems = new ArrayList<>();
        int volume = 0;
        long group = 0;
        do {
            StopChecked page =
                    Await.result(client.checkStop(datanodes, volume, group, NamespaceRequest.CheckStop.MAX_PAGE));
            checked += page.checked();
            open += page.open();
            unreadable += page.unreadable();
            withoutSpare += page.withoutSpare();
            page.problems().stream()
                    .filter(problem -> problem.unreadable() || !readable)
                    .limit(SHOWN - (long) problems.size())
                    .forEach(problems::add);
            volume = page.nextVolume();
            group = page.nextGroup();
        } while (volume > 0);
        boolean safe = unreadable == 0 && (readable || withoutSpare == 0);
        if (json) {
            ObjectNode answer = Json.node();
            answer.put("safe", safe);
            answer.put("groupsChecked", checked);
            answer.put("groupsBeingWritten", open);
            answer.put("groupsUnreadable", unreadable);
            answer.put("groupsWithoutSpare", withoutSpare);
            problems.forEach(problem -> problem(answer.withArray("groups").addObject(), problem));
            answer.withArray("groups");
            Json.print(out, answer);
        } else {
            print(safe, checked, open, unreadable, withoutSpare, problems);
        }
        return safe;
    }

    private static void problem(ObjectNode node, StopProblem problem) {
        node.put("groupId", problem.group().value());
        node.put("path", problem.path().map(Object::toString).orElse(null));
        node.put("chunksAlive", problem.alive());
        node.put("chunksThen", problem.after());
        node.put("chunksNeeded", problem.needed());
        node.put("unreadable", problem.unreadable());
    }

    private void print(
            boolean safe, long checked, long open, long unreadable, long withoutSpare, List<StopProblem> problems) {
        out.println((safe ? "yes" : "no") + ": of " + checked + " groups " + unreadable + " could not be read, "
                + withoutSpare + " could be read and not lose another chunk"
                + (open > 0 ? "; " + open + " more are being written" : ""));
        problems.forEach(problem -> out.println("  group " + problem.group() + "  "
                + problem.path().map(Object::toString).orElse("(deleted)") + "  " + problem.alive()
                + " chunks alive, " + problem.after() + " then, " + problem.needed() + " needed to read"));
        long more = unreadable + withoutSpare - problems.size();
        if (!safe && more > 0) {
            out.println("  and " + more + " more");
        }
        out.flush();
    }
}
