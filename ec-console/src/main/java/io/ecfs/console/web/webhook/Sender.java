package io.ecfs.console.web.webhook;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.console.view.Json;
import io.ecfs.console.view.Severity;
import io.ecfs.console.view.Times;
import io.ecfs.console.web.settings.Webhook;
import io.ecfs.console.web.webhook.Changes.Change;
import io.ecfs.env.Clock;
import io.ecfs.env.real.Metric;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers the notices of one webhook on a thread of its own, in their order. A failed request is repeated after a
 * pause that doubles. A notice is abandoned when the receiver refuses the document itself, and {@link #GIVE_UP} after
 * it was queued. While the queue is full, changes stay in the cluster's history and are queued later.
 *
 * <pre>
 *   queued --POST--> 2xx: acknowledged, ledger on disk
 *     ^         `--> 400, 413, 422, or too old: abandoned, ledger on disk
 *     `-- pause ---- all else
 * </pre>
 */
final class Sender implements AutoCloseable {
    /** Notices in memory. */
    static final int MOST_QUEUED = 100;

    static final Duration GIVE_UP = Duration.ofHours(24);

    private static final Logger LOG = LoggerFactory.getLogger(Sender.class);

    /**
     * Pauses between attempts.
     *
     * @param first the pause after the first failure
     * @param most the longest
     */
    record Backoff(Duration first, Duration most) {
        static final Backoff USUAL = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5));

        private Duration after(Duration pause) {
            Duration twice = pause.multipliedBy(2);
            return twice.compareTo(most) > 0 ? most : twice;
        }
    }

    /**
     * What is to be delivered, and to be noted then.
     *
     * @param notice none where a cluster was found that was not known: what happens to it from now on is announced,
     *     also after a restart
     */
    private record Queued(Optional<Notice> notice, Ledger after, long sinceNanos) {}

    private final String name;
    private final Webhook webhook;
    private final Post post;
    private final LedgerFile file;
    private final Clock clock;
    private final Backoff backoff;
    private final Thread thread;

    @GuardedBy("this")
    private final Deque<Queued> queue = new ArrayDeque<>();

    /** What is announced once the queue is empty. */
    @GuardedBy("this")
    private Ledger noted;

    @GuardedBy("this")
    private long delivered;

    @GuardedBy("this")
    private long failed;

    @GuardedBy("this")
    private long abandoned;

    @GuardedBy("this")
    private long deliveredMillis;

    /** Reason of the latest attempt; empty when it succeeded. */
    @GuardedBy("this")
    private String failure = "";

    @GuardedBy("this")
    private boolean closed;

    private Sender(String name, Webhook webhook, LedgerFile file, Clock clock, Backoff backoff) {
        this.name = name;
        this.webhook = webhook;
        this.post = new Post(webhook);
        this.file = file;
        this.clock = clock;
        this.backoff = backoff;
        this.noted = file.read();
        this.thread = new Thread(this::run, "console-webhook-" + name);
        thread.setDaemon(true);
    }

    static Sender start(String name, Webhook webhook, LedgerFile file, Clock clock, Backoff backoff) {
        Sender sender = new Sender(name, webhook, file, clock, backoff);
        sender.thread.start();
        return sender;
    }

    /** Queues what is new. */
    synchronized void observe(Situation now) {
        Ledger before = noted;
        noted = noted.on(now);
        boolean found = !noted.cluster().equals(before.cluster());
        if (found) {
            queue.add(new Queued(Optional.empty(), noted, clock.nanos()));
        }
        List<Change> changes = Changes.between(noted, now, clock.epochMillis(), MOST_QUEUED - queued());
        for (Change change : changes) {
            queue.add(new Queued(Optional.of(change.notice()), change.after(), clock.nanos()));
            noted = change.after();
        }
        if (found || !changes.isEmpty()) {
            notifyAll();
        }
    }

    /** Sends a message that announces nothing, on the caller's thread, once. */
    Post.Outcome test(String cluster) throws InterruptedException {
        long now = clock.epochMillis();
        return post.send(Notice.of(
                "test-" + now,
                Notice.Event.TEST,
                cluster,
                now,
                Severity.INFO,
                Optional.empty(),
                "a test message of the ECFS console",
                Optional.empty()));
    }

    private void run() {
        try {
            for (Optional<Queued> next = next(); next.isPresent(); next = next()) {
                deliverGuarded(next.get());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** The notice at the head of the queue, where it stays until it is settled; empty at the end. */
    private synchronized Optional<Queued> next() throws InterruptedException {
        while (queue.isEmpty() && !closed) {
            wait();
        }
        return closed ? Optional.empty() : Optional.of(queue.getFirst());
    }

    /** A bug in one notice does not silence the webhook. */
    private void deliverGuarded(Queued queued) throws InterruptedException {
        try {
            deliver(queued);
        } catch (RuntimeException bug) {
            LOG.error("event=webhook_bug webhook={}", name, bug);
            synchronized (this) {
                failed++;
                abandoned++;
                failure = bug.toString();
            }
            settle(queued);
        }
    }

    private void deliver(Queued queued) throws InterruptedException {
        Optional<Notice> wanted = queued.notice().filter(notice -> notice.wanted(webhook.wanted()));
        if (wanted.isEmpty()) {
            settle(queued);
            return;
        }
        Notice notice = wanted.get();
        Duration pause = backoff.first();
        while (!closed()) {
            Post.Outcome outcome = post.send(notice);
            if (outcome.taken()) {
                taken();
                settle(queued);
                return;
            }
            boolean over = clock.nanos() - queued.sinceNanos() >= GIVE_UP.toNanos();
            if (outcome.refused() || over) {
                abandon(notice, outcome);
                settle(queued);
                return;
            }
            failed(notice, outcome);
            rest(pause);
            pause = backoff.after(pause);
        }
    }

    @GuardedBy("this")
    private int queued() {
        return (int) queue.stream().filter(one -> one.notice().isPresent()).count();
    }

    private synchronized boolean closed() {
        return closed;
    }

    private synchronized void taken() {
        delivered++;
        deliveredMillis = clock.epochMillis();
        failure = "";
    }

    private synchronized void failed(Notice notice, Post.Outcome outcome) {
        failed++;
        if (failure.isEmpty()) {
            LOG.warn("event=webhook_failed webhook={} id={} reason=\"{}\"", name, notice.id(), outcome.reason());
        }
        failure = outcome.reason();
    }

    private synchronized void abandon(Notice notice, Post.Outcome outcome) {
        LOG.warn("event=webhook_abandoned webhook={} id={} reason=\"{}\"", name, notice.id(), outcome.reason());
        failed++;
        abandoned++;
        failure = outcome.reason();
    }

    /** The notice is over: it is on disk before the next one is sent. */
    private void settle(Queued queued) {
        try {
            file.write(queued.after());
        } catch (IOException e) {
            LOG.warn("event=webhook_ledger_not_written webhook={} reason=\"{}\"", name, e.toString());
        }
        synchronized (this) {
            queue.removeFirst();
        }
    }

    private synchronized void rest(Duration pause) throws InterruptedException {
        long end = clock.nanos() + pause.toNanos();
        for (long left = pause.toNanos(); left > 0 && !closed; left = end - clock.nanos()) {
            wait(Math.max(1, left / 1_000_000));
        }
    }

    /** State of the deliveries, for operators; of the URL the host alone. */
    synchronized ObjectNode json() {
        ObjectNode json = Json.node();
        json.put("name", name);
        json.put("host", webhook.uri().getHost());
        json.put("signed", webhook.secret().isPresent());
        ArrayNode severities = json.putArray("severities");
        webhook.wanted().stream().sorted().forEach(severity -> severities.add(severity.text()));
        json.put("queued", queued());
        json.put("delivered", delivered);
        json.put("failedAttempts", failed);
        json.put("abandoned", abandoned);
        json.put("deliveredAt", deliveredMillis == 0 ? null : Times.iso(deliveredMillis));
        json.put("failure", failure.isEmpty() ? null : failure);
        return json;
    }

    synchronized List<Metric> metrics() {
        Map<String, String> labels = Map.of("webhook", name);
        return List.of(
                Metric.gauge("ecfs_console_webhook_queued", "Alerts that wait for their webhook", labels, queued()),
                Metric.gauge(
                        "ecfs_console_webhook_failing",
                        "1 while the latest request to the webhook failed",
                        labels,
                        failure.isEmpty() ? 0 : 1),
                Metric.counter(
                        "ecfs_console_webhook_delivered_total",
                        "Alerts that the webhook acknowledged",
                        labels,
                        delivered),
                Metric.counter(
                        "ecfs_console_webhook_failed_attempts_total",
                        "Requests that the webhook did not acknowledge",
                        labels,
                        failed),
                Metric.counter(
                        "ecfs_console_webhook_abandoned_total",
                        "Alerts that the webhook refused, or did not acknowledge within a day",
                        labels,
                        abandoned));
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
