package io.ecfs.namenode.log.ratis;

import io.ecfs.env.Scheduler;
import io.ecfs.env.Workers;
import io.ecfs.message.SnapshotReply;
import io.ecfs.message.SnapshotRequest;
import io.ecfs.namenode.log.ReplicatedState.Position;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the other namenodes how far their logs reach, round after round until this one has joined, and says rarely for whom it
 * waits. The rounds run on a thread of their own, because asking blocks.
 */
final class Standings implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Standings.class);
    /** Between two lines that say the same. */
    private static final Duration SAY_AGAIN = Duration.ofMinutes(1);

    private final RaftMember member;
    private final RatisLog.Surroundings around;
    private final Joining joining;
    private final Supplier<Optional<String>> leader;
    private final Scheduler rounds;
    private final Workers asking;
    /** Touched by one round at a time. */
    private long sayNanos;

    private List<String> said = List.of();

    Standings(RaftMember member, RatisLog.Surroundings around, Joining joining, Supplier<Optional<String>> leader) {
        this.member = member;
        this.around = around;
        this.joining = joining;
        this.leader = leader;
        this.rounds = around.environment().threads().scheduler(member.id() + "-log-joining");
        this.asking = around.environment().threads().workers(member.id() + "-log-asking", 1, 1);
    }

    /** @param every pause between two rounds */
    void begin(Duration every) {
        var unused = asking.submit(this::round).whenComplete((done, failed) -> {
            if (!joining.over()) {
                rounds.schedule(every, () -> begin(every));
            }
        });
    }

    private Void round() {
        if (joining.over() || leader.get().isPresent()) {
            return null; // a leader's entries or its checkpoint are on their way
        }
        List<String> unheard = new ArrayList<>();
        for (String other : member.peers().keySet()) {
            if (!other.equals(member.id())) {
                ask(other).ifPresent(why -> unheard.add(other + " (" + why + ")"));
            }
        }
        say(unheard);
        return null;
    }

    /** @return why there is no description; empty when there is one */
    private Optional<String> ask(String other) {
        try {
            SnapshotReply reply =
                    around.peers().ask(other, new SnapshotRequest.DescribeLog()).reply();
            if (!(reply instanceof SnapshotReply.LogDescription log)) {
                return Optional.of("answered nothing of use");
            } else if (log.log().isEmpty()) {
                return Optional.of("its directory is empty too");
            } else if (!log.log().equals(member.log().log().toString())) {
                return Optional.of("has log " + log.log() + " of cluster " + log.clusterId());
            }
            joining.described(other, new Joining.Standing(log.term(), new Position(log.lastTerm(), log.lastIndex())));
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(
                    String.valueOf(e.getMessage()).lines().findFirst().orElse("no answer"));
        }
    }

    private void say(List<String> unheard) {
        long now = around.environment().clock().nanos();
        boolean again = said.equals(unheard) && now - sayNanos < SAY_AGAIN.toNanos();
        if (unheard.isEmpty() || again || joining.missing().isEmpty()) {
            return;
        }
        said = List.copyOf(unheard);
        sayNanos = now;
        LOG.warn(
                "event=joining_waits namenode={} for=\"{}\" action=\"start them: this namenode began with an empty"
                        + " directory and votes for nobody before all others answered or a leader gave it the state\"",
                member.id(),
                String.join("; ", unheard));
    }

    @Override
    public void close() {
        rounds.close();
        asking.close();
    }
}
