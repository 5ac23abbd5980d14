package io.ecfs.sim.trouble;

import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.message.Address;
import io.ecfs.message.FilePath;
import io.ecfs.message.Message;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.GroupOwner;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.sim.cluster.Cluster;
import io.ecfs.sim.cluster.DatanodeHost;
import io.ecfs.sim.cluster.NamenodeHost;
import io.ecfs.sim.cluster.SimClient;
import io.ecfs.sim.cluster.UpdateScenario;
import io.ecfs.sim.cluster.UpdateScenario.Moment;
import io.ecfs.sim.cluster.UpdatedFile;
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

/**
 * Brings about an {@link UpdateScenario}, again and again: kills whom the plot says when a patch group comes to its
 * moment. Everybody comes back after they were given up for dead.
 */
public final class UpdateCrashes implements PlottedTrouble {
    private static final long FIRST = Duration.ofSeconds(2).toNanos();
    private static final long PAUSE = Duration.ofSeconds(4).toNanos();
    private static final long AWAY = Duration.ofSeconds(14).toNanos();
    private static final long LEADER_AWAY = Duration.ofSeconds(3).toNanos();

    private final World world;
    private final Cluster cluster;
    private final UpdateScenario plot;
    private final TreeMap<String, Integer> troubles = new TreeMap<>();
    private final Map<GroupId, List<Address>> groups = new HashMap<>();
    /** By the name that a client's calls have. */
    private final Map<String, FilePath> openedBy = new HashMap<>();

    private final Map<InodeId, String> callers = new HashMap<>();
    private final Map<GroupId, Integer> cells = new HashMap<>();
    private final Map<GroupId, Integer> records = new HashMap<>();
    private final Set<GroupId> published = new HashSet<>();
    private Optional<Due> due = Optional.empty();
    private long armedAt = FIRST;
    private int deaths;
    private boolean healed;

    /** Of a moment that came: the file, and its group if it is of one. */
    private record Due(InodeId file, Optional<GroupId> group) {}

    public UpdateCrashes(World world, Cluster cluster, UpdateScenario plot) {
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
        // Who is killed, and when, follows from the messages.
    }

    @Override
    public void see(Message message) {
        if (message instanceof NamespaceRequest.OpenUpdate open) {
            openedBy.put(open.request().client(), open.path());
        } else if (message instanceof NamespaceRequest.AddGroup add) {
            callers.put(add.file(), add.request().client());
        } else if (message instanceof NamespaceReply.Allocated given) {
            groups.put(
                    given.group().group(),
                    given.group().chunks().stream().map(ChunkLocation::address).toList());
        } else if (message instanceof ChunkRequest.WriteCells cell) {
            wrote(cell.chunk(), cells, cell.offset() > 0, Moment.HALF_STRIPE);
        } else if (message instanceof ChunkRequest.WriteTail tail) {
            wrote(tail.chunk(), records, tail.record().offset() > 0, Moment.TAIL_RECORD);
        } else if (message instanceof ChunkRequest.FinishChunk finish) {
            if (groups.containsKey(finish.chunk().group())
                    && published.add(finish.chunk().group())) {
                note(Moment.INDEXED, finish.chunk().group());
            }
        } else if (message instanceof NamespaceRequest.SealGroup seal) {
            note(Moment.SEALING, seal.file());
        } else if (message instanceof NamespaceRequest.ReplaceLayout replace) {
            note(Moment.SEALED, replace.file());
        } else if (message instanceof NamespaceRequest.CompleteFile complete && callers.containsKey(complete.file())) {
            note(Moment.CLOSING, complete.file());
        }
    }

    /** @param later the message is none of the first of its kind for the group */
    private void wrote(ChunkId chunk, Map<GroupId, Integer> seen, boolean later, Moment moment) {
        GroupId group = chunk.group();
        if (!groups.containsKey(group)) {
            return;
        }
        if (!cells.containsKey(group) && !records.containsKey(group)) {
            note(Moment.FIRST_BATCH, group);
        }
        int messages = seen.merge(group, later ? 1 : 0, Integer::sum);
        if (later && messages % groups.get(group).size() == 1) {
            note(moment, group);
        }
    }

    private void note(Moment moment, GroupId group) {
        if (moment == plot.moment()) {
            facts(group)
                    .filter(facts -> facts.owner() instanceof GroupOwner.Patch)
                    .ifPresent(facts -> due = Optional.of(new Due(facts.owner().inode(), Optional.of(group))));
        }
    }

    private void note(Moment moment, InodeId file) {
        if (moment == plot.moment()) {
            due = Optional.of(new Due(file, Optional.empty()));
        }
    }

    private Optional<GroupFacts> facts(GroupId group) {
        return cluster.newest().flatMap(newest -> {
            try (MetadataView facts = newest.state().view()) {
                return facts.group(group);
            }
        });
    }

    @Override
    public void afterEach() {
        if (due.isPresent() && !healed && world.time().nanos() >= armedAt && strike(due.get())) {
            deaths++;
            armedAt = world.time().nanos() + PAUSE;
            troubles.merge(plot.victim() + " dies when a patch group is " + plot.moment(), 1, Integer::sum);
        }
        due = Optional.empty();
    }

    private boolean strike(Due now) {
        return switch (plot.victim()) {
            case WRITER -> vanish(now.file());
            case DATANODES -> killDatanodes(now.group());
            case LEADER -> killLeader();
        };
    }

    private boolean vanish(InodeId file) {
        Optional<FilePath> holder = Optional.ofNullable(callers.get(file))
                .map(openedBy::get)
                .flatMap(path -> cluster.ledger().updated().stream()
                        .filter(updated -> updated.path().equals(path))
                        .findFirst())
                .flatMap(UpdatedFile::holder);
        for (Map.Entry<Integer, SimClient> client : cluster.living().entrySet()) {
            if (holder.equals(Optional.of(client.getValue().directory()))) {
                cluster.vanish(
                        client.getValue(),
                        SimClient.Exit.NOW,
                        () -> world.time().after(PAUSE, () -> {
                            if (!healed) {
                                cluster.newClient(client.getKey());
                            }
                        }));
                return true;
            }
        }
        return false;
    }

    /** Those of the group, or any where no group is known any more; as many as may be away. */
    private boolean killDatanodes(Optional<GroupId> group) {
        List<Address> places = group.map(groups::get).orElse(List.of());
        long away = cluster.datanodes().stream().filter(host -> !host.up()).count();
        List<DatanodeHost> victims = cluster.datanodes().stream()
                .filter(DatanodeHost::up)
                .filter(host -> group.isEmpty()
                        || places.stream().anyMatch(address -> address.host().equals(host.host())))
                .limit(Math.max(0, world.settings().mayBeAway() - away))
                .toList();
        for (DatanodeHost host : victims) {
            host.crash(world.settings().losesPower() ? Loss.UNSYNCED : Loss.NOTHING);
            world.time().after(AWAY, () -> {
                if (!healed && !host.up()) {
                    host.start();
                }
            });
        }
        return !victims.isEmpty();
    }

    private boolean killLeader() {
        Optional<NamenodeHost> leader = cluster.namenodes().stream()
                .filter(host -> cluster.quorum().leader().equals(Optional.of(host.id())) && host.up())
                .findFirst();
        boolean all = cluster.namenodes().stream().allMatch(NamenodeHost::up);
        leader.filter(host -> all).ifPresent(victim -> {
            victim.crash(false);
            world.time().after(LEADER_AWAY, () -> {
                if (!healed && !victim.up()) {
                    victim.start();
                }
            });
        });
        return leader.isPresent() && all;
    }

    @Override
    public boolean happened() {
        return deaths > 0;
    }

    @Override
    public void healAll() {
        healed = true;
        SimulationFailure.check(deaths > 0, "no patch group ever came to the moment of %s", plot);
        cluster.healAll();
    }
}
