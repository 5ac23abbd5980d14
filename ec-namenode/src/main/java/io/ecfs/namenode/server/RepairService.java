package io.ecfs.namenode.server;

import io.ecfs.code.ChunkSet;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.BlockToken;
import io.ecfs.message.BlockToken.Right;
import io.ecfs.message.ChunkChange;
import io.ecfs.message.ChunkLocation;
import io.ecfs.message.ChunkRecord;
import io.ecfs.message.ChunkState;
import io.ecfs.message.ClusterEvent;
import io.ecfs.message.ClusterReport.DatanodeState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.DatanodeOrder;
import io.ecfs.message.IncidentCause;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.command.Applied;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.Repairs.Attempt;
import io.ecfs.namenode.group.StoredChunk;
import io.ecfs.namenode.report.DamageLedger.Urgency;
import io.ecfs.namenode.server.RepairCauses.Found;
import io.ecfs.namenode.state.MetadataView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has lost chunks rebuilt, on the leader: takes the damaged groups with the least redundancy left first, then the oldest damage, one
 * chunk of a group at a time, and drives each as a {@link ChunkRepair}; then has chunks moved from datanodes that leave. Orders repeat with every heartbeat until they are answered; a
 * new leader goes on with the attempts that it finds in the facts. Owner thread: the namenode's event thread.
 */
final class RepairService {
    private static final Logger LOG = LoggerFactory.getLogger(RepairService.class);

    /** Damaged groups to look at in one tick: the most urgent ones, and a stretch of the rest. */
    private static final int MOST_URGENT = 1_000;

    private static final int SLICE = 4_000;

    /** Lost groups of which the history tells in one term, at most. */
    private static final int MOST_LOST = 1_000;

    /** Groups without a legal target in one tick, after which it is not worth looking on. */
    private static final int MOST_WITHOUT_TARGET = 50;

    /** What became of a look at a damaged group. */
    private enum Look {
        BEGUN,
        NOTHING_TO_DO,
        NO_TARGET,
        ALL_TARGETS_BUSY
    }

    private final Surroundings around;
    private final Proposer proposer;
    private final HealthSurvey survey;
    private final RepairTargets targets;
    private final RepairCauses causes;
    private final TokenIssuer tokens;
    private final Chronicle chronicle;
    private final Moves moves;
    private final Listener listener;
    private final RepairDelays delays;
    private final RepairSources sources;
    private final Map<GroupId, ChunkRepair> running = new TreeMap<>();
    private Optional<Urgency> lookedAtLast = Optional.empty();
    private boolean complained;
    private final RepairTotals totals = new RepairTotals();

    /** Is told what repairs bring about. */
    interface Listener {
        /** A datanode has an order to rebuild a chunk. */
        void ordered(DatanodeId target);

        /** A repair was committed, so that there is room for another one. */
        void ended();

        /** A rebuilt chunk stands in for this one. */
        void replaced(StoredChunk old);

        /** The chunk of an index no longer lies on this datanode, which leaves. */
        void moved(DatanodeId from, GroupFacts group, int index);

        /** A chunk that was lost by this cause has its place again. */
        void repaired(IncidentCause cause);
    }

    RepairService(
            Surroundings around,
            Proposer proposer,
            HealthSurvey survey,
            TokenIssuer tokens,
            Chronicle chronicle,
            Moves moves,
            Listener listener) {
        this.around = around;
        this.proposer = proposer;
        this.survey = survey;
        this.tokens = tokens;
        this.chronicle = chronicle;
        this.moves = moves;
        this.listener = listener;
        this.delays = new RepairDelays(around);
        this.targets = new RepairTargets(around);
        this.causes = new RepairCauses(around);
        this.sources = new RepairSources(around);
    }

    int running() {
        return running.size();
    }

    /** In this term. */
    RepairTotals totals() {
        return totals;
    }

    /** The repair of the group that is under way. */
    Optional<ChunkRepair> running(GroupId group) {
        return Optional.ofNullable(running.get(group));
    }

    RepairCauses causes() {
        return causes;
    }

    RepairDelays delays() {
        return delays;
    }

    /** Whether a chunk that was lost by this cause is being rebuilt. */
    boolean repairs(IncidentCause cause) {
        return running.values().stream().anyMatch(repair -> repair.found.cause().equals(cause));
    }

    /** Whether a chunk is being rebuilt on this datanode. */
    boolean rebuildsOn(DatanodeId datanode) {
        return running.values().stream().anyMatch(repair -> repair.targetDatanode.equals(datanode));
    }

    /** Whether this very chunk is being rebuilt: it is nobody's orphan. */
    boolean brings(StoredChunk stored) {
        ChunkRepair repair = running.get(stored.chunk().group());
        return repair != null
                && repair.target.equals(stored.volume())
                && repair.chunk().equals(Optional.of(stored.chunk()));
    }

    void tick() {
        if (around.settings().recovery().atOnce() == 0 || !survey.firstPassDone()) {
            return;
        }
        try (MetadataView view = around.facts().get()) {
            List.copyOf(running.values()).forEach(repair -> step(view, repair));
            delays.forgetIf(group -> survey.lacking(group).isEmpty());
            noteLost(view);
            sources.tick();
            if (plan(view)) {
                planMoves(view);
            }
        }
    }

    /** Begins repairs where there is room for them. */
    void planMore() {
        if (around.settings().recovery().atOnce() > running.size() && survey.firstPassDone()) {
            try (MetadataView view = around.facts().get()) {
                if (plan(view)) {
                    planMoves(view);
                }
            }
        }
    }

    /** What a volume's datanode is to rebuild. */
    List<DatanodeOrder> orders(VolumeId volume) {
        return running.values().stream()
                .filter(repair -> repair.target.equals(volume))
                .flatMap(repair -> repair.order().stream())
                .<DatanodeOrder>map(order -> order)
                .toList();
    }

    /** What a datanode is to rebuild and was not told yet; it counts as told now. */
    List<DatanodeOrder> freshOrders(DatanodeId datanode) {
        return running.values().stream()
                .filter(repair -> repair.targetDatanode.equals(datanode))
                .flatMap(repair -> repair.firstOrder().stream())
                .<DatanodeOrder>map(order -> order)
                .toList();
    }

    /** A datanode reported a chunk; it may be one that it was to rebuild. */
    void reported(MetadataView view, ChunkChange change) {
        if (change instanceof ChunkChange.Present present) {
            Optional.ofNullable(running.get(present.record().chunk().group()))
                    .filter(repair -> repair.target.equals(present.volume()))
                    .ifPresent(repair -> {
                        present.work()
                                .filter(work -> repair.stage() == ChunkRepair.Stage.ORDERED
                                        && repair.chunk()
                                                .equals(Optional.of(
                                                        present.record().chunk())))
                                .ifPresent(repair::told);
                        step(view, repair);
                    });
        } else if (change instanceof ChunkChange.RepairFailed failure) {
            Optional.ofNullable(running.get(failure.chunk().group()))
                    .filter(repair -> repair.stage() == ChunkRepair.Stage.ORDERED
                            && repair.target.equals(failure.volume())
                            && repair.chunk().equals(Optional.of(failure.chunk())))
                    .ifPresent(repair -> {
                        failure.work().ifPresent(repair::told);
                        fail(repair, failure.reason());
                    });
        }
    }

    private void step(MetadataView view, ChunkRepair repair) {
        if (repair.stage().over() || repair.stage() == ChunkRepair.Stage.PLANNED) {
            return;
        }
        Optional<GroupFacts> group = around.sealed(view, repair.group);
        if (group.isEmpty()) {
            fail(repair, "the group is gone");
        } else if (repair.stage() == ChunkRepair.Stage.ORDERED) {
            watch(repair, group.get());
        }
    }

    private void watch(ChunkRepair repair, GroupFacts group) {
        ChunkId chunk = repair.chunk().orElseThrow();
        Optional<ChunkRecord> record = around.catalog().find(repair.target, chunk);
        boolean targetGone = around.state(repair.targetDatanode) == DatanodeState.DEAD || causes.failed(repair.target);
        if (record.filter(r -> r.state() == ChunkState.FINALISED
                        && r.groupLength() == group.length()
                        && Surroundings.whole(group, r))
                .isPresent()) {
            commit(repair, group, chunk);
        } else if (record.filter(r -> r.state() == ChunkState.CORRUPT).isPresent()) {
            fail(repair, "the rebuilt chunk is corrupt on volume " + repair.target);
        } else if (targetGone) {
            fail(repair, "target " + repair.targetDatanode + " is dead or its volume " + repair.target + " failed");
        } else if (Moves.is(repair) && !moves.wanted(group, repair.index)) {
            giveUp(repair, "no longer needed: the datanode does not leave any more");
        } else if (!Moves.is(repair) && live(group, repair.index)) {
            fail(repair, "no longer needed: the chunk came back");
        } else if (around.passed(around.settings().recovery().deadline(), repair.sinceMillis)) {
            fail(repair, "not rebuilt within " + around.settings().recovery().deadline());
        }
    }

    private boolean live(GroupFacts group, int index) {
        return group.places()
                .get(index)
                .volume()
                .filter(volume -> around.live(group, new StoredChunk(volume, group.chunk(index))))
                .isPresent();
    }

    private ChunkSet liveOthers(GroupFacts group, int index) {
        return ChunkSet.of(group.stored().stream()
                .filter(stored -> stored.chunk().index() != index && around.live(group, stored))
                .map(stored -> stored.chunk().index())
                .toList());
    }

    /** @return whether all damage that can be repaired now is: it does not wait for its turn */
    private boolean plan(MetadataView view) {
        List<Urgency> urgent = survey.urgent(Optional.empty(), MOST_URGENT);
        int[] without = new int[1];
        if (!lookAll(view, urgent, without, false)) {
            return without[0] >= MOST_WITHOUT_TARGET;
        }
        List<Urgency> rest = survey.urgent(
                lookedAtLast.or(() -> urgent.isEmpty() ? Optional.empty() : Optional.of(urgent.get(urgent.size() - 1))),
                SLICE);
        if (!lookAll(view, rest, without, true)) {
            return without[0] >= MOST_WITHOUT_TARGET;
        }
        lookedAtLast = rest.size() < SLICE ? Optional.empty() : lookedAtLast;
        complained &= without[0] > 0;
        return true;
    }

    /**
     * @param without counts groups without a target
     * @param rest of the damage, where looking goes on the next time
     * @return false when there is no room for more
     */
    private boolean lookAll(MetadataView view, List<Urgency> some, int[] without, boolean rest) {
        for (Urgency damage : some) {
            if (running.size() >= around.settings().recovery().atOnce()) {
                return false;
            }
            Look look = look(view, damage.group());
            without[0] += look == Look.NO_TARGET ? 1 : 0;
            if (look == Look.ALL_TARGETS_BUSY || without[0] >= MOST_WITHOUT_TARGET) {
                return false;
            }
            lookedAtLast = rest ? Optional.of(damage) : lookedAtLast;
        }
        return true;
    }

    /** Planned work takes what damage leaves: at most half of all places, and none while damage waits for one. */
    private void planMoves(MetadataView view) {
        long moving = running.values().stream().filter(Moves::is).count();
        long places =
                Math.min(moves.atOnce() - moving, around.settings().recovery().atOnce() - running.size());
        int without = 0;
        for (StoredChunk stored : places > 0 ? moves.next(view) : List.<StoredChunk>of()) {
            if (places <= 0) {
                return;
            }
            Look look = lookAtMove(view, stored);
            places -= look == Look.BEGUN ? 1 : 0;
            without += look == Look.NO_TARGET || look == Look.ALL_TARGETS_BUSY ? 1 : 0;
            if (without >= MOST_WITHOUT_TARGET) {
                return;
            }
            moves.lookedAt(stored);
        }
    }

    private Look lookAtMove(MetadataView view, StoredChunk stored) {
        GroupId id = stored.chunk().group();
        int index = stored.chunk().index();
        DatanodeFacts leaving = around.topology().owner(stored.volume()).orElseThrow();
        Optional<GroupFacts> sealed = around.sealed(view, id);
        if (sealed.isEmpty()) {
            moves.waits(leaving.datanode(), "group " + id + " is being written");
            return Look.NOTHING_TO_DO;
        }
        GroupFacts group = sealed.get();
        if (running.containsKey(id)) {
            return Look.NOTHING_TO_DO;
        } else if (!around.live(group, stored)) {
            moves.waits(leaving.datanode(), stored + " cannot be read now: it is not moved but repaired");
            return Look.NOTHING_TO_DO;
        } else if (moves.delays().retryInMillis(id) > 0) {
            String last = moves.delays().failure(id).orElseThrow().reason();
            moves.waits(leaving.datanode(), "the last attempt to move a chunk of group " + id + " failed: " + last);
            return Look.NOTHING_TO_DO;
        } else if (repairable(group).isPresent()) {
            moves.waits(leaving.datanode(), "group " + id + " lacks another chunk, which is rebuilt first");
            return Look.NOTHING_TO_DO;
        }
        return begin(view, group, index, moves.found(leaving));
    }

    /** A lost chunk of the group that is to be rebuilt now, and can be. */
    private Optional<Map.Entry<Integer, Found>> repairable(GroupFacts group) {
        for (Map.Entry<Integer, Long> lacking : survey.lacking(group.group()).entrySet()) {
            int index = lacking.getKey();
            Optional<Found> found = causes.of(group, index, lacking.getValue());
            if (found.isPresent() && group.policy().code().decodable(liveOthers(group, index))) {
                return Optional.of(Map.entry(index, found.get()));
            }
        }
        return Optional.empty();
    }

    private Look look(MetadataView view, GroupId id) {
        ChunkRepair under = running.get(id);
        boolean moving = under != null && Moves.is(under) && under.stage() == ChunkRepair.Stage.ORDERED;
        if ((under != null && !moving) || delays.retryInMillis(id) > 0) {
            return Look.NOTHING_TO_DO;
        }
        GroupFacts group = around.sealed(view, id).orElse(null);
        if (group == null) {
            return Look.NOTHING_TO_DO;
        }
        Optional<Map.Entry<Integer, Found>> lost = repairable(group);
        if (lost.isEmpty() || (moving && under.index == lost.get().getKey())) {
            return Look.NOTHING_TO_DO;
        }
        if (moving) {
            giveUp(under, "chunk " + lost.get().getKey() + " of the group is lost and goes first");
        }
        return begin(view, group, lost.get().getKey(), lost.get().getValue());
    }

    private Look begin(MetadataView view, GroupFacts group, int index, Found found) {
        // An attempt of an earlier leader is gone on with.
        boolean move = found.cause().planned();
        Optional<Attempt> attempt = !delays(found).hasFailed(group.group())
                ? view.repair(group.group(), index)
                        .filter(a -> a.target()
                                .filter(target -> around.serving(target) && around.inService(target))
                                .isPresent())
                : Optional.empty();
        if (attempt.isPresent()) {
            ChunkRepair repair = repair(
                    group,
                    index,
                    attempt.get().target().orElseThrow(),
                    attempt.get().writer(),
                    found);
            ordered(repair, group, attempt.get().chunk());
            return Look.BEGUN;
        }
        RepairTargets.Choice choice = targets.choose(
                group,
                index,
                running.values(),
                move ? moves.perDatanode() : around.settings().recovery().perDatanode());
        if (choice.volume().isEmpty()) {
            if (!choice.busy()) {
                complain(group, index, found, "no datanode may take the chunk: " + choice.why());
            }
            return choice.busy() ? Look.ALL_TARGETS_BUSY : Look.NO_TARGET;
        }
        long writer = around.environment().randomness().nextLong();
        propose(repair(group, index, choice.volume().get(), writer, found), group);
        return Look.BEGUN;
    }

    private ChunkRepair repair(GroupFacts group, int index, VolumeId target, long writer, Found found) {
        ChunkRepair repair = new ChunkRepair(
                group.group(),
                index,
                target,
                around.topology().owner(target).orElseThrow().datanode(),
                writer,
                found,
                around.nowMillis());
        running.put(group.group(), repair);
        around.table().placed(target);
        return repair;
    }

    private void propose(ChunkRepair repair, GroupFacts group) {
        long checkedMillis = delays(repair.found)
                .waiting(repair.group)
                .map(RepairDelays.Waiting::sinceMillis)
                .orElseGet(around::nowMillis);
        delays(repair.found).begun(repair.group);
        Command.RepairReason reason = new Command.RepairReason(
                repair.found.cause(),
                around.epochOf(repair.found.detectedMillis()),
                around.epochOf(repair.found.sinceMillis()),
                around.epochOf(checkedMillis),
                repair.targetDatanode,
                repair.found.text());
        proposer.propose(
                new Command.BeginRepair(
                        around.epochMillis(),
                        repair.group,
                        repair.index,
                        repair.target,
                        repair.writer,
                        Optional.of(reason)),
                (applied, failure) -> {
                    if (failure != null) {
                        fail(repair, failure.getMessage());
                    } else {
                        ordered(repair, group, ((Applied.RepairBegun) applied).chunk());
                    }
                });
    }

    private void ordered(ChunkRepair repair, GroupFacts group, ChunkId chunk) {
        List<ChunkLocation> sources = this.sources.of(group, repair.index, Moves.is(repair));
        BlockToken token;
        try {
            token = tokens.issue(repair.group, Right.READ);
        } catch (EcfsException e) {
            fail(repair, e.getMessage());
            return;
        }
        repair.ordered(
                new DatanodeOrder.Rebuild(
                        repair.target, chunk, group.policy(), group.length(), repair.writer, sources, token),
                around.nowMillis());
        // A target that rebuilt it for an earlier leader has said so already.
        watch(repair, group);
        if (repair.stage() == ChunkRepair.Stage.ORDERED) {
            listener.ordered(repair.targetDatanode);
        }
    }

    private void commit(ChunkRepair repair, GroupFacts group, ChunkId chunk) {
        repair.rebuilt();
        Optional<VolumeId> old = group.places().get(repair.index).volume();
        List<ChunkId> proof =
                liveOthers(group, repair.index).stream().mapToObj(group::chunk).toList();
        proposer.propose(
                new Command.CommitRepair(
                        around.epochMillis(),
                        new StoredChunk(repair.target, chunk),
                        group.length(),
                        old,
                        proof,
                        Optional.of(new ClusterEvent.RepairCommitted(
                                repair.found.cause(),
                                chunk,
                                repair.targetDatanode,
                                around.epochOf(repair.startedMillis(around.nowMillis())),
                                repair.work()))),
                (applied, failure) -> {
                    if (failure != null) {
                        fail(repair, failure.getMessage());
                        return;
                    }
                    repair.committed();
                    totals.committed(repair.work());
                    running.remove(repair.group);
                    delays(repair.found).repaired(repair.group);
                    LOG.info(
                            "event=chunk_repaired chunk={} volume={} millis={} cause=\"{}\"",
                            chunk,
                            repair.target,
                            around.nowMillis() - repair.sinceMillis,
                            repair.found.text());
                    old.ifPresent(volume -> listener.replaced(new StoredChunk(volume, group.chunk(repair.index))));
                    survey.groupChanged(repair.group);
                    if (Moves.is(repair)) {
                        listener.moved(repair.found.cause().datanode().orElseThrow(), group, repair.index);
                    }
                    listener.repaired(repair.found.cause());
                    listener.ended();
                });
    }

    private void fail(ChunkRepair repair, String reason) {
        delays(repair.found).failed(repair.group, reason);
        totals.failed(repair.work());
        giveUp(repair, reason);
    }

    private RepairDelays delays(Found found) {
        return found.cause().planned() ? moves.delays() : delays;
    }

    /** Ends an attempt with which nothing was wrong, or one that failed. */
    private void giveUp(ChunkRepair repair, String reason) {
        repair.failed(reason);
        running.remove(repair.group);
        repair.chunk()
                .ifPresent(chunk -> chronicle.note(new ClusterEvent.RepairFailed(
                        repair.found.cause(), chunk, repair.targetDatanode, reason, repair.work())));
    }

    /** Groups of which too little is left wait until a chunk comes back; said once of each. */
    private void noteLost(MetadataView view) {
        for (GroupId id : survey.damagedFrom(true, new GroupId(1), MOST_LOST)) {
            Optional<GroupFacts> group = delays.waiting(id).isPresent() ? Optional.empty() : around.sealed(view, id);
            group.ifPresent(facts -> survey.lacking(id)
                    .forEach((index, since) -> causes.of(facts, index, since)
                            .ifPresent(found -> waits(
                                    facts,
                                    index,
                                    found,
                                    "too few chunks are left to compute it from: " + liveOthers(facts, index)))));
        }
    }

    private boolean waits(GroupFacts group, int index, Found found, String reason) {
        boolean news = found.cause().planned()
                ? moves.waits(found.cause().datanode().orElseThrow(), group.group(), reason)
                : delays.waits(group.group(), reason);
        if (news) {
            chronicle.note(new ClusterEvent.RepairWaits(
                    found.cause(),
                    group.group(),
                    index,
                    around.epochOf(found.detectedMillis()),
                    around.epochOf(found.sinceMillis()),
                    reason));
        }
        return news;
    }

    /** Once, until there was a target for everything again. */
    private void complain(GroupFacts group, int index, Found found, String why) {
        waits(group, index, found, why);
        if (!complained) {
            complained = true;
            LOG.warn("event=repair_waits group={} index={} reason=\"{}\"", group.group(), index, why);
        }
    }
}
