package io.ecfs.sim.trouble;

import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.FilePath;
import io.ecfs.message.Message;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.sim.cluster.Cluster;
import io.ecfs.sim.cluster.CrashScenario;
import io.ecfs.sim.cluster.CrashScenario.Cause;
import io.ecfs.sim.cluster.CrashScenario.Moment;
import io.ecfs.sim.cluster.CrashScenario.Victim;
import io.ecfs.sim.cluster.DatanodeHost;
import io.ecfs.sim.cluster.Ledger;
import io.ecfs.sim.cluster.NamenodeHost;
import io.ecfs.sim.cluster.Operator;
import io.ecfs.sim.cluster.SimClient;
import io.ecfs.sim.cluster.SimTuning;
import io.ecfs.sim.cluster.SimWorkload;
import io.ecfs.sim.cluster.World;
import io.ecfs.sim.time.SimulationFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Brings about a {@link CrashScenario}: lets files be written, then has chunks moved or rebuilt, and kills whom the
 * plot says whenever an attempt comes to its moment; the second and the third time somebody else, while the first may
 * still be away. Everybody comes back after they were given up for dead.
 */
public final class CrashInjector implements PlottedTrouble {
    private static final long WRITING = Duration.ofSeconds(8).toNanos();
    private static final long MORE_WRITING = Duration.ofSeconds(1).toNanos();
    private static final long LONGEST_WRITING = Duration.ofSeconds(30).toNanos();

    /** As much as this times what volumes may differ by lies on each before one comes that is empty. */
    private static final double UNEVEN_TIMES = 3;

    private static final long AWAY = Duration.ofSeconds(14).toNanos();
    private static final long CAUSE_LASTS = Duration.ofSeconds(35).toNanos();
    /** Between two murders, so that they do not all see the same attempt. */
    private static final long PAUSE = Duration.ofMillis(700).toNanos();

    private static final int MURDERS = 3;

    /** Requests of so many files each, for a while always the same ones. */
    private static final int READ_TOGETHER = 3;

    private static final int FILES_TO_READ = 12;
    /** Time until files are read together with others when nobody could be killed: nothing moves any more then. */
    private static final long OTHERS_TOGETHER = Duration.ofSeconds(30).toNanos();

    private static final long BETWEEN_READS = Duration.ofMillis(100).toNanos();

    private final World world;
    private final Cluster cluster;
    private final CrashScenario plot;
    private final Operator operator;
    private final SimWorkload reader;
    private final TreeMap<String, Integer> troubles = new TreeMap<>();
    private final TreeMap<ChunkId, Attempt> attempts = new TreeMap<>();
    private final TreeSet<ChunkId> ordered = new TreeSet<>();
    private long lookedAtEntry = -1;
    private long armedAt = Long.MAX_VALUE;
    private int murders;
    private boolean healed;

    /**
     * @param old where the index lay when the attempt was first seen
     * @param committed the facts place it on the target
     */
    private record Attempt(ChunkId chunk, VolumeId target, Optional<ChunkOnVolume> old, boolean committed) {}

    public CrashInjector(World world, Cluster cluster, CrashScenario plot) {
        this.world = world;
        this.cluster = cluster;
        this.plot = plot;
        SimClient client = cluster.operator();
        this.operator = new Operator(client.client(), cluster.random().split());
        this.reader = client.deeds();
    }

    @Override
    public Map<String, Integer> troubles() {
        return troubles;
    }

    @Override
    public void start() {
        DatanodeHost last = cluster.datanodes().get(cluster.datanodes().size() - 1);
        if (plot.cause() == Cause.BALANCE) {
            last.crash(Loss.NOTHING);
        }
        world.time().after(WRITING, () -> begin(last));
    }

    /** Files come and go at random. */
    private void begin(DatanodeHost last) {
        if (!enoughIsWritten() && world.time().nanos() < LONGEST_WRITING) {
            world.time().after(MORE_WRITING, () -> begin(last));
            return;
        }
        armedAt = world.time().nanos();
        cluster.clients().forEach(SimClient::stop);
        switch (plot.cause()) {
            case DEATH -> {
                DatanodeHost dead = fullest();
                dead.crash(loss());
                world.time().after(CAUSE_LASTS, () -> back(dead));
            }
            case DRAIN -> operator.decommission(fullest());
            case BALANCE -> last.start();
            case READS -> readOn(readable(), 0, armedAt);
        }
    }

    /**
     * One request after the other. While all daemons run every one of them is answered: moves alone let no read fail.
     */
    private void readOn(List<FilePath> files, int from, long since) {
        SimulationFailure.check(files.size() > READ_TOGETHER, "only %s files to read together", files.size());
        if (healed) {
            return;
        }
        boolean peace = murders == 0;
        reader.readTogether(files.subList(from, Math.min(files.size(), from + READ_TOGETHER)))
                .whenComplete((failed, failure) -> {
                    boolean fails = failure != null || failed.isPresent();
                    if (peace && murders == 0 && fails) {
                        world.time()
                                .raise(new SimulationFailure("a read fails while all daemons run: "
                                        + (failure != null ? failure.getMessage() : failed.orElseThrow())));
                    }
                    world.time().after(BETWEEN_READS, () -> {
                        if (murders == 0 && world.time().nanos() - since >= OTHERS_TOGETHER) {
                            readOn(shuffled(files), 0, world.time().nanos());
                        } else {
                            readOn(files, from + READ_TOGETHER < files.size() ? from + READ_TOGETHER : 0, since);
                        }
                    });
                });
    }

    private List<FilePath> shuffled(List<FilePath> files) {
        List<FilePath> left = new ArrayList<>(files);
        List<FilePath> shuffled = new ArrayList<>();
        while (!left.isEmpty()) {
            shuffled.add(left.remove(cluster.random().nextInt(left.size())));
        }
        return shuffled;
    }

    /**
     * An empty datanode is out of balance, and chunks lie where they can come nearer to each other, only when there are
     * enough of them.
     */
    private boolean enoughIsWritten() {
        return switch (plot.cause()) {
            case BALANCE -> bytesOnAverage() >= UNEVEN_TIMES * SimTuning.UNEVEN * DatanodeHost.DISK_BYTES;
            case READS -> readable().size() >= FILES_TO_READ;
            case DEATH, DRAIN -> true;
        };
    }

    /** Files that are known for certain and have bytes. */
    private List<FilePath> readable() {
        Ledger ledger = cluster.ledger();
        return ledger.certain(FilePath.ROOT).stream()
                .filter(path -> ledger.at(path).least() > 0)
                .toList();
    }

    /** On each volume that is there. */
    private double bytesOnAverage() {
        return cluster.datanodes().stream()
                .flatMap(host -> host.chunks().values().stream())
                .mapToLong(
                        chunks -> chunks.stream().mapToLong(ChunkRecord::bytes).sum())
                .average()
                .orElse(0);
    }

    private Loss loss() {
        return world.settings().losesPower() ? Loss.UNSYNCED : Loss.NOTHING;
    }

    private DatanodeHost fullest() {
        return cluster.datanodes().stream()
                .filter(DatanodeHost::up)
                .max(Comparator.comparingInt(host ->
                        host.chunks().values().stream().mapToInt(List::size).sum()))
                .orElseThrow();
    }

    private void back(DatanodeHost host) {
        if (!healed && !host.up()) {
            host.start();
        }
    }

    /** Orders on their way to a datanode. */
    @Override
    public void see(Message message) {
        if (message instanceof DatanodeReply.HeartbeatReply reply) {
            for (DatanodeOrder order : reply.orders()) {
                if (order instanceof DatanodeOrder.Rebuild rebuild) {
                    ordered.add(rebuild.chunk());
                }
            }
        }
    }

    @Override
    public void afterEach() {
        if (healed || murders == MURDERS || world.time().nanos() < armedAt) {
            return;
        }
        cluster.newest().ifPresent(this::lookAtFacts);
        for (Attempt attempt : attempts.values()) {
            if (now(attempt).equals(Optional.of(plot.moment())) && strike(attempt)) {
                armedAt = world.time().nanos() + PAUSE;
                return;
            }
        }
    }

    private void lookAtFacts(NamenodeHost newest) {
        long entry = newest.state().applied().index();
        if (entry <= lookedAtEntry) {
            return;
        }
        lookedAtEntry = entry;
        try (MetadataView facts = newest.state().view()) {
            facts.groups(new GroupId(1), group -> {
                for (int index = 0; !group.open() && index < group.places().size(); index++) {
                    note(facts, group, index);
                }
                return true;
            });
            attempts.values().removeIf(attempt -> over(facts, attempt));
        }
    }

    private void note(MetadataView facts, GroupFacts group, int index) {
        Optional<ChunkOnVolume> old = group.stored(index);
        facts.repair(group.group(), index)
                .filter(attempt -> attempt.target().isPresent())
                .ifPresent(attempt -> attempts.putIfAbsent(
                        attempt.chunk(),
                        new Attempt(attempt.chunk(), attempt.target().get(), old, false)));
        attempts.computeIfPresent(
                group.chunk(index),
                (chunk, attempt) -> new Attempt(
                        chunk,
                        attempt.target(),
                        attempt.old(),
                        group.volumeOf(chunk).equals(Optional.of(attempt.target()))));
    }

    private boolean over(MetadataView facts, Attempt attempt) {
        boolean latest = facts.repair(attempt.chunk().group(), attempt.chunk().index())
                .filter(now ->
                        now.chunk().equals(attempt.chunk()) && now.target().isPresent())
                .isPresent();
        boolean litter = attempt.committed()
                && attempt.old()
                        .filter(old -> facts.isGarbage(old) || mayBeThere(old))
                        .isPresent();
        return !latest && !litter;
    }

    private boolean mayBeThere(ChunkOnVolume chunk) {
        return host(chunk.volume()).filter(DatanodeHost::up).isEmpty() || isThere(chunk);
    }

    private boolean isThere(ChunkOnVolume chunk) {
        return host(chunk.volume())
                .filter(DatanodeHost::up)
                .flatMap(host -> host.find(chunk.volume(), chunk.chunk()))
                .isPresent();
    }

    private Optional<Moment> now(Attempt attempt) {
        if (attempt.committed()) {
            ChunkOnVolume old = attempt.old().orElseThrow();
            return host(old.volume())
                    .filter(DatanodeHost::up)
                    .map(up -> isThere(old) ? Moment.COMMITTED : Moment.DELETED);
        }
        Optional<DatanodeHost> target = host(attempt.target()).filter(DatanodeHost::up);
        Optional<ChunkRecord> record = target.flatMap(host -> host.find(attempt.target(), attempt.chunk()));
        if (record.isPresent()) {
            ChunkState state = record.get().state();
            return Optional.of(
                    state == ChunkState.FINALISED
                            ? Moment.PUBLISHED
                            : record.get().bytes() > 0 ? Moment.HALF_WRITTEN : Moment.CREATED);
        }
        return target.map(host -> ordered.contains(attempt.chunk()) ? Moment.ORDERED : Moment.LOGGED);
    }

    /** @return false when none of those that are due may die now */
    private boolean strike(Attempt attempt) {
        List<Victim> all = List.copyOf(EnumSet.allOf(Victim.class));
        for (int turn = 0; turn < all.size(); turn++) {
            Victim victim = all.get((all.indexOf(plot.victim()) + murders + turn) % all.size());
            if (victim == Victim.LEADER ? killLeader() : killDatanode(attempt, victim)) {
                murders++;
                troubles.merge(victim + " dies when a chunk is " + plot.moment(), 1, Integer::sum);
                return true;
            } else if (murders == 0) {
                return false; // the first is the one that the plot is about
            }
        }
        return false;
    }

    private boolean killLeader() {
        Optional<NamenodeHost> leader = cluster.namenodes().stream()
                .filter(host -> cluster.quorum().leader().equals(Optional.of(host.id())) && host.up())
                .findFirst();
        boolean alone = cluster.namenodes().stream().filter(NamenodeHost::up).count()
                < cluster.namenodes().size();
        if (leader.isEmpty() || alone) {
            return false;
        }
        NamenodeHost victim = leader.get();
        victim.crash(false);
        world.time().after(AWAY / 2, () -> {
            if (!healed && !victim.up()) {
                victim.start();
            }
        });
        return true;
    }

    private boolean killDatanode(Attempt attempt, Victim victim) {
        long away = cluster.datanodes().stream().filter(host -> !host.up()).count();
        Optional<DatanodeHost> host = away < world.settings().mayBeAway() ? host(attempt, victim) : Optional.empty();
        host.filter(DatanodeHost::up).ifPresent(found -> {
            found.crash(loss());
            world.time().after(AWAY, () -> back(found));
        });
        return host.isPresent();
    }

    private Optional<DatanodeHost> host(Attempt attempt, Victim victim) {
        Optional<VolumeId> old = attempt.old().map(ChunkOnVolume::volume);
        Optional<DatanodeHost> found = switch (victim) {
            case TARGET -> host(attempt.target());
            case HOLDER -> old.flatMap(this::host);
            case SOURCE -> source(attempt);
            case LEADER -> Optional.empty();
        };
        return found.filter(DatanodeHost::up);
    }

    private Optional<DatanodeHost> source(Attempt attempt) {
        try (MetadataView facts = cluster.newest().orElseThrow().state().view()) {
            return facts.group(attempt.chunk().group()).stream()
                    .flatMap(group -> group.stored().stream())
                    .filter(stored -> stored.chunk().index() != attempt.chunk().index())
                    .flatMap(stored -> host(stored.volume()).stream())
                    .filter(DatanodeHost::up)
                    .findFirst();
        }
    }

    private Optional<DatanodeHost> host(VolumeId volume) {
        return cluster.datanodes().stream().filter(host -> host.has(volume)).findFirst();
    }

    @Override
    public boolean happened() {
        return murders > 0;
    }

    @Override
    public void healAll() {
        healed = true;
        SimulationFailure.check(murders > 0, "no attempt ever came to the moment of %s", plot);
        cluster.healAll();
    }
}
