package io.ecfs.namenode.log;

import io.ecfs.env.Randomness;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.error.Invariant;
import io.ecfs.message.Address;
import io.ecfs.message.report.ClusterReport.Role;
import io.ecfs.namenode.log.MetadataLog.Leadership;
import io.ecfs.namenode.log.MetadataLog.LeadershipListener;
import io.ecfs.namenode.log.MetadataLog.LocalRead;
import io.ecfs.namenode.log.MetadataLog.Member;
import io.ecfs.namenode.log.ReplicatedState.Position;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A replicated log in memory for a process of its own and for simulation: the outcomes of Raft (one order of commands,
 * a leader for each term, entries of a deposed leader that survive or not), without its messages. The caller decides
 * who leads, who is cut off and who is down. Entries are never purged, so a member that comes back with an older state
 * catches up by itself.
 *
 * <p>All states are applied on the scheduler's thread, each entry by each member after a delay. Every member's answers
 * are compared: a state that is not deterministic is found at once. Owner thread: the scheduler's; the control methods
 * are called on it.
 */
public final class MemoryQuorum {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryQuorum.class);

    private record Entry(long term, List<byte[]> commands) {}

    private record Proposal(byte[] command, CompletableFuture<byte[]> answer) {}

    private static final class Node {
        final String id;
        final Address address;
        final ReplicatedState state;
        final List<LeadershipListener> listeners = new ArrayList<>();
        /** Proposed here as a leader, not yet committed. */
        final List<Proposal> proposed = new ArrayList<>();
        /** Answers to give when the entry of that index is applied here. */
        final TreeMap<Long, List<Proposal>> waiting = new TreeMap<>();

        Leadership leadership = new Leadership(0, false, Optional.empty());
        boolean cut;
        boolean applying;

        Node(String id, Address address, ReplicatedState state) {
            this.id = id;
            this.address = address;
            this.state = state;
        }
    }

    private final Scheduler scheduler;
    private final Randomness randomness;
    private final Duration delay;
    private final int size;
    private final List<Entry> entries = new ArrayList<>();
    private final List<List<byte[]>> answers = new ArrayList<>();
    private final TreeMap<String, Node> nodes = new TreeMap<>();
    private Optional<String> leader = Optional.empty();
    private long term;

    /**
     * @param size how many members there are when all are up: a majority of them must be connected for anything to be
     *     committed
     * @param delay of one step: to commit, and to apply
     */
    public MemoryQuorum(Scheduler scheduler, Randomness randomness, Duration delay, int size) {
        if (size < 1) {
            throw new IllegalArgumentException("a quorum needs a member, got size " + size);
        }
        this.scheduler = scheduler;
        this.randomness = randomness;
        this.delay = delay;
        this.size = size;
    }

    /** Starts a member, at first or again after {@link #crash}, with its stored state. */
    public MetadataLog join(String id, Address address, ReplicatedState state) {
        Invariant.check(!nodes.containsKey(id), "member %s is up already", id);
        Invariant.check(
                state.applied().index() < entries.size(),
                "member %s has applied entry %s, the log ends at %s",
                id,
                state.applied().index(),
                entries.size() - 1);
        Node node = new Node(id, address, state);
        nodes.put(id, node);
        node.leadership = new Leadership(term, false, leader);
        apply(node);
        return new MemoryLog(this, id);
    }

    /** The leading member, if there is one. */
    public Optional<String> leader() {
        return leader;
    }

    /** Index of the last committed entry; -1: none. */
    public long lastIndex() {
        return entries.size() - 1L;
    }

    /**
     * Makes a member the leader of a new term. It must be connected to a majority. What the leader before had not
     * committed survives or not.
     */
    public void elect(String id) {
        Node next = node(id);
        Invariant.check(!next.cut && majority(), "%s cannot be elected: it is not connected to a majority", id);
        leader.map(nodes::get).ifPresent(this::settleProposals);
        term++;
        leader = Optional.of(id);
        entries.add(new Entry(term, List.of()));
        answers.add(null);
        nodes.values().stream().filter(n -> !n.cut).forEach(this::followLeader);
    }

    /** Separates a member from all others. A leader does not notice: it commits nothing and confirms no read. */
    public void cut(String id) {
        node(id).cut = true;
    }

    public void heal(String id) {
        Node node = node(id);
        node.cut = false;
        followLeader(node);
        leader.map(nodes::get).ifPresent(this::scheduleCommit);
    }

    /** Stops a member, which loses everything in memory; its callers get no answer. */
    public void crash(String id) {
        Node node = nodes.remove(id);
        if (node != null && leader.equals(Optional.of(id))) {
            settleProposals(node);
            leader = Optional.empty();
            term++;
            nodes.values().stream().filter(n -> !n.cut).forEach(this::followLeader);
        }
    }

    /**
     * Undoes all entries after {@code last}, as when the members' disks are put back to copies of an earlier time. All
     * members are down, and come back with states of that entry or before.
     */
    public void rollBack(long last) {
        Invariant.check(nodes.isEmpty(), "%s are up while the log is rolled back", nodes.keySet());
        entries.subList(Math.toIntExact(last + 1), entries.size()).clear();
        answers.subList(Math.toIntExact(last + 1), answers.size()).clear();
    }

    void leave(String id) {
        scheduler.execute(() -> crash(id));
    }

    private void propose(String id, Proposal proposal) {
        Node node = nodes.get(id);
        if (node == null || !node.leadership.leading()) {
            proposal.answer().completeExceptionally(notLeader(id));
            return;
        }
        node.proposed.add(proposal);
        scheduleCommit(node);
    }

    void propose(String id, byte[] command, CompletableFuture<byte[]> answer) {
        scheduler.execute(() -> propose(id, new Proposal(command, answer)));
    }

    <T> void read(String id, LocalRead<T> read, CompletableFuture<T> answer) {
        scheduler.execute(() -> {
            Node node = nodes.get(id);
            if (node == null || !node.leadership.leading()) {
                answer.completeExceptionally(notLeader(id));
                return;
            }
            Runnable outcome;
            try {
                T result = read.run();
                outcome = () -> answer.complete(result);
            } catch (Exception e) {
                // Only the leader can prove that something does not exist.
                outcome = () -> answer.completeExceptionally(e);
            }
            confirm(id, node.leadership.term(), outcome, answer);
        });
    }

    private <T> void confirm(String id, long readTerm, Runnable outcome, CompletableFuture<T> answer) {
        scheduler.schedule(delay, () -> {
            Node node = nodes.get(id);
            if (node == null || node.leadership.term() != readTerm) {
                answer.completeExceptionally(notLeader(id));
            } else if (connected(node)) {
                outcome.run();
            } else {
                confirm(id, readTerm, outcome, answer);
            }
        });
    }

    void listen(String id, LeadershipListener listener) {
        scheduler.execute(() -> {
            Node node = nodes.get(id);
            if (node != null) {
                node.listeners.add(listener);
                listener.leadership(node.leadership);
            }
        });
    }

    Leadership leadership(String id) {
        Node node = nodes.get(id);
        return node == null ? new Leadership(term, false, Optional.empty()) : node.leadership;
    }

    List<Member> members() {
        return nodes.values().stream()
                .map(n -> new Member(
                        n.id,
                        role(n),
                        n.leadership.term(),
                        n.cut ? -1 : n.state.applied().index()))
                .toList();
    }

    private Role role(Node node) {
        if (node.cut) {
            return Role.UNREACHABLE;
        }
        return leader.equals(Optional.of(node.id)) ? Role.LEADER : Role.FOLLOWER;
    }

    private void scheduleCommit(Node node) {
        scheduler.schedule(delay, () -> {
            boolean leads = leader.equals(Optional.of(node.id)) && nodes.get(node.id) == node;
            if (leads && connected(node) && !node.proposed.isEmpty()) {
                commit(node, node.proposed.size());
            }
        });
    }

    private void commit(Node node, int count) {
        List<Proposal> batch = List.copyOf(node.proposed.subList(0, count));
        node.proposed.subList(0, count).clear();
        entries.add(new Entry(term, batch.stream().map(Proposal::command).toList()));
        answers.add(null);
        node.waiting.put(entries.size() - 1L, batch);
        nodes.values().stream().filter(n -> !n.cut).forEach(this::apply);
    }

    /** A leader that is gone may have reached a majority with some of what it had not yet committed. */
    private void settleProposals(Node node) {
        if (!node.proposed.isEmpty()) {
            int survive = randomness.nextInt(node.proposed.size() + 1);
            if (survive > 0) {
                commit(node, survive);
            }
        }
    }

    private void followLeader(Node node) {
        if (node.leadership.term() < term) {
            lead(node, new Leadership(term, false, leader));
            List<Proposal> unknown = new ArrayList<>(node.proposed);
            node.waiting.values().forEach(unknown::addAll);
            node.proposed.clear();
            node.waiting.clear();
            unknown.forEach(p -> p.answer().completeExceptionally(notLeader(node.id)));
        }
        apply(node);
    }

    private void lead(Node node, Leadership now) {
        node.leadership = now;
        List.copyOf(node.listeners).forEach(listener -> listener.leadership(now));
    }

    /** Applies what is committed, one entry a step; then a new leader begins to lead. */
    private void apply(Node node) {
        if (!node.applying) {
            node.applying = true;
            scheduler.schedule(delay, () -> {
                node.applying = false;
                if (nodes.get(node.id) == node && !node.cut) {
                    applyNext(node);
                }
            });
        }
    }

    private void applyNext(Node node) {
        long index = node.state.applied().index() + 1;
        if (index < entries.size()) {
            applyEntry(node, index);
            apply(node);
        } else if (leader.equals(Optional.of(node.id)) && !node.leadership.leading()) {
            lead(node, new Leadership(term, true, leader));
        }
    }

    private void applyEntry(Node node, long index) {
        Entry entry = entries.get((int) index);
        Position position = new Position(entry.term(), index);
        if (entry.commands().isEmpty()) {
            node.state.skip(position);
            return;
        }
        List<byte[]> results;
        try {
            results = node.state.apply(position, entry.commands());
        } catch (StateStopped e) {
            stop(node, e);
            return;
        }
        List<byte[]> first = answers.get((int) index);
        if (first == null) {
            answers.set((int) index, results);
        } else {
            Invariant.check(
                    Arrays.deepEquals(first.toArray(), results.toArray()),
                    "%s answers entry %s otherwise than the members before it",
                    node.id,
                    index);
        }
        List<Proposal> waiting = node.waiting.remove(index);
        for (int i = 0; waiting != null && i < waiting.size(); i++) {
            waiting.get(i).answer().complete(results.get(i));
        }
    }

    /** Stops a member as a namenode that stops does: it no longer leads, and its callers get the reason. */
    private void stop(Node node, StateStopped why) {
        LOG.error(
                "event=metadata_state_stopped namenode={} applied={} action=this_namenode_stops reason=\"{}\"",
                node.id,
                node.state.applied().index(),
                why.getMessage());
        List<Proposal> unknown = new ArrayList<>(node.proposed);
        node.waiting.values().forEach(unknown::addAll);
        crash(node.id);
        node.proposed.clear();
        lead(node, new Leadership(term, false, leader));
        unknown.forEach(p -> p.answer().completeExceptionally(notLeader(node.id)));
    }

    private boolean connected(Node node) {
        return size == 1 || (!node.cut && majority());
    }

    private boolean majority() {
        return nodes.values().stream().filter(n -> !n.cut).count() > size / 2;
    }

    private Node node(String id) {
        Node node = nodes.get(id);
        Invariant.check(node != null, "member %s is not up", id);
        return node;
    }

    private EcfsException notLeader(String id) {
        String address = leader.map(nodes::get).map(n -> n.address.toString()).orElse("");
        String where = leader.map(l -> "the leader is " + l + " at " + address).orElse("no leader is known");
        return new EcfsException(ErrorCode.NOT_LEADER, "namenode " + id + " does not lead; " + where, address, null);
    }
}
