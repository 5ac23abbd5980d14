package io.ecfs.namenode.rebalance;

import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.message.report.MoverReport;
import io.ecfs.message.report.MoverReport.State;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.EventRecorder;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.RingPicture;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.reconstruction.ChunkRepair;
import io.ecfs.namenode.reconstruction.RepairCauses.Found;
import io.ecfs.namenode.reconstruction.RepairService.BeginResult;
import io.ecfs.namenode.settings.MoverSettings;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.namenode.stats.SiteLoads;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Moves chunks to where reading them costs less, on the leader (ec-store paper: the chunk mover). {@link Mover} decides
 * what to move; the reconstruction machinery moves it, in places that repairs, drains and balancing leave. Later it
 * measures the gain of the move. Owner thread: the namenode's event thread.
 */
public final class ChunkMover implements MoveSource {
    /** Time from a move until its gain is measured. */
    private static final Duration JUDGED = Duration.ofMinutes(1);

    /** Time that the incident of moves stays open after the last one. */
    private static final Duration LINGERS = Duration.ofHours(1);

    /** Lifetime of a dry run's result: computing it takes some milliseconds of the event thread. */
    private static final Duration DRY_RUN_VALID = Duration.ofSeconds(1);

    private static final int MOST_JUDGED = 1_000;

    private final NamenodeContext context;

    private final ClusterView cluster;
    private final EventRecorder recorder;
    private final Balance balance;
    private final MoverSettings settings;
    private final Mover mover;
    private final MoveLog log;
    private final RecentMoves earlier;
    private final TreeMap<GroupId, Under> under = new TreeMap<>();
    private final ArrayDeque<Under> toJudge = new ArrayDeque<>();
    private Optional<Relocation> beginning = Optional.empty();
    private Optional<Long> lastMillis = Optional.empty();
    private long begunMillis;
    private List<MoverReport.Move> dryRun = List.of();
    private long dryRunMillis;
    private Optional<String> waiting = Optional.empty();
    private final MoverTotals totals = new MoverTotals();

    /**
     * @param number in the log
     * @param atMillis when it began, or took its place
     */
    private record Under(Relocation move, long number, long atMillis) {}

    ChunkMover(long term, NamenodeContext context, ClusterView cluster, EventRecorder recorder, Balance balance) {
        this.context = context;
        this.cluster = cluster;
        this.recorder = recorder;
        this.balance = balance;
        this.settings = context.settings().mover();
        this.mover = new Mover(settings);
        this.dryRunMillis = context.nowMillis() - DRY_RUN_VALID.toMillis();
        this.log = new MoveLog(term, context);
        this.earlier = new RecentMoves(context);
    }

    @Override
    public boolean owns(ChunkRepair attempt) {
        return attempt.found.cause().kind() == IncidentCause.Kind.READS_COSTLY;
    }

    @Override
    public boolean going() {
        return !under.isEmpty()
                || lastMillis.filter(at -> !context.passed(LINGERS, at)).isPresent();
    }

    int underWay() {
        return under.size();
    }

    /** Totals of this term. */
    public MoverTotals.Sums totals() {
        return totals.sums();
    }

    /** Proposed moves in this term that were too soon after an earlier one. */
    public long vetoed() {
        return mover.vetoed();
    }

    /** Sets the reason why nothing is moved now. */
    void waits(String reason) {
        waiting = Optional.of(reason);
    }

    public MoverReport report(MetadataView view, NamespaceRequest.GetMoves get) {
        List<MoverReport.Move> plan = get.plan() ? dryRun(view) : List.of();
        return new MoverReport(
                settings.on(),
                view.count(Counter.MOVER_PAUSED) > 0,
                under.isEmpty() ? waiting : Optional.empty(),
                under.size(),
                totals.sums().moved(),
                totals.sums().bytes(),
                log.after(get.after(), get.limit()),
                plan);
    }

    /** The moves that it would make now; computed once a second at most. */
    private List<MoverReport.Move> dryRun(MetadataView view) {
        if (context.passed(DRY_RUN_VALID, dryRunMillis)) {
            dryRunMillis = context.nowMillis();
            dryRun = mover.dryRun(sight(view), context.environment().randomness()).stream()
                    .map(move -> log.entry(0, move, State.PLANNED, Optional.empty()))
                    .toList();
        }
        return dryRun;
    }

    /** Begins one move when the pace allows one and it gains something. */
    @Override
    public void plan(MetadataView view, Starter starter, int places) {
        judge(view);
        Mover.Sight sight = sight(view);
        waiting = blockedBy(view, places, !settings.on() || earlier.tell(view, mover))
                .or(() -> mover.waits(sight));
        if (waiting.isPresent() || !mover.may(context.nowMillis())) {
            return;
        }
        for (Relocation move : mover.best(sight, context.environment().randomness())) {
            BeginResult result = begin(view, starter, move);
            if (result == BeginResult.BEGUN) {
                return;
            }
        }
        mover.nothingBegun(context.nowMillis());
        waiting = mover.waits(sight);
    }

    private Optional<String> blockedBy(MetadataView view, int places, boolean known) {
        if (!settings.on()) {
            return Optional.of("mover.on is false");
        } else if (view.count(Counter.MOVER_PAUSED) > 0) {
            return Optional.of("it is paused: 'ecfs admin moves resume' ends that");
        } else if (view.count(Counter.SAFE_MODE) > 0) {
            return Optional.of("the superuser asked for safe mode");
        } else if (!known) {
            return Optional.of("what earlier leaders moved is looked up in the history");
        } else if (balance.going()) {
            return Optional.of("volumes are filled evenly, which goes first");
        } else if (places <= 0) {
            return Optional.of("repairs and other moves take all places");
        }
        return Optional.empty();
    }

    private Mover.Sight sight(MetadataView view) {
        long now = context.nowMillis();
        RingPicture rings = cluster.rings().now();
        return new Mover.Sight(
                sites(),
                cluster.statistics().window(now),
                group -> block(view, group),
                (group, index, datanode) -> allows(view, rings, group, index, datanode),
                now);
    }

    private boolean allows(MetadataView view, RingPicture rings, GroupId id, int index, DatanodeId datanode) {
        if (rings.rings().isEmpty()) {
            return true;
        }
        Optional<GroupFacts> group = view.sealedGroup(id);
        return group.isPresent()
                && cluster.topology().datanode(datanode).stream()
                        .flatMap(facts -> facts.volumes().values().stream())
                        .anyMatch(rings.byTheRule(group.get(), index));
    }

    private List<MoverSite> sites() {
        SiteLoads loads = cluster.siteLoads();
        List<MoverSite> sites = new ArrayList<>();
        for (DatanodeFacts facts : cluster.topology().datanodes()) {
            boolean takes =
                    facts.inService() && facts.volumes().values().stream().anyMatch(this::takes);
            MoverSite.of(facts.datanode(), facts.rack(), takes, loads, settings.overheadNanos())
                    .ifPresent(sites::add);
        }
        return sites;
    }

    private boolean takes(VolumeId volume) {
        return cluster.serving(volume)
                && cluster.table()
                        .load(volume)
                        .filter(load -> load.state() == VolumeState.HEALTHY)
                        .isPresent();
    }

    /**
     * Places of a group's chunks, with one that moves at its target: or two groups that are read together would pass
     * each other. Empty while one of its chunks cannot be read: it counts in its rack and may come back.
     */
    private Optional<Block> block(MetadataView view, GroupId id) {
        Optional<GroupFacts> group = view.sealedGroup(id).filter(facts -> facts.length() > 0);
        if (group.isEmpty()) {
            return Optional.empty();
        }
        TreeMap<Integer, DatanodeId> places = new TreeMap<>();
        for (ChunkOnVolume stored : group.get().stored()) {
            if (cluster.serving(stored.volume())) {
                cluster.topology()
                        .owner(stored.volume())
                        .ifPresent(owner -> places.put(stored.chunk().index(), owner.datanode()));
            }
        }
        if (places.size() < group.get().policy().chunks()) {
            return Optional.empty();
        }
        Optional.ofNullable(under.get(id)).map(Under::move).ifPresent(move -> places.put(move.index(), move.to()));
        return Optional.of(
                new Block(id, group.get().policy().dataChunks(), group.get().chunkBytes(0), places));
    }

    private BeginResult begin(MetadataView view, Starter starter, Relocation move) {
        Optional<ChunkOnVolume> stored = view.sealedGroup(move.group()).flatMap(group -> group.stored(move.index()));
        if (stored.isEmpty()) {
            return BeginResult.NOTHING_TO_DO;
        }
        if (!going()) {
            begunMillis = context.nowMillis();
        }
        IncidentCause cause = IncidentCause.costly();
        beginning = Optional.of(move);
        BeginResult result = starter.start(
                stored.get(),
                new Found(cause, cause.text(), begunMillis, begunMillis),
                volume -> owner(volume).equals(Optional.of(move.to())) && balance.hasRoom(volume, move.bytes()));
        beginning = Optional.empty();
        return result;
    }

    private Optional<DatanodeId> owner(VolumeId volume) {
        return cluster.topology().owner(volume).map(DatanodeFacts::datanode);
    }

    @Override
    public void begun(ChunkRepair attempt, GroupFacts group) {
        if (beginning.isEmpty()) {
            return;
        }
        Relocation move = beginning.get();
        long now = context.nowMillis();
        mover.began(move, sites(), now);
        totals.begun();
        lastMillis = Optional.of(now);
        under.put(move.group(), new Under(move, log.note(0, move, State.UNDER_WAY, Optional.empty()), now));
    }

    @Override
    public boolean wants(ChunkRepair move) {
        return under.containsKey(move.group);
    }

    @Override
    public void ended(ChunkRepair attempt, boolean moved) {
        Under ended = under.remove(attempt.group);
        if (ended == null) {
            return;
        }
        Relocation move = ended.move();
        State state = moved ? State.MOVED : State.FAILED;
        long number = log.note(ended.number(), move, state, Optional.empty());
        lastMillis = Optional.of(context.nowMillis());
        mover.ended(move, moved);
        if (!moved) {
            totals.failed();
            return;
        }
        totals.moved(move, context.nowMillis() - ended.atMillis());
        attempt.chunk()
                .ifPresent(chunk -> recorder.note(new ClusterEvent.ChunkMoved(
                        chunk, move.from(), move.to(), move.gain(), move.access(), move.balance())));
        toJudge.add(new Under(move, number, context.nowMillis()));
        if (toJudge.size() > MOST_JUDGED) {
            toJudge.remove();
        }
    }

    /** Measures the gain of moves that have had time to take effect. */
    private void judge(MetadataView view) {
        if (toJudge.isEmpty() || !context.passed(JUDGED, toJudge.element().atMillis())) {
            return;
        }
        Mover.Sight now = sight(view);
        while (!toJudge.isEmpty() && context.passed(JUDGED, toJudge.element().atMillis())) {
            Under made = toJudge.remove();
            Relocation move = made.move();
            mover.realised(now, move).ifPresent(realised -> {
                log.note(made.number(), move, State.MOVED, Optional.of(realised));
                totals.judged(move, realised);
                recorder.note(new ClusterEvent.MoveJudged(
                        move.group(), move.index(), move.from(), move.to(), move.gain(), realised));
            });
        }
    }
}
