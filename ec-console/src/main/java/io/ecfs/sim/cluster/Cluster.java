package io.ecfs.sim.cluster;

import io.ecfs.message.Address;
import io.ecfs.message.FilePath;
import io.ecfs.namenode.context.Members;
import io.ecfs.namenode.log.MemoryQuorum;
import io.ecfs.namenode.settings.NamenodeSettings;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.namenode.store.MemoryStore;
import io.ecfs.sim.cluster.SimSettings.Twist;
import io.ecfs.sim.time.SimProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The machines of a world, and the clients that come and go. */
public final class Cluster {
    private static final Path BACKUP = Path.of("backup");
    /**
     * One roll-back in so many begins an epoch, as a restore does; stamps alone tell old chunks apart in the others.
     */
    private static final int EPOCHS_BEGUN = 4;

    private static final Duration LOG_STEP = Duration.ofMillis(2);

    private final World world;
    private final SplittableRandom random;
    private final List<NamenodeHost> namenodes = new ArrayList<>();
    private final List<DatanodeHost> datanodes = new ArrayList<>();
    private final List<SimClient> clients = new ArrayList<>();
    private final List<Address> addresses = new ArrayList<>();
    private final MemoryQuorum quorum;
    private final Ledger ledger = new Ledger();
    private final int[] lives;
    private long lastBackedUp = -1;
    private OptionalLong rolledBackTo = OptionalLong.empty();

    public Cluster(World world, SplittableRandom random) {
        this(world, ClusterSettings.of(world.settings()), random);
    }

    /** @param machines instead of those that {@link SimTuning} sets */
    public Cluster(World world, ClusterSettings machines, SplittableRandom random) {
        this.world = world;
        this.random = random;
        SimSettings settings = world.settings();
        // The log's own thread belongs to no machine: it stands for what the namenodes' logs agree on.
        SimProcess log = new SimProcess("log", world.time(), random.split());
        quorum = new MemoryQuorum(log.scheduler("log"), log.environment().randomness(), LOG_STEP, settings.namenodes());
        Map<String, Address> members = new TreeMap<>();
        for (int number = 0; number < settings.namenodes(); number++) {
            members.put("nn" + number, new Address("nn" + number, 8000));
        }
        addresses.addAll(members.values());
        NamenodeSettings decisions = machines.namenodes();
        MemoryStore.Shelf backups = new MemoryStore.Shelf();
        for (String id : members.keySet()) {
            namenodes.add(
                    new NamenodeHost(world, new Members(id, members), decisions, quorum, backups, random.split()));
        }
        for (int number = 0; number < machines.hosts().size(); number++) {
            datanodes.add(new DatanodeHost(world, number, machines.hosts().get(number), addresses, random.split()));
        }
        lives = new int[settings.clients()];
    }

    public void start() {
        namenodes.forEach(NamenodeHost::start);
        datanodes.forEach(DatanodeHost::start);
        if (world.settings().ring().isEmpty()) {
            startClients();
        }
        if (world.settings().converted()) { // far from full: what it charges is counted anew
            operator().client().setQuota(FilePath.ROOT, Optional.empty(), Optional.of(Long.MAX_VALUE / 2));
        }
    }

    /** Where there is to be a ring, before any volume has a chunk, clients begin after it. */
    public void startClients() {
        for (int number = 0; number < lives.length; number++) {
            newClient(number);
        }
    }

    /** A client with a directory of its own; the one before under this number has vanished. */
    public void newClient(int number) {
        boolean rivalled = world.settings().twist() == Twist.LOST_LEASES;
        SimClient client =
                new SimClient(world, "c" + number, ++lives[number], addresses, ledger, rivalled, random.split());
        clients.add(client);
        client.start();
    }

    /**
     * A client without work of its own.
     *
     * @param life an even one's reads ask for no spares
     */
    public SimClient lastClient(int life) {
        return new SimClient(world, "last", life, addresses, ledger, false, random.split());
    }

    /** One that only says what is wanted of datanodes. */
    public SimClient operator() {
        return new SimClient(world, "operator", 1, addresses, ledger, false, random.split());
    }

    public void vanish(SimClient client, SimClient.Exit when, Runnable gone) {
        client.vanish(when, () -> {
            world.vanished().add(client.directory());
            world.network().processGone(client.host());
            gone.run();
        });
    }

    /**
     * Copies the disk of the namenode that has applied most, for {@link #rollBack}.
     *
     * @return false when there is none, or one of the datanodes is in no facts yet: going on, it would refuse the
     *     numbers that its volumes get in its second registration
     */
    public boolean backUp() {
        Optional<NamenodeHost> complete = newest().filter(namenode -> {
            try (MetadataView facts = namenode.state().view()) {
                return facts.datanodes().size() == datanodes.size();
            }
        });
        complete.ifPresent(namenode -> lastBackedUp = namenode.backUp(BACKUP));
        return complete.isPresent();
    }

    /**
     * All namenodes die and begin anew on the copy, if there is one. Clients die too: what they know of their files is
     * of no time any more.
     */
    public boolean rollBack(Consumer<Integer> gone) {
        if (lastBackedUp < 0) {
            return false;
        }
        boolean newEpoch = random.nextInt(EPOCHS_BEGUN) == 0;
        namenodes.forEach(namenode -> {
            if (namenode.up()) {
                namenode.crash(true);
            }
            namenode.restore(BACKUP, newEpoch);
        });
        quorum.rollBack(lastBackedUp);
        ledger.rolledBack();
        rolledBackTo = OptionalLong.of(lastBackedUp);
        namenodes.forEach(NamenodeHost::start);
        living().forEach((number, client) -> vanish(client, SimClient.Exit.NOW, () -> gone.accept(number)));
        return true;
    }

    /** The last entry that was not undone, when the namenodes were rolled back. */
    public OptionalLong rolledBackTo() {
        return rolledBackTo;
    }

    public void heal(NamenodeHost namenode) {
        namenode.heal();
        world.network().heal(namenode.id());
    }

    /** Everybody is there, and nothing keeps them from each other. */
    public void healAll() {
        world.network().healAll();
        namenodes.forEach(namenode -> {
            heal(namenode);
            if (!namenode.up()) {
                namenode.start();
            }
        });
        datanodes.forEach(datanode -> {
            datanode.heal();
            datanode.spare();
            if (!datanode.up()) {
                datanode.start();
            }
        });
    }

    public MemoryQuorum quorum() {
        return quorum;
    }

    public List<NamenodeHost> namenodes() {
        return namenodes;
    }

    public List<DatanodeHost> datanodes() {
        return datanodes;
    }

    public List<SimClient> clients() {
        return clients;
    }

    public List<Address> addresses() {
        return addresses;
    }

    public Ledger ledger() {
        return ledger;
    }

    public SplittableRandom random() {
        return random;
    }

    /** The clients that live, each with its number. */
    public Map<Integer, SimClient> living() {
        Map<Integer, SimClient> living = new TreeMap<>();
        for (SimClient client : clients) {
            if (client.alive()) {
                FilePath directory = client.directory();
                living.put(
                        Integer.parseInt(
                                directory.name().substring(1, directory.name().indexOf('-'))),
                        client);
            }
        }
        return living;
    }

    /** The namenode that has applied most. */
    public Optional<NamenodeHost> newest() {
        return namenodes.stream()
                .filter(NamenodeHost::up)
                .reduce((a, b) ->
                        b.state().applied().index() > a.state().applied().index() ? b : a);
    }
}
