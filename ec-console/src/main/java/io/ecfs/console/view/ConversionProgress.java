package io.ecfs.console.view;

import io.ecfs.client.ClusterAdmin;
import io.ecfs.env.real.Poller;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;

/** Prints the plan of a conversion and, on request, its progress until its end, for {@code ecfs ec convert}. */
public final class ConversionProgress {
    private static final Duration INTERVAL = Duration.ofMillis(500);

    /** A line that says nothing new is not printed. */
    private String printed = "";

    private final ClusterAdmin admin;
    private final PrintWriter out;
    private final boolean json;

    public ConversionProgress(ClusterAdmin admin, PrintWriter out, boolean json) {
        this.admin = admin;
        this.out = out;
        this.json = json;
    }

    /**
     * Waits until the files are counted, or with {@code toTheEnd} converted.
     *
     * @return exit code: 1 when a file was not converted, or the conversion was cancelled
     */
    public int follow(long job, boolean toTheEnd) throws IOException, InterruptedException {
        Poller poller = Poller.every(INTERVAL);
        ConversionView now = ConversionView.find(admin, job);
        boolean planned = false;
        while (now.counting() || (toTheEnd && !now.ended())) {
            if (!now.counting() && !json) {
                planned = planned || plan(now);
                print(now.line());
            }
            poller.pause();
            now = ConversionView.find(admin, job);
        }
        if (json) {
            Json.print(out, now);
        } else {
            if (!planned) {
                plan(now);
            }
            end(now);
        }
        out.flush();
        return now.ended() && (now.failed() > 0 || now.cancelled()) ? 1 : 0;
    }

    private boolean plan(ConversionView now) {
        print("conversion " + now.job() + ": " + now.plan());
        return true;
    }

    private void end(ConversionView now) {
        if (now.dryRun()) {
            return;
        }
        if (!now.ended()) {
            print("begun; 'ecfs ec conversions' shows its progress");
            return;
        }
        print(now.line());
        if (now.firstFailure() != null) {
            print("not converted: " + now.firstFailure()
                    + (now.failed() > 1 ? " (and " + (now.failed() - 1) + " more)" : ""));
        }
    }

    private void print(String line) {
        if (!line.equals(printed)) {
            out.println(line);
            out.flush();
            printed = line;
        }
    }
}
