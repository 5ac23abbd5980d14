package io.ecfs.console.view;

import io.ecfs.client.EcfsClient;
import io.ecfs.env.real.Poller;
import io.ecfs.message.namespace.NamespaceRequest.Balance.Wish;
import io.ecfs.message.report.BalanceReport;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;

/** Utilization of volumes and its balancing, for {@code ecfs admin balance}. */
public final class Balancing {
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

    /** Consecutive polls without a move in progress, after which waiting ends. */
    private static final int PATIENCE = 15;

    private final EcfsClient client;
    private final PrintWriter out;
    private final boolean json;
    private final int permille;

    /** @param percent the threshold; null: as configured */
    public Balancing(EcfsClient client, PrintWriter out, boolean json, Double percent) {
        this.client = client;
        this.out = out;
        this.json = json;
        this.permille = percent == null ? 0 : (int) Math.max(1, Math.round(percent * 10));
    }

    public void show(Wish wish) throws IOException {
        show(Await.result(client.admin().balance(wish, permille)), true);
    }

    /**
     * Requests balancing and prints its progress once a second; requests it again from a new leader.
     *
     * @return false when volumes stay out of balance because nothing can be moved
     */
    public boolean follow() throws IOException, InterruptedException {
        show(Wish.BEGIN);
        int idle = 0;
        Poller poller = Poller.every(POLL_INTERVAL);
        while (!out.checkError()) {
            poller.pause();
            BalanceReport now = Await.result(client.admin().balance(Wish.LOOK, permille));
            if (!now.asked() && now.bytesToMove() > 0) {
                now = Await.result(client.admin().balance(Wish.BEGIN, permille));
            }
            idle = now.moving() > 0 ? 0 : idle + 1;
            boolean done = !now.asked() && now.moving() == 0;
            if (done || (idle > PATIENCE && now.waiting().isPresent())) {
                show(now, true);
                return done;
            }
            if (!json) {
                show(now, false);
            }
        }
        return false;
    }

    private void show(BalanceReport report, boolean whole) throws IOException {
        if (json) {
            Json.print(out, report);
            return;
        }
        if (whole) {
            print(report);
        }
        out.println((report.bytesToMove() == 0 ? "balanced" : TextTable.bytes(report.bytesToMove()) + " to move")
                + " within " + report.thresholdPermille() / 10.0 + " %: " + report.moving() + " chunks in progress, "
                + report.chunksMoved() + " (" + TextTable.bytes(report.bytesMoved()) + ") moved"
                + (report.asked() ? "" : report.background() ? "; in the background" : "; disabled")
                + report.waiting().map(reason -> "; waiting: " + reason).orElse(""));
        out.flush();
    }

    private void print(BalanceReport report) {
        TextTable volumes = new TextTable("DATANODE", "VOLUME", "USED", "CAPACITY", "UTILIZATION", "PLAN");
        for (BalanceReport.Volume volume : report.volumes()) {
            String plan = volume.moveBytes() == 0
                    ? "-"
                    : (volume.moveBytes() > 0 ? "+" : "-") + TextTable.bytes(Math.abs(volume.moveBytes()));
            volumes.row(
                    volume.datanode(),
                    volume.id(),
                    TextTable.bytes(volume.usedBytes()),
                    TextTable.bytes(volume.roomBytes()),
                    String.format("%.1f %%", 100.0 * volume.usedBytes() / volume.roomBytes()),
                    plan);
        }
        out.print(volumes);
    }
}
