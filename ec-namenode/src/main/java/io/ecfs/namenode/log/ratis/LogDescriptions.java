package io.ecfs.namenode.log.ratis;

import io.ecfs.env.Environment;
import io.ecfs.env.Scheduler;
import io.ecfs.env.Workers;
import io.ecfs.message.snapshot.SnapshotReply;
import io.ecfs.message.snapshot.SnapshotReply.LogDescription;
import io.ecfs.message.snapshot.SnapshotRequest;
import io.ecfs.namenode.log.ratis.checkpoint.SnapshotSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Asks the other namenodes, round after round, to describe their logs, until a decision follows from their answers.
 * Rounds run on a thread of their own, because asking blocks.
 */
public final class LogDescriptions implements AutoCloseable {
    private final List<String> others;
    private final SnapshotSource peers;
    private final Duration every;
    private final Scheduler rounds;
    private final Workers asking;

    /** The next thing to do. */
    public enum Next {
        ASK,
        /** Asks nothing this time. */
        PAUSE,
        END
    }

    /**
     * The answer of one namenode in one round.
     *
     * @param log its description, which names no log when its directory is empty; empty when it gave none
     * @param failure the first line of why it gave none
     */
    public record Answer(Optional<LogDescription> log, String failure) {
        /** The description of a namenode that has a log. */
        public Optional<LogDescription> known() {
            return log.filter(its -> !its.log().isEmpty());
        }

        @Override
        public String toString() {
            return log.map(its -> its.log().isEmpty()
                            ? "its directory is empty too"
                            : "has log " + its.log() + " of cluster " + its.clusterId())
                    .orElse(failure);
        }
    }

    /**
     * @param name of the threads
     * @param others namenodes to ask
     * @param every pause between two rounds
     */
    public LogDescriptions(
            String name, Environment environment, SnapshotSource peers, List<String> others, Duration every) {
        this.others = List.copyOf(others);
        this.peers = peers;
        this.every = every;
        this.rounds = environment.threads().scheduler(name);
        this.asking = environment.threads().workers(name + "-asking", 1, 1);
    }

    /**
     * Begins the rounds.
     *
     * @param next before each round
     * @param decide takes the answers of a round, by namenode; what it returns ends the rounds, and is run then
     */
    public void begin(Supplier<Next> next, Function<Map<String, Answer>, Optional<Runnable>> decide) {
        var unused = asking.submit(() -> turn(next.get(), decide)).whenComplete((decision, failed) -> {
            if (failed == null && decision.isPresent()) {
                rounds.execute(decision.get());
            } else {
                rounds.schedule(every, () -> begin(next, decide));
            }
        });
    }

    private Optional<Runnable> turn(Next next, Function<Map<String, Answer>, Optional<Runnable>> decide) {
        return switch (next) {
            case ASK -> decide.apply(round());
            case PAUSE -> Optional.empty();
            case END -> Optional.of(() -> {});
        };
    }

    private Map<String, Answer> round() {
        Map<String, Answer> answers = new TreeMap<>();
        others.forEach(other -> answers.put(other, ask(other)));
        return answers;
    }

    private Answer ask(String other) {
        try {
            SnapshotReply reply =
                    peers.ask(other, new SnapshotRequest.DescribeLog()).reply();
            return reply instanceof LogDescription log
                    ? new Answer(Optional.of(log), "")
                    : new Answer(Optional.empty(), "gave an answer of another kind");
        } catch (IOException e) {
            return new Answer(
                    Optional.empty(),
                    String.valueOf(e.getMessage()).lines().findFirst().orElse("no answer"));
        }
    }

    /** The answers in one line. */
    public static String line(Map<String, Answer> answers) {
        List<String> each = new ArrayList<>();
        answers.forEach((other, answer) -> each.add(other + " (" + answer + ")"));
        return String.join("; ", each);
    }

    @Override
    public void close() {
        rounds.close();
        asking.close();
    }
}
