package io.ecfs.namenode.leader;

import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.context.EventRecorder;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.Outcome;
import io.ecfs.namenode.context.Proposer;
import io.ecfs.namenode.state.MetadataState;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leader's comparison of all namenodes' facts. Now and then it asks each of the others for the hash of its facts
 * after an entry that it has applied itself. The hash of a majority of all namenodes goes into the log, where each
 * namenode compares it with its own and stops when it differs: also the leader, and also one that did not answer.
 * Without such a majority nothing is logged, since it is unknown who is right. A namenode whose hash is not the
 * majority's, or not the leader's where no majority agrees, is an incident.
 *
 * <p>Facts that 6e8d76b began are in rows whose form depends on the release that applied an entry: there a difference
 * is logged and nothing more until all namenodes have agreed once ({@link MetadataState#comparable}). Owner thread: the
 * namenode's event thread.
 */
final class FactsComparison {
    static final Duration EVERY = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(FactsComparison.class);

    private final String self;
    private final OtherNamenodes others;
    private final NamenodeContext context;
    private final MetadataState state;
    private final Proposer proposer;
    private final EventRecorder recorder;

    private final Set<String> diverged = new TreeSet<>();
    private Optional<Long> lastRoundMillis = Optional.empty();
    private OptionalLong logged = OptionalLong.empty();
    private int unanswered;

    FactsComparison(
            String self,
            OtherNamenodes others,
            NamenodeContext context,
            MetadataState state,
            Proposer proposer,
            EventRecorder recorder) {
        this.self = self;
        this.others = others;
        this.context = context;
        this.state = state;
        this.proposer = proposer;
        this.recorder = recorder;
    }

    void tick() {
        boolean due = lastRoundMillis.map(last -> context.passed(EVERY, last)).orElse(true);
        long index = state.applied().index();
        OptionalLong own = state.hashAt(index);
        if (!due || unanswered > 0 || own.isEmpty()) {
            return;
        }
        lastRoundMillis = Optional.of(context.nowMillis());
        TreeMap<String, Long> hashes = new TreeMap<>(Map.of(self, own.getAsLong()));
        List<String> ids = others.ids();
        unanswered = ids.size();
        for (String other : ids) {
            var unused = others.ask(other, index).whenComplete((found, failure) -> {
                unanswered--;
                if (failure == null) {
                    found.hash().ifPresent(hash -> hashes.put(other, hash));
                }
                if (unanswered == 0) {
                    judge(index, hashes, ids.size() + 1);
                }
            });
        }
        if (ids.isEmpty()) {
            judge(index, hashes, 1);
        }
    }

    /** @param hashes of the namenodes that answered, and of this one */
    private void judge(long index, Map<String, Long> hashes, int namenodes) {
        boolean agreed =
                hashes.size() == namenodes && Set.copyOf(hashes.values()).size() == 1;
        if (!state.comparable() && !agreed) {
            LOG.debug("event=facts_not_comparable index={} hashes={}", index, hashes);
            return;
        }
        Optional<Long> majority = majority(hashes, namenodes);
        long right = majority.orElse(hashes.get(self));
        hashes.forEach((namenode, hash) -> record(namenode, index, right, hash));
        if (majority.isPresent()) {
            log(index, majority.get(), hashes);
        }
    }

    private static Optional<Long> majority(Map<String, Long> hashes, int namenodes) {
        return hashes.values().stream()
                .collect(Collectors.groupingBy(hash -> hash, TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .filter(votes -> 2 * votes.getValue() > namenodes)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private void record(String namenode, long index, long right, long hash) {
        IncidentCause cause = IncidentCause.diverged(namenode);
        if (hash == right) {
            diverged.remove(namenode);
            try (MetadataView view = context.facts().get()) {
                view.incidentsGoingOn().stream()
                        .map(Incident::cause)
                        .filter(cause::equals)
                        .forEach(going -> recorder.note(new ClusterEvent.IncidentHealed(going)));
            }
        } else if (diverged.add(namenode)) {
            LOG.error(
                    "event=namenode_diverged namenode={} index={} right_hash={} its_hash={}"
                            + " action=it_stops_if_a_majority_agrees",
                    namenode,
                    index,
                    String.format("%016x", right),
                    String.format("%016x", hash));
            long now = context.epochMillis();
            recorder.note(new ClusterEvent.IncidentOpened(cause, now, now));
        }
    }

    /** Logs the hash of the majority, once for facts that did not change. */
    private void log(long index, long hash, Map<String, Long> hashes) {
        if (logged.equals(OptionalLong.of(hash))) {
            return;
        }
        logged = OptionalLong.of(hash);
        String one = hashes.get(self) == hash
                ? self
                : hashes.entrySet().stream()
                        .filter(entry -> entry.getValue() == hash)
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElseThrow();
        proposer.propose(new Command.CheckState(context.epochMillis(), one, index, hash), outcome -> {
            if (outcome instanceof Outcome.Failed) {
                logged = OptionalLong.empty();
            }
        });
    }
}
