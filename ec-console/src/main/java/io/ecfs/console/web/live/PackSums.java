package io.ecfs.console.web.live;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.client.EcfsClient;
import io.ecfs.console.view.Json;
import io.ecfs.console.view.PackTotals;
import io.ecfs.console.view.Times;
import io.ecfs.env.Clock;
import io.ecfs.message.namespace.NamespaceRequest.FindPacks;
import io.ecfs.message.report.PackUse;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sums over the groups that small files share, and the number of these files. A thread of its own computes them when a
 * request finds none or old ones: however many browsers there are, the namenodes are asked once in {@link #POLLS}
 * intervals of polls, and half of the time at most, since each call is followed by a pause of its own length.
 */
public final class PackSums implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PackSums.class);

    /** Sums that are older than so many intervals of polls are computed again when they are requested. */
    private static final int POLLS = 60;

    /** Time that a request waits for the first sums. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final EcfsClient client;
    private final Clock clock;
    private final Duration age;
    private final Thread thread;

    @GuardedBy("this")
    private Optional<Sums> latest = Optional.empty();

    @GuardedBy("this")
    private Optional<String> failure = Optional.empty();

    @GuardedBy("this")
    private boolean summing;

    @GuardedBy("this")
    private boolean closed;

    /**
     * @param files that have bytes in the groups; one with bytes in several groups counts in each
     * @param allFiles false: of some groups only the first {@link PackUse#MOST_FILES} are counted
     */
    private record Sums(long atMillis, PackTotals totals, long files, boolean allFiles) {}

    private PackSums(EcfsClient client, Duration refresh, Clock clock) {
        this.client = client;
        this.age = refresh.multipliedBy(POLLS);
        this.clock = clock;
        this.thread = new Thread(this::run, "console-packs");
        thread.setDaemon(true);
    }

    /** @param refresh interval of polls of the cluster */
    public static PackSums start(EcfsClient client, Duration refresh, Clock clock) {
        PackSums sums = new PackSums(client, refresh, clock);
        sums.thread.start();
        return sums;
    }

    /** The latest sums and their time, null for what is not known yet, and the reason when the last attempt failed. */
    public synchronized ObjectNode json() throws InterruptedException {
        if (latest.filter(sums -> clock.epochMillis() - sums.atMillis() < age.toMillis())
                .isEmpty()) {
            summing = true;
            notifyAll();
        }
        long end = clock.nanos() + PATIENCE.toNanos();
        for (long left = PATIENCE.toMillis();
                latest.isEmpty() && summing && !closed && left > 0;
                left = (end - clock.nanos()) / 1_000_000) {
            wait(left);
        }
        PackTotals totals = latest.map(Sums::totals).orElse(PackTotals.NONE);
        ObjectNode json = Json.node();
        json.put("at", latest.map(sums -> Times.iso(sums.atMillis())).orElse(null));
        json.put("summing", summing);
        json.put("failure", failure.orElse(null));
        json.put("groups", totals.groups());
        json.put("open", totals.open());
        json.put("files", latest.map(Sums::files).orElse(0L));
        json.put("allFiles", latest.map(Sums::allFiles).orElse(true));
        json.put("bytes", totals.bytes());
        json.put("liveBytes", totals.liveBytes());
        json.put("cleanBelow", totals.cleanBelow().orElse(null));
        json.put("deadShare", totals.deadShare().orElse(null));
        json.put("sparseGroups", totals.sparse());
        json.put("sparseDeadBytes", totals.sparseDeadBytes());
        return json;
    }

    private void run() {
        try {
            while (awaitRequest()) {
                sumOrReport();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean awaitRequest() throws InterruptedException {
        while (!summing && !closed) {
            wait();
        }
        return !closed;
    }

    private void sumOrReport() throws InterruptedException {
        try {
            done(Optional.of(new Count().sums()), Optional.empty());
        } catch (IOException | RuntimeException e) {
            LOG.info("event=packs_not_summed reason=\"{}\"", e.toString());
            done(Optional.empty(), Optional.of(String.valueOf(e.getMessage())));
        }
    }

    private synchronized void done(Optional<Sums> sums, Optional<String> why) {
        latest = sums.or(() -> latest);
        failure = why;
        summing = false;
        notifyAll();
    }

    /** One pass. */
    private final class Count {
        private long files;
        private boolean all = true;
        private long calledNanos = clock.nanos();
        private boolean interrupted;

        Sums sums() throws IOException, InterruptedException {
            PackTotals totals = PackTotals.ask(client.admin(), this::count);
            if (interrupted) {
                throw new InterruptedException();
            }
            return new Sums(clock.epochMillis(), totals, files, all);
        }

        private void count(List<PackUse> packs) throws IOException {
            for (int from = 0; from < packs.size() && !interrupted; from += FindPacks.MOST_GROUPS) {
                pause();
                List<PackUse> some = packs.subList(from, Math.min(packs.size(), from + FindPacks.MOST_GROUPS));
                for (PackUse pack : Await.result(
                        client.admin().packs(some.stream().map(PackUse::group).toList()))) {
                    files += pack.files().orElse(0L);
                    all &= pack.files().orElse(0L) < PackUse.MOST_FILES;
                }
            }
            pause();
        }

        /** As long as the call before took. */
        private void pause() {
            long took = clock.nanos() - calledNanos;
            try {
                rest(took);
            } catch (InterruptedException stopped) {
                interrupted = true;
            }
            calledNanos = clock.nanos();
        }
    }

    private synchronized void rest(long nanos) throws InterruptedException {
        long end = clock.nanos() + nanos;
        for (long left = nanos / 1_000_000; left > 0 && !closed; left = (end - clock.nanos()) / 1_000_000) {
            wait(left);
        }
        if (closed) {
            throw new InterruptedException();
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        thread.interrupt();
    }
}
