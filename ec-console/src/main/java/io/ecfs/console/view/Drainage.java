package io.ecfs.console.view;

import io.ecfs.client.EcfsClient;
import io.ecfs.env.real.Poller;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.report.ClusterReport.Drain;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** Changes of the admin state of datanodes. */
public final class Drainage {
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

    private final EcfsClient client;
    private final PrintWriter out;
    private final boolean json;

    public Drainage(EcfsClient client, PrintWriter out, boolean json) {
        this.client = client;
        this.out = out;
        this.json = json;
    }

    /** Sets the admin state of a datanode, and prints the new state. */
    public void want(DatanodeId datanode, AdminState.State wanted, Optional<Duration> time) throws IOException {
        Await.result(client.admin().setDuty(datanode, wanted, time));
        show(find(datanode));
    }

    /**
     * Decommissions a datanode and prints the progress once a second until no chunk is left on it; as JSON only the
     * result.
     */
    public void empty(DatanodeId datanode) throws IOException, InterruptedException {
        Await.result(client.admin().setDuty(datanode, AdminState.State.DECOMMISSIONING, Optional.empty()));
        Poller poller = Poller.every(POLL_INTERVAL);
        while (!out.checkError()) {
            ClusterReport.Datanode now = find(datanode);
            boolean left = now.duty().state() == AdminState.State.DECOMMISSIONING;
            if (!left || !json) {
                show(now);
            }
            if (!left) {
                return;
            }
            poller.pause();
        }
    }

    private ClusterReport.Datanode find(DatanodeId datanode) throws IOException {
        return Await.result(client.admin().report()).datanodes().stream()
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

    /** Admin state of a datanode, for a table. */
    static String duty(AdminState duty) {
        return duty.state() + until(duty.untilMillis());
    }

    /** The end of a maintenance behind its name, if it has one. */
    public static String until(Optional<Long> untilMillis) {
        return untilMillis.map(until -> " until " + Times.local(until)).orElse("");
    }

    /** Progress of a decommission. */
    static String text(Drain drain) {
        return drain.chunksLeft() + " chunks (" + TextTable.bytes(drain.bytesLeft()) + ") left, "
                + drain.chunksMoved() + " (" + TextTable.bytes(drain.bytesMoved()) + ") moved"
                + drain.etaSeconds()
                        .map(seconds -> ", estimated completion in "
                                + Duration.ofSeconds(seconds)
                                        .toString()
                                        .substring(2)
                                        .toLowerCase(Locale.ROOT))
                        .orElse("")
                + drain.waiting().map(reason -> ", waiting: " + reason).orElse("");
    }
}
