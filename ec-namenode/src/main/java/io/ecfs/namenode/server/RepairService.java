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
 * chunk of a group at a time, and drives each as a {@link ChunkRepair}. Orders repeat with every heartbeat until they are answered; a
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
    private final Listener listener;
    private final RepairDelays delays;
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

        /** A chunk that was lost by this cause has its place again. */
        void repaired(IncidentCause cause);
    }

    RepairService(
            Surroundings around,
            Proposer proposer,
            HealthSurvey survey,
            TokenIssuer tokens,
            Chronicle chronicle,
            Listener listener) {
        this.around = around;
        this.proposer = proposer;
        this.survey = survey;
        this.tokens = tokens;
        this.chronicle = chronicle;
        this.listener = listener;
        this.delays = new RepairDelays(around);
        this.targets = new RepairTargets(around);
        this.causes = new RepairCauses(around);
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
            plan(view);
        }
    }

    /** Begins repairs where there is room for them. */
    void planMore() {
        if (around.settings().recovery().atOnce() > running.size() && survey.firstPassDone()) {
            try (MetadataView view = around.facts().get()) {
                plan(view);
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
        } else if (live(group, repair.index)) {
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

    private void plan(MetadataView view) {
        List<Urgency> urgent = survey.urgent(Optional.empty(), MOST_URGENT);
        int[] without = new int[1];
        if (!lookAll(view, urgent, without, false)) {
            return;
        }
        List<Urgency> rest = survey.urgent(
                lookedAtLast.or(() -> urgent.isEmpty() ? Optional.empty() : Optional.of(urgent.get(urgent.size() - 1))),
                SLICE);
        if (!lookAll(view, rest, without, true)) {
            return;
        }
        lookedAtLast = rest.size() < SLICE ? Optional.empty() : lookedAtLast;
        complained &= without[0] > 0;
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

    private Look look(MetadataView view, GroupId id) {
        if (running.containsKey(id) || delays.retryInMillis(id) > 0) {
            return Look.NOTHING_TO_DO;
        }
        GroupFacts group = around.sealed(view, id).orElse(null);
        if (group == null) {
            return Look.NOTHING_TO_DO;
        }
        for (Map.Entry<Integer, Long> lacking : survey.lacking(id).entrySet()) {
            int index = lacking.getKey();
            Optional<Found> found = causes.of(group, index, lacking.getValue());
            if (found.isPresent() && group.policy().code().decodable(liveOthers(group, index))) {
                return begin(view, group, index, found.get());
            }
        }
        return Look.NOTHING_TO_DO;
    }

    private Look begin(MetadataView view, GroupFacts group, int index, Found found) {
        // An attempt of an earlier leader is gone on with.
        Optional<Attempt> attempt = !delays.hasFailed(group.group())
                ? view.repair(group.group(), index)
                        .filter(a -> a.target().filter(around::serving).isPresent())
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
        RepairTargets.Choice choice = targets.choose(group, index, running.values());
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
        long checkedMillis = delays.waiting(repair.group)
                .map(RepairDelays.Waiting::sinceMillis)
                .orElseGet(around::nowMillis);
        delays.begun(repair.group);
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
        List<ChunkLocation> sources = group.stored().stream()
                .filter(stored -> stored.chunk().index() != repair.index && around.live(group, stored))
                .flatMap(stored -> around
                        .topology()
                        .owner(stored.volume())
                        .map(owner -> new ChunkLocation(
                                stored.chunk(),
                                stored.volume(),
                                owner.datanode(),
                                owner.address(),
                                owner.rack(),
                                ChunkLocation.State.LIVE))
                        .stream())
                .toList();
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
                    delays.repaired(repair.group);
                    LOG.info(
                            "event=chunk_repaired chunk={} volume={} millis={} cause=\"{}\"",
                            chunk,
                            repair.target,
                            around.nowMillis() - repair.sinceMillis,
                            repair.found.text());
                    old.ifPresent(volume -> listener.replaced(new StoredChunk(volume, group.chunk(repair.index))));
                    survey.groupChanged(repair.group);
                    listener.repaired(repair.found.cause());
                    listener.ended();
                });
    }

    private void fail(ChunkRepair repair, String reason) {
        repair.failed(reason);
        running.remove(repair.group);
        delays.failed(repair.group, reason);
        totals.failed(repair.work());
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
        boolean news = delays.waits(group.group(), reason);
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
