package io.ecfs.console.view;

import io.ecfs.client.EcfsClient;
import io.ecfs.env.real.Poller;
import io.ecfs.message.report.WriteReport;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;

/** Prints periodically what was written since, for {@code ecfs admin writes --follow}. */
public final class WriteFollower {
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final EcfsClient client;
    private final PrintWriter out;
    private final boolean json;

    public WriteFollower(EcfsClient client, PrintWriter out, boolean json) {
        this.client = client;
        this.out = out;
        this.json = json;
    }

    /** Goes on for {@code time}, or until nobody reads. */
    public void follow(Duration time) throws IOException, InterruptedException {
        Poller poller = Poller.every(INTERVAL);
        WriteReport before = Await.result(client.admin().writes());
        while (!out.checkError() && !poller.passed(time)) {
            poller.pause();
            WriteReport now = Await.result(client.admin().writes());
            WriteReport since = Writes.since(before, now);
            if (json) {
                out.println(Json.node(since));
            } else {
                Writes.print(out, since);
            }
            out.flush();
            before = now;
        }
    }
}
