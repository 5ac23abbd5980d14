package io.ecfs.sim.trouble;

import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.datanode.store.ring.StagedCounts;
import io.ecfs.datanode.store.ring.VolumeRole;
import io.ecfs.message.Message;
import io.ecfs.sim.cluster.Cluster;
import io.ecfs.sim.cluster.DatanodeHost;
import io.ecfs.sim.cluster.RingScenario;
import io.ecfs.sim.cluster.RingScenario.Moment;
import io.ecfs.sim.cluster.RingScenario.Victim;
import io.ecfs.sim.cluster.World;
import io.ecfs.sim.time.SimulationFailure;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Brings about a {@link RingScenario}, again and again: kills datanodes when the volume of one comes to its moment.
 * They come back soon, or after they were given up for dead.
 */
public final class RingCrashes implements PlottedTrouble {
    private static final long PAUSE = Duration.ofMillis(1500).toNanos();
    private static final long FIRST = Duration.ofSeconds(4).toNanos();
    private static final long AWAY = Duration.ofSeconds(14).toNanos();
    private static final long REBOOT = Duration.ofMillis(700).toNanos();
    private static final long LOOK = Duration.ofMillis(1).toNanos();
    private static final int CHANGES_OF_A_DRAIN = 12;

    private final World world;
    private final Cluster cluster;
    private final RingScenario plot;
    private final TreeMap<String, Integer> troubles = new TreeMap<>();
    private final Map<DatanodeHost, VolumeRole> roles = new HashMap<>();
    private final Map<DatanodeHost, Long> stagedBytes = new HashMap<>();
    private long armedAt = FIRST;
    private long lookedAt;
    private int deaths;
    private boolean healed;

    public RingCrashes(World world, Cluster cluster, RingScenario plot) {
        this.world = world;
        this.cluster = cluster;
        this.plot = plot;
    }

    @Override
    public Map<String, Integer> troubles() {
        return troubles;
    }

    @Override
    public void start() {
        // Who is killed, and when, follows from the volumes.
    }

    @Override
    public void see(Message message) {
        // no message says what a volume does
    }

    @Override
    public void afterEach() {
        for (DatanodeHost host : cluster.datanodes()) {
            if (host.dying()) {
                kill(host);
                killOthers();
            }
        }
        long now = world.time().nanos();
        if (!healed && now >= armedAt && now - lookedAt >= LOOK) {
            lookedAt = now;
            for (DatanodeHost host : cluster.datanodes()) {
                if (host.up() && !host.doomed() && look(host) && mayDie()) {
                    armedAt = now + PAUSE;
                    begin(host);
                    return;
                }
            }
        }
    }

    /** Returns whether the volume has come to the moment. */
    private boolean look(DatanodeHost host) {
        StagedCounts counts = host.staged().orElseThrow().staged().counts();
        VolumeRole before = roles.put(host, counts.role());
        Long staged = stagedBytes.put(host, counts.stagedBytes());
        boolean switched = before != null && before != counts.role();
        return switch (plot.moment()) {
            case STAGED -> counts.role() == VolumeRole.READING && counts.stagedBytes() > 0;
            case SWITCHING -> switched;
            case DRAIN_HALF -> counts.role() == VolumeRole.WRITING && counts.stagedBytes() > 0;
            case DRAINED -> counts.role().slowsReads() && counts.stagedBytes() == 0 && staged != null && staged > 0;
        };
    }

    private boolean mayDie() {
        return cluster.datanodes().stream()
                        .filter(host -> !host.up() || host.doomed())
                        .count()
                < world.settings().mayBeAway();
    }

    private void begin(DatanodeHost host) {
        if (plot.moment() == Moment.DRAIN_HALF) {
            host.crashInRing(cluster.random().nextInt(CHANGES_OF_A_DRAIN));
            return;
        }
        if (mayDie()) {
            kill(host);
            killOthers();
        }
    }

    /** Other machines, as the plot says. */
    private void killOthers() {
        for (DatanodeHost other : cluster.datanodes()) {
            if (plot.victim() == Victim.MACHINES && other.up() && !other.doomed() && mayDie()) {
                kill(other);
            }
        }
    }

    private void kill(DatanodeHost host) {
        boolean power = plot.victim() != Victim.PROCESS && world.settings().losesPower();
        host.crash(power ? Loss.UNSYNCED : Loss.NOTHING);
        roles.remove(host);
        stagedBytes.remove(host);
        deaths++;
        troubles.merge(plot.victim() + " dies when a volume is " + plot.moment(), 1, Integer::sum);
        world.time().after(deaths % 3 == 0 ? AWAY : REBOOT, () -> {
            if (!healed && !host.up()) {
                host.start();
            }
        });
    }

    @Override
    public boolean happened() {
        return deaths > 0;
    }

    @Override
    public void healAll() {
        healed = true;
        SimulationFailure.check(deaths > 0, "no volume ever came to the moment of %s", plot);
        cluster.healAll();
    }
}
