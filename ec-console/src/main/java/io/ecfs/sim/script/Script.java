package io.ecfs.sim.script;

import io.ecfs.client.base.ClientConfig;
import io.ecfs.code.ChunkSet;
import io.ecfs.code.construction.Codes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.error.EcfsException;
import io.ecfs.fault.profile.FaultKind;
import io.ecfs.fault.profile.FaultProfile;
import io.ecfs.fault.profile.FaultStep;
import io.ecfs.fault.profile.LabLoad.During;
import io.ecfs.fault.profile.Level;
import io.ecfs.fault.profile.VictimRule;
import io.ecfs.fault.profile.VictimSource;
import io.ecfs.fault.record.PhaseTimes;
import io.ecfs.fault.victim.FaultBudget;
import io.ecfs.fault.victim.PlacedGroup;
import io.ecfs.fault.victim.Placement;
import io.ecfs.fault.victim.StoredVolume;
import io.ecfs.fault.victim.VictimChoice;
import io.ecfs.fault.victim.Victims;
import io.ecfs.layout.GroupId;
import io.ecfs.message.report.Incident;
import io.ecfs.sim.cluster.Cluster;
import io.ecfs.sim.cluster.DatanodeHost;
import io.ecfs.sim.cluster.NamenodeHost;
import io.ecfs.sim.cluster.World;
import io.ecfs.sim.trouble.Trouble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The trouble that a profile says, in its order: each fault at its time or at its moment of a repair, with victims
 * chosen then, within the budget with all that is not healed yet. A fault is undone when its time is over; without one
 * when what it took away is rebuilt ({@link FaultProfile#lasts}).
 */
public final class Script implements Trouble {
    private static final Duration POLL = Duration.ofSeconds(1);

    /** Until a fault is undone that the cluster does not heal. */
    private static final Duration PATIENCE = Duration.ofMinutes(30);

    /** While files are written, groups are begun of which some chunks are not there yet. */
    private static final int MOST_TRIES = 30;

    private final World world;
    private final Cluster cluster;
    private final FaultProfile profile;
    private final SplittableRandom random;
    private final PlacementFacts facts;
    private final List<ScriptedFault> faults;
    private final Injector injector;
    private final ProblemWatch problems;
    private final RepairMoments moments;
    private final FaultHistory history;
    private Optional<EcfsException> refusal = Optional.empty();
    private OptionalInt leastSpare = OptionalInt.empty();
    private long beganNanos;
    private boolean over;

    public Script(
            World world,
            Cluster cluster,
            FaultProfile profile,
            PlacementFacts facts,
            ClientConfig clients,
            SplittableRandom random) {
        this.world = world;
        this.cluster = cluster;
        this.profile = profile;
        this.random = random;
        this.facts = facts;
        this.faults = profile.faults().stream().map(ScriptedFault::new).toList();
        this.injector = new Injector(world, cluster, facts, random.split(), this::restart);
        this.problems = new ProblemWatch(
                world, ScriptedClient.start(world, "watch", cluster.addresses(), clients, random.split()));
        this.moments = new RepairMoments(cluster);
        this.history = new FaultHistory(facts, faults);
    }

    @Override
    public void start() {
        problems.start();
        beganNanos = world.time().nanos();
        awaitTurn(0);
        poll();
    }

    /** Has the fault with this number injected at its time or moment, and those behind it after that. */
    private void awaitTurn(int number) {
        if (number < faults.size()) {
            ScriptedFault fault = faults.get(number);
            int tries = profile.workload().during().writes() ? MOST_TRIES : 1;
            Optional<FaultStep.Moment> moment = fault.step().on();
            if (moment.isPresent()) {
                moments.await(moment.get(), () -> begin(number, tries));
            } else {
                long at = fault.step().at().orElse(Duration.ZERO).toNanos();
                world.time().at(beganNanos + at, () -> begin(number, tries));
            }
        }
    }

    private void begin(int number, int tries) {
        if (over) {
            return;
        }
        try {
            inject(faults.get(number));
            awaitTurn(number + 1);
        } catch (EcfsException e) {
            if (tries > 1) {
                world.time().after(POLL.toNanos(), () -> begin(number, tries - 1));
            } else {
                refusal = Optional.of(e);
            }
        }
    }

    private void inject(ScriptedFault fault) throws EcfsException {
        VictimRule rule = fault.step().victims();
        long now = world.time().nanos();
        long epochMillis = world.time().epochMillis();
        if (fault.ofNamenodes()) {
            fault.begin(namenodes(rule), List.of(), now, epochMillis);
            injector.inject(fault);
        } else {
            Placement placement = facts.placement();
            Set<StoredVolume> away = away();
            FaultBudget budget =
                    new FaultBudget(profile.budget(), profile.workload().during());
            Victims victims = new VictimChoice(placement, budget, new Codes(Kernels.java()))
                    .choose(fault.step(), away, away, random.split());
            fault.begin(victims.names(), victims.volumes(), now, epochMillis);
            injector.inject(fault);
            if (fault.kind().takesChunksAway()) {
                away.addAll(victims.volumes());
                noteSpare(placement.leastSpare(away));
                fault.lost().addAll(lost(placement));
            }
        }
        profile.lasts(fault.step()).ifPresent(time -> world.time().after(time.toNanos(), () -> undo(fault)));
    }

    /** By a strict budget none is below 0. */
    private void noteSpare(int spare) {
        leastSpare = OptionalInt.of(Math.min(spare, leastSpare.orElse(spare)));
    }

    /** Volumes whose chunks may be away by now. */
    private Set<StoredVolume> away() {
        Set<StoredVolume> away = new TreeSet<>();
        faults.stream().filter(ScriptedFault::takesChunks).forEach(fault -> away.addAll(fault.volumes()));
        return away;
    }

    /** Groups that are not decodable without what lasting faults took: of faults of chunks those, otherwise volumes. */
    private List<GroupId> lost(Placement placement) {
        List<StoredVolume> volumes = new ArrayList<>();
        List<ChunkDamage> chunks = new ArrayList<>();
        for (ScriptedFault fault : faults) {
            if (fault.takesChunks() && fault.kind().target() == FaultKind.Target.CHUNK) {
                chunks.addAll(fault.damage());
            } else if (fault.takesChunks()) {
                volumes.addAll(fault.volumes());
            }
        }
        return placement.groups().stream()
                .filter(group -> !group.policy().code().decodable(left(group, volumes, chunks)))
                .map(PlacedGroup::id)
                .toList();
    }

    private static ChunkSet left(PlacedGroup group, Collection<StoredVolume> volumes, List<ChunkDamage> chunks) {
        ChunkSet damaged = ChunkSet.of(chunks.stream()
                .map(damage -> damage.chunk().chunk())
                .filter(chunk -> chunk.group().equals(group.id()))
                .map(chunk -> chunk.index())
                .distinct()
                .toList());
        return group.all().minus(group.on(volumes)).minus(damaged);
    }

    /** @throws EcfsException {@code INVALID_ARGUMENT} when a majority would not be left, or a name is unknown */
    private List<String> namenodes(VictimRule rule) throws EcfsException {
        List<NamenodeHost> there = cluster.namenodes().stream()
                .filter(namenode -> namenode.up() && !namenode.cut())
                .toList();
        boolean leads = rule.level() == Level.LEADER;
        List<String> names = new ArrayList<>(there.stream()
                .map(NamenodeHost::id)
                .filter(id -> cluster.quorum().leader().equals(Optional.of(id)) == leads)
                .toList());
        if (rule.of().kind() == VictimSource.Kind.NAMES) {
            names.retainAll(rule.of().names());
        }
        int away = cluster.namenodes().size() - there.size() + rule.count();
        if (names.size() < rule.count() || 2 * away >= cluster.namenodes().size()) {
            throw Injector.refused(
                    "no victims: " + rule.count() + " of level " + rule.level().word() + " of "
                            + rule.of() + " wanted, " + names.size() + " match the rule, and " + there.size() + " of "
                            + cluster.namenodes().size() + " namenodes are there");
        }
        List<String> chosen = new ArrayList<>();
        while (chosen.size() < rule.count()) {
            chosen.add(names.remove(random.nextInt(names.size())));
        }
        return chosen;
    }

    private void poll() {
        if (over) {
            return;
        }
        for (ScriptedFault fault : faults) {
            if (fault.lasts() && profile.lasts(fault.step()).isEmpty() && ended(fault)) {
                undo(fault);
            } else if (fault.state() == ScriptedFault.State.UNDONE
                    && problems.healthySince(fault.undoneNanos() + POLL.toNanos())) {
                fault.settled();
            }
        }
        refuseMissedMoment();
        world.time().after(POLL.toNanos(), this::poll);
    }

    /** A moment cannot come any more once all is whole that was hurt. */
    private void refuseMissedMoment() {
        Optional<ScriptedFault> next = faults.stream()
                .filter(fault -> fault.state() == ScriptedFault.State.WAITING)
                .findFirst();
        boolean settled = faults.stream()
                .allMatch(fault ->
                        fault.state() == ScriptedFault.State.WAITING || fault.state() == ScriptedFault.State.SETTLED);
        if (settled && moments.awaited()) {
            next.flatMap(fault -> fault.step().on())
                    .ifPresent(moment -> refusal = Optional.of(Injector.refused("no repair came to the moment 'on: "
                            + moment.name().toLowerCase(Locale.ROOT).replace('_', '-')
                            + "' before all was whole again: write larger files, set a smaller"
                            + " datanode.repair.sliceBytes, or give the fault a time ('at: 5s')")));
        }
    }

    private boolean ended(ScriptedFault fault) {
        long lasted = world.time().nanos() - fault.injectedNanos();
        return lasted >= PATIENCE.toNanos() || (lasted >= POLL.toNanos() && rebuilt(fault));
    }

    /** Returns whether nothing that it took away is missing any more, as the namenodes see it. */
    private boolean rebuilt(ScriptedFault fault) {
        boolean left = fault.kind().target() == FaultKind.Target.CHUNK
                ? fault.damage().stream().anyMatch(damage -> facts.has(damage.chunk()))
                : facts.anyOn(fault.volumes());
        return !left
                && history.incidents(fault).stream()
                        .allMatch(incident -> incident.healedMillis().isPresent());
    }

    private void undo(ScriptedFault fault) {
        if (fault.lasts()) {
            boolean rebuilt = fault.takesChunks() && rebuilt(fault);
            injector.undo(fault);
            fault.undone(world.time().nanos(), rebuilt);
        }
    }

    /**
     * Starts a datanode again, which takes all its volumes away for a moment: not before the budget has room for that.
     */
    private void restart(DatanodeHost host) {
        Set<StoredVolume> away = away();
        away.addAll(facts.volumesOf(host));
        boolean fits = new FaultBudget(profile.budget(), During.NONE)
                .refusal(facts.placement(), away)
                .isEmpty();
        if (!fits && !over) {
            world.time().after(POLL.toNanos(), () -> restart(host));
        } else if (host.up()) {
            host.crash(Loss.NOTHING);
            host.start();
        }
    }

    @Override
    public void afterEach() {
        moments.afterEach();
    }

    /** Why the profile cannot be followed here. */
    public Optional<EcfsException> refusal() {
        return refusal;
    }

    /** Returns whether all faults were injected and undone. */
    public boolean done() {
        return faults.stream()
                .allMatch(fault ->
                        fault.state() == ScriptedFault.State.UNDONE || fault.state() == ScriptedFault.State.SETTLED);
    }

    @Override
    public void healAll() {
        faults.forEach(this::undo);
        over = true;
        cluster.healAll();
    }

    /** Returns whether every host is there and, since this time, the cluster whole and without an open incident. */
    public boolean whole(long sinceNanos) {
        boolean up = cluster.datanodes().stream().allMatch(DatanodeHost::up)
                && cluster.namenodes().stream().allMatch(NamenodeHost::up);
        return up
                && problems.healthySince(sinceNanos)
                && facts.facts(view -> view.incidentsGoingOn().stream()
                        .map(Incident::healedMillis)
                        .allMatch(Optional::isPresent));
    }

    @Override
    public Map<String, Integer> troubles() {
        Map<String, Integer> troubles = new TreeMap<>();
        faults.stream()
                .filter(fault -> fault.state() != ScriptedFault.State.WAITING)
                .forEach(fault -> troubles.merge(fault.kind().word(), 1, Integer::sum));
        return troubles;
    }

    /** What came of each fault. */
    public List<SimulatedOutcome.Fault> outcomes() {
        return faults.stream().map(history::outcome).toList();
    }

    /** The phases of all faults together. */
    public PhaseTimes phases() {
        return history.phases();
    }

    public int groupsLostExpected() {
        Set<GroupId> expected = new TreeSet<>();
        faults.forEach(fault -> expected.addAll(fault.lost()));
        return expected.size();
    }

    public int groupsLostSeen() {
        return problems.lost().size();
    }

    public OptionalInt leastSpare() {
        return leastSpare;
    }
}
