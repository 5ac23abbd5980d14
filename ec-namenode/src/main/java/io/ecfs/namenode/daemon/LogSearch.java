package io.ecfs.namenode.daemon;

import io.ecfs.env.Environment;
import io.ecfs.env.Scheduler;
import io.ecfs.env.Workers;
import io.ecfs.message.SnapshotReply;
import io.ecfs.message.SnapshotRequest;
import io.ecfs.namenode.log.LogIdentity;
import io.ecfs.namenode.log.ratis.SnapshotSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A namenode with an empty directory looks for the log that it belongs to: asks the other namenodes of its configuration, round
 * after round, and says rarely for whom it waits. It founds nothing. The rounds run on threads of their own, because asking blocks.
 */
final class LogSearch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LogSearch.class);
    private static final Duration EVERY = Duration.ofMillis(200);
    /** Between two lines that say the same. */
    private static final Duration SAY_AGAIN = Duration.ofMinutes(1);

    private final Environment environment;
    private final NamenodeConfig config;
    private final SnapshotSource peers;
    private final Consumer<LogIdentity> found;
    private final Scheduler rounds;
    private final Workers asking;
    private volatile String waitsFor = "";
    /** Touched by one round at a time. */
    private String said = "";

    private long saidNanos;

    /** @param found told once, on a thread of the search, which may be closed then */
    LogSearch(Environment environment, NamenodeConfig config, SnapshotSource peers, Consumer<LogIdentity> found) {
        this.environment = environment;
        this.config = config;
        this.peers = peers;
        this.found = found;
        this.rounds = environment.threads().scheduler(config.id() + "-search");
        this.asking = environment.threads().workers(config.id() + "-search-asking", 1, 1);
    }

    void begin() {
        var unused = asking.submit(this::round).whenComplete((log, failed) -> {
            if (failed == null && log.isPresent()) {
                rounds.execute(() -> found.accept(log.get()));
            } else {
                rounds.schedule(EVERY, this::begin);
            }
        });
    }

    /** For whom, and what they answered; empty before the first round. */
    String waitsFor() {
        return waitsFor;
    }

    private Optional<LogIdentity> round() {
        TreeSet<String> logs = new TreeSet<>();
        List<String> answers = new ArrayList<>();
        Optional<LogIdentity> log = Optional.empty();
        for (String other : config.namenodes().keySet()) {
            if (other.equals(config.id())) {
                continue;
            }
            try {
                SnapshotReply reply =
                        peers.ask(other, new SnapshotRequest.DescribeLog()).reply();
                if (reply instanceof SnapshotReply.LogDescription its
                        && !its.log().isEmpty()) {
                    log = Optional.of(new LogIdentity(its.clusterId(), UUID.fromString(its.log())));
                    logs.add(its.log());
                    answers.add(other + " (has " + log.get() + ")");
                } else {
                    answers.add(other + " (its directory is empty too)");
                }
            } catch (IOException e) {
                answers.add(other + " ("
                        + String.valueOf(e.getMessage()).lines().findFirst().orElse("no answer") + ")");
            }
        }
        if (logs.size() == 1) {
            return log;
        }
        say(
                String.join("; ", answers),
                logs.isEmpty()
                        ? "start one that has the cluster's state; a new cluster is founded by 'ecfs namenode format' on"
                                + " one of its namenodes"
                        : "they were founded apart: empty the directory of the one whose cluster is not wanted");
        return Optional.empty();
    }

    private void say(String answers, String action) {
        waitsFor = answers;
        long now = environment.clock().nanos();
        if (said.equals(answers) && now - saidNanos < SAY_AGAIN.toNanos()) {
            return;
        }
        said = answers;
        saidNanos = now;
        LOG.warn(
                "event=namenode_waits namenode={} directory={} reason=\"the directory is empty\" for=\"{}\" action=\"{}\"",
                config.id(),
                config.directory(),
                answers,
                action);
    }

    @Override
    public void close() {
        rounds.close();
        asking.close();
    }
}
