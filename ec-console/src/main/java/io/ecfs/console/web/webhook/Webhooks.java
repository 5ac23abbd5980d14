package io.ecfs.console.web.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.console.web.settings.Webhook;
import io.ecfs.console.web.webhook.Sender.Backoff;
import io.ecfs.env.Clock;
import io.ecfs.env.real.Metric;
import io.ecfs.env.real.PrivateFiles;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The webhooks of a console. Safe for use by several threads. */
public final class Webhooks implements AutoCloseable {
    /** A verdict lasts so long before it is announced. */
    private static final Duration HOLD = Duration.ofSeconds(5);

    private final Map<String, Sender> senders = new TreeMap<>();
    private final Clock clock;

    @GuardedBy("this")
    private final Settling settling;

    @GuardedBy("this")
    private String cluster = "";

    private Webhooks(Clock clock, Duration hold) {
        this.clock = clock;
        this.settling = new Settling(hold);
    }

    /**
     * @param directory of what was announced; created where there is a webhook
     * @throws UncheckedIOException when it cannot be created
     */
    public static Webhooks start(Map<String, Webhook> webhooks, Path directory, Clock clock) {
        return start(webhooks, directory, clock, HOLD, Backoff.USUAL);
    }

    static Webhooks start(Map<String, Webhook> webhooks, Path directory, Clock clock, Duration hold, Backoff backoff) {
        Webhooks all = new Webhooks(clock, hold);
        if (!webhooks.isEmpty()) {
            try {
                PrivateFiles.createDirectory(directory);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot create the directory of webhooks " + directory, e);
            }
        }
        webhooks.forEach((name, webhook) -> all.senders.put(
                name, Sender.start(name, webhook, new LedgerFile(directory.resolve(name + ".json")), clock, backoff)));
        return all;
    }

    /** Takes what a poll found; returns at once. */
    public void observe(Situation now) {
        settled(now).ifPresent(situation -> senders.values().forEach(sender -> sender.observe(situation)));
    }

    private synchronized Optional<Situation> settled(Situation now) {
        cluster = now.cluster();
        return settling.after(now, clock.nanos());
    }

    /**
     * Sends a test message and waits for the reply.
     *
     * @throws EcfsException {@code NOT_FOUND} for no such webhook; {@code INTERNAL} when it refused the message;
     *     {@code TIMEOUT} when there was no reply, and it may have the message
     */
    public ObjectNode test(String name) throws EcfsException {
        Sender sender = senders.get(name);
        if (sender == null) {
            throw new EcfsException(ErrorCode.NOT_FOUND, "no webhook " + name);
        }
        long began = clock.nanos();
        Post.Outcome outcome;
        try {
            outcome = sender.test(cluster());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EcfsException(ErrorCode.TIMEOUT, "the console stops", e);
        }
        if (!outcome.taken()) {
            throw new EcfsException(
                    outcome.unknown() ? ErrorCode.TIMEOUT : ErrorCode.INTERNAL,
                    "webhook " + name + " did not acknowledge the message: " + outcome.reason());
        }
        ObjectNode json = sender.json();
        json.put("status", outcome.status());
        json.put("milliseconds", (clock.nanos() - began) / 1_000_000);
        return json;
    }

    private synchronized String cluster() {
        return cluster;
    }

    /** State of the deliveries of each webhook. */
    public List<ObjectNode> json() {
        return senders.values().stream().map(Sender::json).toList();
    }

    /** Numbers of the deliveries of each webhook. */
    public List<Metric> metrics() {
        return senders.values().stream()
                .flatMap(sender -> sender.metrics().stream())
                .toList();
    }

    @Override
    public void close() {
        senders.values().forEach(Sender::close);
    }
}
