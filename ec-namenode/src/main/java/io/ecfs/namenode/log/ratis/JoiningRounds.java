package io.ecfs.namenode.log.ratis;

import io.ecfs.message.snapshot.SnapshotReply.LogDescription;
import io.ecfs.namenode.log.ReplicatedState.Position;
import io.ecfs.namenode.log.ratis.LogDescriptions.Answer;
import io.ecfs.namenode.log.ratis.LogDescriptions.Next;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings {@link Joining} the other namenodes' descriptions of this log until this namenode has joined. */
final class JoiningRounds implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JoiningRounds.class);

    private final RaftMember member;
    private final Joining joining;
    private final Supplier<Optional<String>> leader;
    private final LogDescriptions descriptions;
    /** Touched by one round at a time. */
    private final RareLine line;

    /** @param every pause between two rounds */
    JoiningRounds(
            RaftMember member, LogContext context, Joining joining, Supplier<Optional<String>> leader, Duration every) {
        this.member = member;
        this.joining = joining;
        this.leader = leader;
        List<String> others = member.peers().keySet().stream()
                .filter(id -> !id.equals(member.id()))
                .toList();
        this.descriptions = new LogDescriptions(
                member.id() + "-log-joining", context.environment(), context.peers(), others, every);
        this.line = new RareLine(context.environment().clock());
    }

    void begin() {
        descriptions.begin(this::next, this::take);
    }

    private Next next() {
        if (joining.over()) {
            return Next.END;
        }
        // With a leader, its entries or its checkpoint are on their way.
        return leader.get().isPresent() ? Next.PAUSE : Next.ASK;
    }

    private Optional<Runnable> take(Map<String, Answer> answers) {
        Map<String, Answer> useless = new TreeMap<>();
        answers.forEach((other, answer) -> {
            Optional<LogDescription> own = answer.known()
                    .filter(log -> log.log().equals(member.log().log().toString()));
            own.ifPresentOrElse(
                    log -> joining.described(
                            other, new Joining.Standing(log.term(), new Position(log.lastTerm(), log.lastIndex()))),
                    () -> useless.put(other, answer));
        });
        String missing = LogDescriptions.line(useless);
        if (!useless.isEmpty() && !joining.missing().isEmpty() && line.due(missing)) {
            LOG.warn(
                    "event=joining_waits namenode={} for=\"{}\" action=\"start them: this namenode began with an empty"
                            + " directory and gives no vote before all others answered or a leader gave it the state\"",
                    member.id(),
                    missing);
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        descriptions.close();
    }
}
