package io.ecfs.namenode.reconstruction;

import io.ecfs.dispatch.FunctionTable;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.EventRecorder;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.Outcome;
import io.ecfs.namenode.context.Proposer;
import io.ecfs.namenode.context.TokenIssuer;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.Repairs.Attempt;
import io.ecfs.namenode.health.HealthSurvey;
import io.ecfs.namenode.reconstruction.ReconstructionPolicy.Verdict;
import io.ecfs.namenode.reconstruction.RepairCauses.Found;
import io.ecfs.namenode.reconstruction.RepairSources.Copying;
import io.ecfs.namenode.report.RebuildNotes;
import io.ecfs.namenode.scrub.Replacements;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives the reconstruction of chunks, on the leader: of lost ones, and of those that move. {@link RepairPlanner} and
 * the planner of moves choose them; each is a {@link ChunkRepair}, one of a group at a time. Orders repeat with every
 * heartbeat until they are answered; a new leader continues the attempts that it finds in the facts. Owner thread: the
 * namenode's event thread.
 */
public final class RepairService {
    private static final Logger LOG = LoggerFactory.getLogger(RepairService.class);

    /** Results of beginning an attempt. */
    public enum BeginResult {
        BEGUN,
        NOTHING_TO_DO,
        NO_TARGET,
        /** Of a group in a ring: groups outside it may have one. */
        NO_TARGET_IN_RING,
        ALL_TARGETS_BUSY;

        public boolean lacksTarget() {
            return this == NO_TARGET || this == NO_TARGET_IN_RING;
        }
    }

    /** @param why there is no target, for people; empty otherwise */
    public record BeginReply(BeginResult result, String why) {
        static final BeginReply BEGUN = new BeginReply(BeginResult.BEGUN, "");
    }

    private final FunctionTable<ChunkChange, MetadataView, Void> onChange =
            FunctionTable.<ChunkChange, MetadataView, Void>of(ChunkChange.class)
                    .run(ChunkChange.Present.class, this::present)
                    .run(ChunkChange.RepairFailed.class, (view, failure) -> failed(failure))
                    .ignore(
                            ChunkChange.Gone.class,
                            ChunkChange.Fenced.class,
                            ChunkChange.ParityChecked.class,
                            ChunkChange.Compared.class,
                            ChunkChange.Rewritten.class)
                    .build();
    private final NamenodeContext context;

    private final ClusterView cluster;
    private final Proposer proposer;
    private final HealthSurvey survey;
    private final RepairTargets targets;
    private final RepairCauses causes;
    private final TokenIssuer tokens;
    private final EventRecorder recorder;
    private final ReconstructionPolicy moves;
    private final Listener listener;
    private final LossPolicy losses;
    private final RepairSources sources;
    private final Map<GroupId, ChunkRepair> running = new TreeMap<>();
    private final RepairTotals totals = new RepairTotals();

    /** Receives the effects of repairs. */
    public interface Listener {
        /** A datanode has an order to rebuild a chunk. */
        void ordered(DatanodeId target);

        /** A repair was committed: there is room for another one. */
        void ended();

        /** A rebuilt chunk replaces this one. */
        void replaced(ChunkOnVolume old);

        /**
         * A chunk of the group contradicts the others.
         *
         * @param original the chunk that was to be replaced, when what was computed differs from it; empty when
         *     different sources gave different bytes
         */
        void disputed(GroupId group, Optional<ChunkId> original);

        /** A chunk that was lost by this cause has its place again. */
        void repaired(IncidentCause cause);
    }

    /** @param disproved chunks that are excluded from comparison: the others of their groups agree without them */
    public RepairService(
            NamenodeContext context,
            ClusterView cluster,
            Proposer proposer,
            HealthSurvey survey,
            TokenIssuer tokens,
            EventRecorder recorder,
            ReconstructionPolicy moves,
            Predicate<ChunkId> disproved,
            Listener listener) {
        this.context = context;
        this.cluster = cluster;
        this.proposer = proposer;
        this.survey = survey;
        this.tokens = tokens;
        this.recorder = recorder;
        this.moves = moves;
        this.listener = listener;
        this.losses = new LossPolicy(context, cluster);
        this.targets = new RepairTargets(context, cluster);
        this.causes = new RepairCauses(context, cluster);
        this.sources = new RepairSources(cluster, disproved);
    }

    public int running() {
        return running.size();
    }

    /** Totals of this term. */
    public RepairTotals totals() {
        return totals;
    }

    /** The repair of the group that is under way. */
    public Optional<ChunkRepair> running(GroupId group) {
        return Optional.ofNullable(running.get(group));
    }

    public RepairCauses causes() {
        return causes;
    }

    public RepairDelays delays() {
        return losses.delays();
    }

    /** Returns whether a chunk that was lost by this cause is being rebuilt. */
    public boolean repairs(IncidentCause cause) {
        return running.values().stream().anyMatch(repair -> repair.found.cause().equals(cause));
    }

    /** Returns whether a chunk is being rebuilt on this datanode. */
    public boolean rebuildsOn(DatanodeId datanode) {
        return running.values().stream().anyMatch(repair -> repair.targetDatanode.equals(datanode));
    }

    /** Returns whether this very chunk is being rebuilt, and so is no orphan. */
    public boolean isRebuilding(ChunkOnVolume stored) {
        ChunkRepair repair = running.get(stored.chunk().group());
        return repair != null
                && repair.target.equals(stored.volume())
                && repair.chunk().equals(Optional.of(stored.chunk()));
    }

    /** Advances all attempts under way. */
    void tick(MetadataView view) {
        List.copyOf(running.values()).forEach(repair -> step(view, repair));
        losses.delays().forgetIf(group -> survey.lacking(group).isEmpty());
        sources.tick();
    }

    /** A lost chunk of the group that must be rebuilt now and can be. */
    public Optional<Map.Entry<Integer, Found>> repairable(GroupFacts group) {
        for (Map.Entry<Integer, Long> lacking : survey.lacking(group.group()).entrySet()) {
            int index = lacking.getKey();
            Optional<Found> found = causes.of(group, index, lacking.getValue());
            if (found.isPresent() && sources.suffice(group, index)) {
                return Optional.of(Map.entry(index, found.get()));
            }
        }
        return Optional.empty();
    }

    /**
     * Returns whether the group was sealed without a chunk that can be computed: it is rebuilt before another one
     * moves, though {@link #repairable} gives it some time to come back by itself.
     */
    public boolean incomplete(GroupFacts group) {
        return IntStream.range(0, group.places().size())
                .anyMatch(index -> group.stored(index).isEmpty() && sources.suffice(group, index));
    }

    /** Moves under way. */
    public int moving() {
        return (int) running.values().stream().filter(ChunkRepair::isMove).count();
    }

    /** Orders for a volume's datanode. */
    public List<DatanodeOrder> orders(VolumeId volume) {
        return running.values().stream()
                .filter(repair -> repair.target.equals(volume))
                .flatMap(repair -> repair.order().stream())
                .<DatanodeOrder>map(order -> order)
                .toList();
    }

    /** Orders for a datanode that were not sent yet; they count as sent now. */
    public List<DatanodeOrder> freshOrders(DatanodeId datanode) {
        return running.values().stream()
                .filter(repair -> repair.targetDatanode.equals(datanode))
                .flatMap(repair -> repair.firstOrder().stream())
                .<DatanodeOrder>map(order -> order)
                .toList();
    }

    /** Checks whether a reported chunk, or a failure, answers an order. */
    public void reported(MetadataView view, ChunkChange change) {
        onChange.apply(view, change);
    }

    private void present(MetadataView view, ChunkChange.Present present) {
        Optional.ofNullable(running.get(present.record().chunk().group()))
                .filter(repair -> repair.target.equals(present.volume()))
                .ifPresent(repair -> step(view, repair));
    }

    private void failed(ChunkChange.RepairFailed failure) {
        Optional.ofNullable(running.get(failure.chunk().group()))
                .filter(repair -> repair.stage() == ChunkRepair.Stage.ORDERED
                        && repair.target.equals(failure.volume())
                        && repair.chunk().equals(Optional.of(failure.chunk())))
                .ifPresent(repair -> {
                    failure.work().ifPresent(work -> repair.onReport(new RebuildNotes.Note(work, context.nowMillis())));
                    failure.disputed().ifPresent(original -> disputed(failure, original));
                    fail(repair, failure.reason());
                });
    }

    /** Reports that one chunk of the group is wrong; comparing parity with data may identify it. */
    private void disputed(ChunkChange.RepairFailed failure, ChunkId chunk) {
        Optional<ChunkId> original = Optional.of(chunk).filter(c -> !c.equals(failure.chunk()));
        LOG.error(
                "event=chunk_disputed chunk={} original={} target={} reason=\"{}\" action=\"nothing is deleted; the"
                        + " group's parity is checked\"",
                failure.chunk(),
                original.map(ChunkId::toString).orElse("-"),
                failure.volume(),
                failure.reason());
        listener.disputed(chunk.group(), original);
    }

    /** Advances an attempt, except while its beginning or its end waits for the log. */
    private void step(MetadataView view, ChunkRepair repair) {
        if (repair.stage() != ChunkRepair.Stage.ORDERED) {
            return;
        }
        Optional<GroupFacts> group = view.sealedGroup(repair.group);
        if (group.isEmpty()) {
            abandon(repair, "the group is gone");
        } else {
            watch(repair, group.get());
        }
    }

    private void watch(ChunkRepair repair, GroupFacts group) {
        ChunkId chunk = repair.chunk().orElseThrow();
        Optional<ChunkRecord> record = cluster.catalog().find(repair.target, chunk);
        boolean targetGone = cluster.state(repair.targetDatanode) == DatanodeState.DEAD || causes.failed(repair.target);
        ReconstructionPolicy policy = policy(repair);
        if (policy.requiresTargetInService() && !cluster.inService(repair.target)) {
            abandon(repair, "datanode " + repair.targetDatanode + " is not in service any more");
        } else if (record.filter(
                        r -> r.state() == ChunkState.FINALISED && r.groupLength() == group.length() && group.isWhole(r))
                .isPresent()) {
            commit(repair, group, chunk);
        } else if (record.filter(r -> r.state() == ChunkState.CORRUPT).isPresent()) {
            fail(repair, "the rebuilt chunk is corrupt on volume " + repair.target);
        } else if (targetGone) {
            end(
                    repair,
                    new Verdict.TargetGone(
                            "target " + repair.targetDatanode + " is dead or its volume " + repair.target + " failed"));
        } else {
            endIfStale(policy, repair, group);
        }
    }

    /** Ends an attempt that is no longer wanted, or that takes too long. */
    private void endIfStale(ReconstructionPolicy policy, ChunkRepair repair, GroupFacts group) {
        if (policy.judge(repair, group) instanceof Verdict.End end) {
            end(repair, end);
        } else if (context.passed(deadline(repair), repair.sinceMillis)) {
            fail(repair, "not rebuilt within " + deadline(repair));
        }
    }

    private Duration deadline(ChunkRepair repair) {
        return context.settings()
                .recovery()
                .deadlineAfter(policy(repair).delays().failures(repair.group));
    }

    /**
     * Begins an attempt to rebuild a chunk elsewhere.
     *
     * @param may volumes that are allowed, beside the rules of every target
     */
    public BeginReply begin(MetadataView view, GroupFacts group, int index, Found found, Predicate<VolumeId> may) {
        // An attempt of an earlier leader is continued.
        ReconstructionPolicy policy = policy(found);
        Predicate<VolumeId> allowed = cluster.rings().now().accepted(group).and(may);
        Optional<Attempt> attempt = !policy.delays().hasFailed(group.group())
                ? view.repair(group.group(), index)
                        .filter(a -> a.target()
                                .filter(target ->
                                        cluster.serving(target) && cluster.inService(target) && allowed.test(target))
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
            return BeginReply.BEGUN;
        }
        RepairTargets.Choice choice = targets.choose(group, index, running.values(), policy.perDatanode(view), may);
        if (choice.volume().isEmpty()) {
            return switch (choice.outcome()) {
                case BUSY -> new BeginReply(BeginResult.ALL_TARGETS_BUSY, "");
                case SILENT, AWAITS_SPARE -> // soon there is one; other groups may have a target
                    new BeginReply(BeginResult.NOTHING_TO_DO, "");
                case NONE, TARGET ->
                    new BeginReply(
                            cluster.rings().ringOf(group).isPresent()
                                    ? BeginResult.NO_TARGET_IN_RING
                                    : BeginResult.NO_TARGET,
                            "no datanode may take the chunk: " + choice.why());
            };
        }
        long writer = context.environment().randomness().nextLong();
        long checkedMillis = policy.delays()
                .waiting(group.group())
                .map(RepairDelays.Waiting::sinceMillis)
                .orElseGet(context::nowMillis);
        propose(repair(group, index, choice.volume().get(), writer, found), group, checkedMillis);
        return BeginReply.BEGUN;
    }

    private ChunkRepair repair(GroupFacts group, int index, VolumeId target, long writer, Found found) {
        ChunkRepair repair = new ChunkRepair(
                group.group(),
                index,
                target,
                cluster.topology().owner(target).orElseThrow().datanode(),
                writer,
                found,
                context.nowMillis());
        running.put(group.group(), repair);
        policy(repair).begun(repair, group);
        cluster.table().placed(target);
        return repair;
    }

    private void propose(ChunkRepair repair, GroupFacts group, long checkedMillis) {
        policy(repair).delays().begun(repair.group);
        Command.RepairReason reason = new Command.RepairReason(
                repair.found.cause(),
                context.epochOf(repair.found.detectedMillis()),
                context.epochOf(repair.found.sinceMillis()),
                context.epochOf(checkedMillis),
                repair.targetDatanode,
                repair.found.text());
        proposer.propose(
                new Command.BeginRepair(
                        context.epochMillis(),
                        repair.group,
                        repair.index,
                        repair.target,
                        repair.writer,
                        Optional.of(reason)),
                outcome -> outcome.resolve(
                        begun -> ordered(repair, group, ((CommandResult.RepairBegun) begun).chunk()),
                        failure -> fail(repair, failure.getMessage())));
    }

    private void ordered(ChunkRepair repair, GroupFacts group, ChunkId chunk) {
        Copying copying = policy(repair).copying(repair);
        List<ChunkLocation> sources = this.sources.of(group, repair.index, copying);
        BlockToken token;
        try {
            token = tokens.forDatanode(group, repair.targetDatanode, deadline(repair));
        } catch (EcfsException e) {
            fail(repair, e.getMessage());
            return;
        }
        repair.ordered(
                new DatanodeOrder.Rebuild(
                        repair.target,
                        chunk,
                        group.policy(),
                        group.length(),
                        repair.writer,
                        sources,
                        this.sources.original(group, repair.index),
                        repair.calm(),
                        token),
                context.nowMillis());
        // A target that rebuilt it for an earlier leader has reported it already.
        watch(repair, group);
        if (repair.stage() == ChunkRepair.Stage.ORDERED) {
            listener.ordered(repair.targetDatanode);
        }
    }

    private void commit(ChunkRepair repair, GroupFacts group, ChunkId chunk) {
        cluster.rebuilds().of(repair.target, chunk).ifPresent(repair::onReport);
        repair.rebuilt();
        Optional<VolumeId> old = group.places().get(repair.index).volume();
        List<ChunkId> proof = garbageAtOnce()
                ? cluster.liveOthers(group, repair.index).stream()
                        .mapToObj(group::chunk)
                        .toList()
                : List.of();
        proposer.propose(
                new Command.CommitRepair(
                        context.epochMillis(),
                        new ChunkOnVolume(repair.target, chunk),
                        group.length(),
                        old,
                        proof,
                        Optional.of(new ClusterEvent.RepairCommitted(
                                repair.found.cause(),
                                chunk,
                                repair.targetDatanode,
                                context.epochOf(repair.startedMillis()),
                                repair.work()))),
                outcome -> {
                    if (outcome instanceof Outcome.Failed<?> failed) {
                        fail(repair, failed.reason().getMessage());
                        return;
                    }
                    repair.committed();
                    totals.committed(repair.work());
                    running.remove(repair.group);
                    LOG.info(
                            "event=chunk_repaired chunk={} volume={} millis={} cause=\"{}\"",
                            chunk,
                            repair.target,
                            context.nowMillis() - repair.sinceMillis,
                            repair.found.text());
                    old.ifPresent(volume -> listener.replaced(new ChunkOnVolume(volume, group.chunk(repair.index))));
                    policy(repair).committed(repair, group);
                    listener.repaired(repair.found.cause());
                    listener.ended();
                });
    }

    /** True at level 1: later levels compare the old chunk with the new one first ({@link Replacements}). */
    private boolean garbageAtOnce() {
        try (MetadataView view = context.facts().get()) {
            return !Replacements.on(view);
        }
    }

    private void fail(ChunkRepair repair, String reason) {
        end(repair, new Verdict.Fail(reason));
    }

    /** Ends an attempt that is no longer wanted. */
    void abandon(ChunkRepair repair, String reason) {
        end(repair, new Verdict.Abandon(reason));
    }

    private void end(ChunkRepair repair, Verdict.End end) {
        if (!(end instanceof Verdict.Abandon)) {
            totals.failed(repair.work());
        }
        repair.failed(end.reason());
        running.remove(repair.group);
        policy(repair).ended(repair, end);
        repair.chunk()
                .ifPresent(chunk -> recorder.note(new ClusterEvent.RepairFailed(
                        repair.found.cause(), chunk, repair.targetDatanode, end.reason(), repair.work())));
    }

    private ReconstructionPolicy policy(ChunkRepair repair) {
        return policy(repair.found);
    }

    private ReconstructionPolicy policy(Found found) {
        return found.cause().planned() ? moves : losses;
    }

    /** The event for the history. */
    public ClusterEvent.RepairWaits waits(Found found, GroupId group, int index, String reason) {
        return new ClusterEvent.RepairWaits(
                found.cause(),
                group,
                index,
                context.epochOf(found.detectedMillis()),
                context.epochOf(found.sinceMillis()),
                reason);
    }
}
