package io.ecfs.namenode.daemon;

import io.ecfs.env.Environment;
import io.ecfs.message.snapshot.SnapshotReply.LogDescription;
import io.ecfs.namenode.log.LogIdentity;
import io.ecfs.namenode.log.ratis.LogDescriptions;
import io.ecfs.namenode.log.ratis.LogDescriptions.Answer;
import io.ecfs.namenode.log.ratis.RareLine;
import io.ecfs.namenode.log.ratis.checkpoint.SnapshotSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the log that a namenode with an empty directory belongs to: the one that the other namenodes have. It makes
 * none.
 */
final class LogSearch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LogSearch.class);
    private static final Duration EVERY = Duration.ofMillis(200);

    private final NamenodeConfig config;
    private final Consumer<LogIdentity> join;
    private final LogDescriptions descriptions;
    /** Touched by one round at a time. */
    private final RareLine line;

    private volatile String waitsFor = "";

    /** @param join called once, on a thread of the search, which may be closed then */
    LogSearch(Environment environment, NamenodeConfig config, SnapshotSource peers, Consumer<LogIdentity> join) {
        this.config = config;
        this.join = join;
        List<String> others = config.namenodes().keySet().stream()
                .filter(id -> !id.equals(config.id()))
                .toList();
        this.descriptions = new LogDescriptions(config.id() + "-search", environment, peers, others, EVERY);
        this.line = new RareLine(environment.clock());
    }

    void begin() {
        descriptions.begin(() -> LogDescriptions.Next.ASK, this::decide);
    }

    /** The namenodes that were asked and their answers; empty before the first round. */
    String waitsFor() {
        return waitsFor;
    }

    private Optional<Runnable> decide(Map<String, Answer> answers) {
        List<LogIdentity> logs = answers.values().stream()
                .flatMap(answer -> answer.known().stream())
                .map(LogSearch::identity)
                .distinct()
                .toList();
        if (logs.size() == 1) {
            return Optional.of(() -> join.accept(logs.get(0)));
        }
        waitsFor = LogDescriptions.line(answers);
        if (line.due(waitsFor)) {
            LOG.warn(
                    "event=namenode_waits namenode={} directory={} reason=\"the directory is empty\" for=\"{}\""
                            + " action=\"{}\"",
                    config.id(),
                    config.directory(),
                    waitsFor,
                    logs.isEmpty()
                            ? "start one that has the cluster's state; 'ecfs namenode format' on one of its namenodes"
                                    + " makes a new cluster"
                            : "two clusters were formatted: empty the directory of the one whose cluster is not"
                                    + " wanted");
        }
        return Optional.empty();
    }

    private static LogIdentity identity(LogDescription log) {
        return new LogIdentity(log.clusterId(), UUID.fromString(log.log()));
    }

    @Override
    public void close() {
        descriptions.close();
    }
}
