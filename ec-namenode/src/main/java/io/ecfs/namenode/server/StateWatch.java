package io.ecfs.namenode.server;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.ClusterEvent;
import io.ecfs.message.ClusterReport;
import io.ecfs.message.Incident;
import io.ecfs.message.IncidentCause;
import io.ecfs.message.NamespaceReply;
import io.ecfs.message.NamespaceReply.NamenodeState;
import io.ecfs.message.NamespaceRequest.GetNamenodeState;
import io.ecfs.namenode.cluster.Identity;
import io.ecfs.namenode.command.Caller;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.state.MetadataState;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the leader knows of the other namenodes: whether their facts are its own, and which feature level their releases read.
 *
 * <p>Now and then it asks each of them for the hash of its facts after an entry that it has applied itself. One that differs is an
 * incident. Then the hash goes into the log, where each namenode compares it with its own and stops when it differs, whether it could be
 * asked or not. Owner thread: the namenode's event thread.
 */
final class StateWatch {
    static final Duration EVERY = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(StateWatch.class);
    /** A follower that works applies within this what the leader has applied. */
    private static final Duration CATCHING_UP = Duration.ofMillis(200);

    private static final int ATTEMPTS = 5;

    private final Namenode.Members members;
    private final Surroundings around;
    private final MetadataState state;
    private final Proposer proposer;
    private final Chronicle chronicle;
    /** The highest feature level that each namenode said it reads. */
    private final TreeMap<String, Integer> releases = new TreeMap<>();

    private final Set<String> diverged = new TreeSet<>();
    private Optional<Long> lastRoundMillis = Optional.empty();
    private OptionalLong logged = OptionalLong.empty();
    private int unanswered;

    StateWatch(
            Namenode.Members members,
            Surroundings around,
            MetadataState state,
            Proposer proposer,
            Chronicle chronicle) {
        this.members = members;
        this.around = around;
        this.state = state;
        this.proposer = proposer;
        this.chronicle = chronicle;
        releases.put(members.id(), state.codec().level());
    }

    /** Which level is in force, and what the releases of the namenodes read as far as they said. */
    ClusterReport.Levels levels() {
        return new ClusterReport.Levels(state.levelInForce(), releases);
    }

    void tick() {
        boolean due = lastRoundMillis.map(last -> around.passed(EVERY, last)).orElse(true);
        long index = state.applied().index();
        OptionalLong hash = state.hashAt(index);
        if (!due || unanswered > 0 || hash.isEmpty()) {
            return;
        }
        lastRoundMillis = Optional.of(around.nowMillis());
        List<String> others = others();
        unanswered = others.size();
        for (String other : others) {
            var unused = ask(other, index).whenComplete((found, failure) -> {
                unanswered--;
                if (failure == null) {
                    found.hash().ifPresent(theirs -> compare(other, index, hash.getAsLong(), theirs));
                }
                if (unanswered == 0) {
                    log(index, hash.getAsLong());
                }
            });
        }
        if (others.isEmpty()) {
            log(index, hash.getAsLong());
        }
    }

    private List<String> others() {
        return members.addresses().keySet().stream()
                .filter(id -> !id.equals(members.id()))
                .toList();
    }

    /** Facts that did not change were compared before. */
    private void log(long index, long hash) {
        if (!logged.equals(OptionalLong.of(hash))) {
            logged = OptionalLong.of(hash);
            proposer.propose(
                    new Command.CheckState(around.epochMillis(), members.id(), index, hash), (applied, failure) -> {
                        if (failure != null) {
                            logged = OptionalLong.empty();
                        }
                    });
        }
    }

    private void compare(String namenode, long index, long own, long theirs) {
        IncidentCause cause = IncidentCause.diverged(namenode);
        if (own == theirs) {
            diverged.remove(namenode);
            try (MetadataView view = around.facts().get()) {
                view.incidentsGoingOn().stream()
                        .map(Incident::cause)
                        .filter(cause::equals)
                        .forEach(going -> chronicle.note(new ClusterEvent.IncidentHealed(going)));
            }
        } else if (diverged.add(namenode)) {
            LOG.error(
                    "event=namenode_diverged namenode={} index={} own_hash={} other_hash={} action=it_stops_by_the_log",
                    namenode,
                    index,
                    String.format("%016x", own),
                    String.format("%016x", theirs));
            long now = around.epochMillis();
            chronicle.note(new ClusterEvent.IncidentOpened(cause, now, now));
        }
    }

    /** Completes on the event thread, when the other one has applied the entry or after a few attempts. */
    private CompletableFuture<NamenodeState> ask(String namenode, long index) {
        CompletableFuture<NamenodeState> answer = new CompletableFuture<>();
        ask(namenode, index, ATTEMPTS, answer);
        return answer;
    }

    private void ask(String namenode, long index, int attempts, CompletableFuture<NamenodeState> answer) {
        var unused = members.peers()
                .ask(namenode, new GetNamenodeState(index))
                .whenComplete((found, failure) -> around.scheduler().execute(() -> {
                    if (failure != null) {
                        answer.completeExceptionally(Proposer.cause(failure));
                        return;
                    }
                    releases.put(namenode, found.releaseLevel());
                    if (found.appliedIndex() < index && attempts > 1) {
                        around.scheduler().schedule(CATCHING_UP, () -> ask(namenode, index, attempts - 1, answer));
                    } else {
                        answer.complete(found);
                    }
                }));
    }

    /**
     * Raises the level in force to what this release reads, when all namenodes read it. Refused in one line, and nothing changed, while
     * one of them does not answer, is of an earlier release, or lags behind.
     */
    CompletableFuture<NamespaceReply> finalizeUpgrade(Caller caller) {
        CompletableFuture<NamespaceReply> reply = new CompletableFuture<>();
        try (MetadataView view = around.facts().get()) {
            Optional<Identity> identity = view.identity();
            if (identity.isEmpty() || !identity.get().superuser(caller.user(), caller.groups())) {
                reply.completeExceptionally(new EcfsException(
                        ErrorCode.ACCESS_DENIED,
                        "user " + caller.user() + " may not finalize an upgrade: only the superuser may"));
                return reply;
            }
        }
        int wanted = state.codec().level();
        long index = state.applied().index();
        askNext(others(), wanted, index, reply);
        return reply;
    }

    private void askNext(List<String> left, int wanted, long index, CompletableFuture<NamespaceReply> reply) {
        if (left.isEmpty()) {
            raise(wanted, reply);
            return;
        }
        String namenode = left.get(0);
        var unused = ask(namenode, index).whenComplete((found, failure) -> {
            String reason = "";
            if (failure != null) {
                reason = "does not answer (" + failure.getMessage() + "): start it";
            } else if (found.releaseLevel() < wanted) {
                reason = "reads up to level " + found.releaseLevel() + ": start it with this release";
            } else if (found.appliedIndex() < index) {
                reason = "is " + (index - found.appliedIndex()) + " log entries behind: wait until it has caught up";
            }
            if (reason.isEmpty()) {
                askNext(left.subList(1, left.size()), wanted, index, reply);
            } else {
                reply.completeExceptionally(new EcfsException(
                        ErrorCode.INVALID_ARGUMENT,
                        "feature level " + wanted + " is not finalized, nothing was changed: namenode " + namenode + " "
                                + reason));
            }
        });
    }

    private void raise(int wanted, CompletableFuture<NamespaceReply> reply) {
        if (state.levelInForce() >= wanted) {
            reply.complete(new NamespaceReply.LevelsInForce(levels()));
            return;
        }
        proposer.propose(new Command.RaiseLevel(around.epochMillis(), wanted), (applied, failure) -> {
            if (failure != null) {
                reply.completeExceptionally(failure);
                return;
            }
            LOG.info("event=feature_level_raised level={}", wanted);
            reply.complete(new NamespaceReply.LevelsInForce(levels()));
        });
    }
}
