package io.ecfs.sim.trouble;

import io.ecfs.client.EcfsClient;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.Message;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.message.datanode.DatanodeReport;
import io.ecfs.sim.cluster.Cluster;
import io.ecfs.sim.cluster.DatanodeHost;
import io.ecfs.sim.cluster.NamenodeHost;
import io.ecfs.sim.cluster.RewriteScenario;
import io.ecfs.sim.cluster.RewriteScenario.Moment;
import io.ecfs.sim.cluster.RewriteScenario.Victim;
import io.ecfs.sim.cluster.World;
import io.ecfs.sim.time.SimulationFailure;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Brings about a {@link RewriteScenario}, again and again: kills whom the plot says when a rewrite comes to its moment.
 * Everybody comes back after they were given up for dead.
 */
public final class RewriteCrashes implements PlottedTrouble {
    private static final long FIRST = Duration.ofSeconds(2).toNanos();
    private static final long PAUSE = Duration.ofSeconds(4).toNanos();
    private static final long BETWEEN_CONVERSIONS = Duration.ofSeconds(2).toNanos();
    private static final long AWAY = Duration.ofSeconds(14).toNanos();
    private static final long LEADER_AWAY = Duration.ofSeconds(3).toNanos();

    private final World world;
    private final Cluster cluster;
    private final RewriteScenario plot;
    private final EcfsClient operator;
    private final TreeMap<String, Integer> troubles = new TreeMap<>();
    /** By the group that is filled. */
    private final Map<GroupId, DatanodeOrder.Rewrite> rewrites = new HashMap<>();
    /** The rewrite that moved what was in a group. */
    private final Map<GroupId, GroupId> movedBy = new HashMap<>();

    private final Map<GroupId, Integer> written = new HashMap<>();
    private final Map<GroupId, Integer> published = new HashMap<>();
    private final Set<GroupId> reported = new HashSet<>();
    private Optional<GroupId> due = Optional.empty();
    private Optional<GroupId> toAbort = Optional.empty();
    private long armedAt = FIRST;
    private int deaths;
    private boolean healed;

    public RewriteCrashes(World world, Cluster cluster, RewriteScenario plot) {
        this.world = world;
        this.cluster = cluster;
        this.plot = plot;
        this.operator = cluster.operator().client();
    }

    @Override
    public Map<String, Integer> troubles() {
        return troubles;
    }

    /** Who is killed, and when, follows from the messages. */
    @Override
    public void start() {
        world.time().after(FIRST, () -> convert(0));
    }

    /** All files, to one policy after the other, whatever becomes of it. */
    private void convert(int turn) {
        if (!healed) {
            List<Policy> targets = world.settings().targets();
            operator.admin().convert(FilePath.ROOT, targets.get(turn % targets.size()), false);
            world.time().after(BETWEEN_CONVERSIONS, () -> convert(turn + 1));
        }
    }

    @Override
    public void see(Message message) {
        if (message instanceof DatanodeReply.HeartbeatReply reply) {
            reply.orders().forEach(this::see);
        } else if (message instanceof DatanodeReport.ChangeReport report) {
            report.changes().forEach(this::see);
        } else if (message instanceof ChunkRequest.WriteCells cell) {
            count(written, Moment.HALF_WRITTEN, cell.chunk().group());
        } else if (message instanceof ChunkRequest.FinishChunk finish) {
            count(published, Moment.HALF_PUBLISHED, finish.chunk().group());
        }
    }

    private void see(DatanodeOrder order) {
        if (order instanceof DatanodeOrder.Rewrite rewrite) {
            GroupId group = rewrite.target().group();
            if (rewrites.putIfAbsent(group, rewrite) == null) {
                rewrite.sources().forEach(source -> movedBy.put(source.group(), group));
                note(Moment.ORDERED, group);
                toAbort = Optional.of(group);
            }
        } else if (order instanceof DatanodeOrder.Delete delete) {
            GroupId group = delete.chunk().group();
            if (movedBy.containsKey(group) && reported.contains(movedBy.get(group))) {
                note(Moment.COMMITTED, movedBy.get(group));
            } else if (rewrites.containsKey(group) && !reported.contains(group)) {
                note(Moment.ABORTED, group);
            }
        }
    }

    private void see(ChunkChange change) {
        if (change instanceof ChunkChange.Rewritten done
                && !done.finished().isEmpty()
                && rewrites.containsKey(done.group())
                && reported.add(done.group())) {
            note(Moment.REPORTED, done.group());
        }
    }

    /** Notes the moment when half of the messages to the chunks of a group are sent. */
    private void count(Map<GroupId, Integer> seen, Moment moment, GroupId group) {
        if (rewrites.containsKey(group)
                && seen.merge(group, 1, Integer::sum)
                        == rewrites.get(group).target().chunks().size() / 2) {
            note(moment, group);
        }
    }

    private void note(Moment moment, GroupId group) {
        if (moment == plot.moment()) {
            due = Optional.of(group);
        }
    }

    @Override
    public void afterEach() {
        boolean may = !healed && world.time().nanos() >= armedAt;
        if (may && due.isPresent() && strike(rewrites.get(due.get()))) {
            deaths++;
            armedAt = world.time().nanos() + PAUSE;
            troubles.merge(plot.victim() + " dies when a rewrite is " + plot.moment(), 1, Integer::sum);
        } else if (may && toAbort.isPresent() && plot.moment() == Moment.ABORTED && away() == 0) {
            bringAbout(rewrites.get(toAbort.get()));
        }
        due = Optional.empty();
        toAbort = Optional.empty();
    }

    private void bringAbout(DatanodeOrder.Rewrite rewrite) {
        kill(plot.victim() == Victim.TARGET ? holder(rewrite.target(), rewrite.volume()) : target(rewrite));
    }

    private boolean strike(DatanodeOrder.Rewrite rewrite) {
        return switch (plot.victim()) {
            case TARGET -> kill(target(rewrite));
            case HOLDER -> kill(holder(rewrite.target(), rewrite.volume()));
            case SOURCE -> kill(holder(rewrite.sources().get(0), rewrite.volume()));
            case LEADER -> killLeader();
        };
    }

    private Optional<DatanodeHost> target(DatanodeOrder.Rewrite rewrite) {
        return up(rewrite.volume());
    }

    private Optional<DatanodeHost> holder(DatanodeOrder.Rewrite.Group group, VolumeId target) {
        return group.chunks().stream()
                .map(ChunkLocation::volume)
                .filter(volume -> !volume.equals(target))
                .flatMap(volume -> Stream.of(up(volume)))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<DatanodeHost> up(VolumeId volume) {
        return cluster.datanodes().stream()
                .filter(host -> host.up() && host.has(volume))
                .findFirst();
    }

    private long away() {
        return cluster.datanodes().stream().filter(host -> !host.up()).count();
    }

    private boolean kill(Optional<DatanodeHost> victim) {
        if (victim.isEmpty() || away() >= world.settings().mayBeAway()) {
            return false;
        }
        DatanodeHost host = victim.get();
        host.crash(world.settings().losesPower() ? Loss.UNSYNCED : Loss.NOTHING);
        world.time().after(AWAY, () -> {
            if (!healed && !host.up()) {
                host.start();
            }
        });
        return true;
    }

    private boolean killLeader() {
        Optional<NamenodeHost> leader = cluster.namenodes().stream()
                .filter(host -> cluster.quorum().leader().equals(Optional.of(host.id())) && host.up())
                .findFirst();
        boolean alone = cluster.namenodes().stream().anyMatch(host -> !host.up());
        if (leader.isEmpty() || alone) {
            return false;
        }
        NamenodeHost victim = leader.get();
        victim.crash(false);
        world.time().after(LEADER_AWAY, () -> {
            if (!healed && !victim.up()) {
                victim.start();
            }
        });
        return true;
    }

    @Override
    public boolean happened() {
        return deaths > 0;
    }

    @Override
    public void healAll() {
        healed = true;
        SimulationFailure.check(deaths > 0, "no rewrite ever came to the moment of %s", plot);
        cluster.healAll();
    }
}
