package io.ecfs.console.view;

import io.ecfs.client.EcfsClient;
import io.ecfs.env.real.Poller;
import io.ecfs.message.namespace.NamespaceRequest.GetMoves;
import io.ecfs.message.report.MoverReport;
import io.ecfs.message.report.MoverReport.Move;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Moves of the chunk optimizer, for {@code ecfs admin moves}. */
public final class MoverMoves {
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

    private final EcfsClient client;
    private final PrintWriter out;
    private final boolean json;

    public MoverMoves(EcfsClient client, PrintWriter out, boolean json) {
        this.client = client;
        this.out = out;
        this.json = json;
    }

    /** @param plan what would move next as well */
    public void show(boolean plan) throws IOException {
        MoverReport report = Await.result(client.admin().moves(0, GetMoves.MAX_PAGE, plan));
        if (json) {
            Json.print(out, report);
            return;
        }
        out.println((!report.on() ? "disabled" : report.paused() ? "PAUSED" : "on") + ": " + report.moving()
                + " chunks in progress, " + report.chunksMoved() + " (" + TextTable.bytes(report.bytesMoved())
                + ") moved" + report.waiting().map(why -> "; waiting: " + why).orElse(""));
        table("recent moves", report.moves());
        if (plan) {
            table("planned moves, best first", report.plan());
        }
        out.flush();
    }

    /** Prints new moves until the output is closed or the thread is interrupted, also those of a new leader. */
    public void follow() throws IOException, InterruptedException {
        long after = 0;
        Poller poller = Poller.every(POLL_INTERVAL);
        while (!out.checkError()) {
            List<Move> page = Await.result(client.admin().moves(after, GetMoves.MAX_PAGE, false))
                    .moves();
            for (Move move : page) {
                after = move.number();
                out.println(json ? Json.node(move).toString() : line(move));
            }
            out.flush();
            if (page.size() < GetMoves.MAX_PAGE) {
                poller.pause();
            }
        }
    }

    private void table(String title, List<Move> moves) {
        out.println();
        out.println(title);
        TextTable table = new TextTable(
                "AT", "STATE", "GROUP", "CHUNK", "FROM", "TO", "SIZE", "GAIN", "ACCESS", "LOAD", "REALISED");
        for (Move move : moves) {
            table.row(
                    Times.local(move.atMillis()),
                    TextTable.words(move.state()),
                    move.group(),
                    move.index(),
                    move.from(),
                    move.to(),
                    TextTable.bytes(move.bytes()),
                    gain(move.predictedGain()),
                    gain(move.accessGain()),
                    gain(move.balanceGain()),
                    move.realisedGain().map(MoverMoves::gain).orElse("-"));
        }
        out.print(table);
    }

    private static String line(Move move) {
        return Times.local(move.atMillis()) + "  " + TextTable.words(move.state()) + "  chunk " + move.index() + " of "
                + move.group()
                + ", " + TextTable.bytes(move.bytes()) + ", " + move.from() + " -> " + move.to() + ", expected gain "
                + gain(move.predictedGain())
                + move.realisedGain().map(g -> ", gained " + gain(g)).orElse("");
    }

    private static String gain(double gain) {
        return String.format(Locale.ROOT, "%.2f", gain);
    }
}
