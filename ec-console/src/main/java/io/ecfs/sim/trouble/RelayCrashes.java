package io.ecfs.sim.trouble;

import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.Message;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.sim.cluster.Cluster;
import io.ecfs.sim.cluster.DatanodeHost;
import io.ecfs.sim.cluster.RelayScenario;
import io.ecfs.sim.cluster.RelayScenario.Moment;
import io.ecfs.sim.cluster.SimClient;
import io.ecfs.sim.cluster.World;
import io.ecfs.sim.time.SimulationFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Brings about a {@link RelayScenario}, again and again: kills whom the plot says when a relayed stripe comes to its
 * moment. Everybody comes back after they were given up for dead.
 */
public final class RelayCrashes implements PlottedTrouble {
    private static final long FIRST = Duration.ofSeconds(2).toNanos();
    private static final long PAUSE = Duration.ofSeconds(4).toNanos();
    private static final long AWAY = Duration.ofSeconds(14).toNanos();

    private record Stripe(GroupId group, long writer, long offset) {}

    private final World world;
    private final Cluster cluster;
    private final RelayScenario plot;
    private final TreeMap<String, Integer> troubles = new TreeMap<>();
    private final Map<GroupId, ChunkRequest.BeginRelay> relays = new HashMap<>();
    private final Map<Stripe, Integer> distributed = new HashMap<>();
    private Optional<GroupId> due = Optional.empty();
    private long armedAt = FIRST;
    private int deaths;
    private boolean healed;

    public RelayCrashes(World world, Cluster cluster, RelayScenario plot) {
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
        // What is killed, and when, follows from the messages.
    }

    @Override
    public void see(Message message) {
        if (message instanceof ChunkRequest.BeginRelay begin) {
            relays.put(begin.chunk().group(), begin);
        } else if (message instanceof ChunkReply.RelayBegun begun) {
            note(Moment.BEGUN, begun.chunk());
        } else if (message instanceof ChunkRequest.WriteCells cell && relays.containsKey(group(cell.chunk()))) {
            int cells =
                    distributed.merge(new Stripe(group(cell.chunk()), cell.writer(), cell.offset()), 1, Integer::sum);
            if (cells == relays.get(group(cell.chunk())).targets().size() / 2) {
                note(Moment.HALF_DISTRIBUTED, cell.chunk());
            }
        } else if (message instanceof ChunkReply.Relayed relayed) {
            note(Moment.ANSWER_LOST, relayed.chunk());
        }
    }

    private static GroupId group(ChunkId chunk) {
        return chunk.group();
    }

    private void note(Moment moment, ChunkId chunk) {
        if (moment == plot.moment() && relays.containsKey(chunk.group())) {
            due = Optional.of(chunk.group());
        }
    }

    @Override
    public void afterEach() {
        if (due.isPresent() && !healed && world.time().nanos() >= armedAt && strike(relays.get(due.get()))) {
            deaths++;
            armedAt = world.time().nanos() + PAUSE;
            troubles.merge(plot.victim() + " dies when a stripe is " + plot.moment(), 1, Integer::sum);
        }
        due = Optional.empty();
    }

    private boolean strike(ChunkRequest.BeginRelay relay) {
        return switch (plot.victim()) {
            case MASTER -> kill(holder(relay, true));
            case SLAVE -> kill(holder(relay, false));
            case CLIENT -> vanish();
        };
    }

    /** The datanode of the master's chunk, or of another one of the group. */
    private Optional<DatanodeHost> holder(ChunkRequest.BeginRelay relay, boolean master) {
        return relay.targets().stream()
                .filter(target -> target.chunk().equals(relay.chunk()) == master)
                .flatMap(target -> cluster.datanodes().stream()
                        .filter(host ->
                                host.up() && host.host().equals(target.address().host())))
                .findFirst();
    }

    private boolean kill(Optional<DatanodeHost> victim) {
        long away = cluster.datanodes().stream().filter(host -> !host.up()).count();
        if (victim.isEmpty() || away >= world.settings().mayBeAway()) {
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

    /** One of those at work: each writes most of the time. */
    private boolean vanish() {
        Map<Integer, SimClient> living = cluster.living();
        if (living.isEmpty()) {
            return false;
        }
        List<Integer> numbers = new ArrayList<>(living.keySet());
        int number = numbers.get(deaths % numbers.size());
        cluster.vanish(
                living.get(number),
                SimClient.Exit.NOW,
                () -> world.time().after(PAUSE, () -> {
                    if (!healed) {
                        cluster.newClient(number);
                    }
                }));
        return true;
    }

    @Override
    public boolean happened() {
        return deaths > 0;
    }

    @Override
    public void healAll() {
        healed = true;
        SimulationFailure.check(deaths > 0, "no stripe ever came to the moment of %s", plot);
        cluster.healAll();
    }
}
