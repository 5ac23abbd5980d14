package io.ecfs.sim.trouble;

import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.sim.cluster.Cluster;
import io.ecfs.sim.cluster.DatanodeHost;
import io.ecfs.sim.cluster.Elections;
import io.ecfs.sim.cluster.NamenodeHost;
import io.ecfs.sim.cluster.Operator;
import io.ecfs.sim.cluster.SimClient;
import io.ecfs.sim.cluster.SimSettings.Power;
import io.ecfs.sim.cluster.SimSettings.Twist;
import io.ecfs.sim.cluster.SimTuning;
import io.ecfs.sim.cluster.World;
import io.ecfs.sim.network.NetworkWeather;
import io.ecfs.sim.time.SteppedClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Brings trouble within a budget, so that whatever goes wrong is a bug: at most as many datanodes away as every policy
 * survives, at most a minority of the namenodes. Each trouble is taken back after a while; {@link #healAll} takes back
 * all.
 */
public final class Adversary implements Trouble {
    private static final long LONGEST_TROUBLE = Duration.ofSeconds(10).toNanos();
    private static final long LONGEST_REBOOT = Duration.ofSeconds(2).toNanos();
    private static final long LONGEST_PEACE = Duration.ofMillis(1800).toNanos();
    private static final int WRITES_BEFORE_CRASH = 30;

    private static final Duration CLOCK_STEP = Duration.ofMinutes(15);

    /** One trouble in so many is one of several machines, where all may lose power. */
    private static final int BLACKOUT = 6;

    /** One crash in so many takes the namenode's disk with it. */
    private static final int DISK_LOST = 4;

    private final World world;
    private final Cluster cluster;
    private final Elections elections;
    private final SplittableRandom random;
    private final Operator operator;
    private final TreeSet<String> powerless = new TreeSet<>();
    private final TreeSet<String> losing = new TreeSet<>();
    private final TreeMap<String, Integer> troubles = new TreeMap<>();
    private Optional<DatanodeHost> rotten = Optional.empty();
    private boolean healed;

    public Adversary(World world, Cluster cluster, Elections elections, SplittableRandom random) {
        this.world = world;
        this.cluster = cluster;
        this.elections = elections;
        this.random = random;
        this.operator = new Operator(cluster.operator().client(), random.split());
    }

    @Override
    public Map<String, Integer> troubles() {
        return troubles;
    }

    @Override
    public void start() {
        later(LONGEST_PEACE, this::next);
        switch (world.settings().twist()) {
            case ROLLED_BACK -> {
                later(LONGEST_TROUBLE, this::backUp);
                world.time().after(LONGEST_TROUBLE + random.nextLong(LONGEST_TROUBLE), this::rollBack);
            }
            case LOST_LEASES -> later(LONGEST_TROUBLE, this::writerLosesNamenodes);
            case LOST_IN_WRITES -> later(LONGEST_PEACE, this::allLosePowerInWrites);
            case LOST_BETWEEN_FLUSHES -> later(LONGEST_TROUBLE, this::allLosePowerBetweenFlushes);
            case ROTTEN_DISKS -> {
                rotten = Optional.of(one(cluster.datanodes()));
                later(LONGEST_PEACE, this::bitFlips);
            }
            case NONE, UNREADABLE_ENTRY, WRONG_PARITY -> {}
        }
    }

    /** For longer than its lease lasts; it reaches the datanodes as before. */
    private void writerLosesNamenodes() {
        List<Integer> living = List.copyOf(cluster.living().keySet());
        if (!living.isEmpty()) {
            count("writer loses the namenodes");
            String client = "c" + one(living);
            cluster.namenodes().forEach(namenode -> world.network().cut(client, namenode.id()));
            world.time()
                    .after(
                            SimTuning.LEASE_HARD_LIMIT.toNanos() + random.nextLong(LONGEST_PEACE),
                            () -> cluster.namenodes()
                                    .forEach(namenode -> world.network().join(client, namenode.id())));
        }
        later(LONGEST_TROUBLE, this::writerLosesNamenodes);
    }

    /** A datanode that has changed nothing by the next time lives. */
    private void allLosePowerInWrites() {
        count("all lose power in writes");
        int change = 1 + random.nextInt(WRITES_BEFORE_CRASH);
        losing.clear();
        for (DatanodeHost datanode : cluster.datanodes()) {
            if (datanode.up()) {
                losing.add(datanode.host());
                datanode.spare();
                datanode.crashAtChange(change);
            }
        }
        later(LONGEST_TROUBLE, this::allLosePowerInWrites);
    }

    /**
     * What a writer does after the power is back ends with a flush: nothing that it writes later mends what was lost.
     */
    private void allLosePowerBetweenFlushes() {
        count("all lose power between flushes");
        for (DatanodeHost datanode : cluster.datanodes()) {
            if (datanode.up()) {
                datanode.crash(Loss.UNSYNCED);
                startLater(LONGEST_REBOOT, datanode::up, datanode::start);
            }
        }
        cluster.living().forEach((number, client) -> clientVanishes(number, client, SimClient.Exit.AFTER_A_FLUSH));
        later(LONGEST_TROUBLE, this::allLosePowerBetweenFlushes);
    }

    /** In a file of chunks that are being written, if there is one, or of others; headers stay what they are. */
    private void bitFlips() {
        if (rotten.orElseThrow().flipBit(random)) {
            count("bit flips");
        }
        later(LONGEST_PEACE / 2, this::bitFlips);
    }

    private void backUp() {
        if (!cluster.backUp()) {
            later(LONGEST_REBOOT, this::backUp);
        }
    }

    private void rollBack() {
        if (!healed && cluster.rollBack(number -> later(LONGEST_PEACE, () -> cluster.newClient(number)))) {
            count("rolled back");
        }
    }

    private void next() {
        if (!healed) {
            if (world.settings().power() == Power.LOST_BY_ALL && random.nextInt(BLACKOUT) == 0) {
                blackout();
            } else {
                trouble(random.nextInt(100));
            }
            later(LONGEST_PEACE, this::next);
        }
    }

    private void trouble(int dice) {
        if (dice < 20) {
            datanodeGoes(dice);
        } else if (dice < 32) {
            datanodeIsolated();
        } else if (dice < 46) {
            namenodeGoes();
        } else if (dice < 58) {
            namenodeCutOff();
        } else if (dice < 66) {
            count("another leader");
            elections.elect();
        } else if (dice < 76) {
            linkCut();
        } else if (dice < 82) {
            storm();
        } else if (dice < 86) {
            clockSteps();
        } else if (dice < 93 || !world.settings().operated()) {
            clientVanishes();
        } else {
            dutyChanges();
        }
    }

    /** An operator takes a datanode out of service, or the one that is out back; at the end one may be left out. */
    private void dutyChanges() {
        List<DatanodeHost> victims = datanodesToTake();
        if (operator.asking()) {
            return;
        } else if (operator.out().isPresent()) {
            count("datanode taken back");
            operator.takeBack();
        } else if (!victims.isEmpty()) {
            count("datanode taken out of service");
            operator.takeOut(one(victims));
        }
    }

    private void datanodeGoes(int dice) {
        List<DatanodeHost> victims = datanodesToTake();
        if (!victims.isEmpty()) {
            DatanodeHost victim = one(victims);
            if (dice % 2 == 0) {
                count("datanode dies in a write");
                victim.crashInTheMiddle(WRITES_BEFORE_CRASH);
            } else {
                count("datanode dies");
                crash(victim);
            }
        }
    }

    /** Lets those datanodes die whose disks have stopped. */
    @Override
    public void afterEach() {
        for (DatanodeHost datanode : cluster.datanodes()) {
            if (datanode.dying()) {
                if (losing.remove(datanode.host())) {
                    crash(datanode, true);
                } else {
                    crash(datanode);
                }
            }
        }
        for (NamenodeHost namenode : cluster.namenodes()) {
            if (namenode.stopped()) {
                count("namenode stops at an entry");
                namenode.crash(false);
                startLater(LONGEST_REBOOT, namenode::up, namenode::start);
            }
        }
    }

    private void crash(DatanodeHost victim) {
        crash(victim, mayLosePower(victim) && random.nextBoolean());
    }

    private void crash(DatanodeHost victim, boolean losesPower) {
        if (losesPower) {
            powerless.add(victim.host());
        }
        victim.crash(losesPower ? Loss.UNSYNCED : Loss.NOTHING);
        startLater(random.nextInt(3) == 0 ? LONGEST_TROUBLE : LONGEST_REBOOT, victim::up, victim::start);
    }

    private boolean mayLosePower(DatanodeHost victim) {
        return switch (world.settings().power()) {
            case KEPT -> false;
            case LOST_BY_ONE -> powerless.isEmpty() || powerless.contains(victim.host());
            case LOST_BY_ALL, ALL_SYNCED -> true;
        };
    }

    /** All machines, or those of one rack, lose power at once, and come back one by one. */
    private void blackout() {
        List<DatanodeHost> all = cluster.datanodes().stream()
                .filter(DatanodeHost::up)
                .filter(this::mayLosePower)
                .toList();
        if (!all.isEmpty()) {
            boolean rack = random.nextBoolean();
            count(rack ? "rack loses power" : "all lose power");
            String only = one(all).rack();
            all.stream()
                    .filter(datanode -> !rack || datanode.rack().equals(only))
                    .forEach(datanode -> crash(datanode, true));
        }
    }

    /** A machine's wall clock is a quarter of an hour ahead or behind for a while. */
    private void clockSteps() {
        count("clock stepped");
        long millis = random.nextBoolean() ? CLOCK_STEP.toMillis() : -CLOCK_STEP.toMillis();
        SteppedClock machine = random.nextInt(3) > 0 ? one(cluster.namenodes()) : one(cluster.datanodes());
        if (machine.up()) {
            later(LONGEST_TROUBLE, machine.stepClock(millis));
        }
    }

    /** Unless somebody else does before. */
    private void startLater(long atMostNanos, BooleanSupplier up, Runnable start) {
        later(atMostNanos, () -> {
            if (!up.getAsBoolean()) {
                start.run();
            }
        });
    }

    private void datanodeIsolated() {
        List<DatanodeHost> victims = datanodesToTake();
        if (!victims.isEmpty()) {
            count("datanode isolated");
            DatanodeHost victim = one(victims);
            victim.isolate();
            later(LONGEST_TROUBLE, victim::heal);
        }
    }

    /**
     * Those that may go now. One that is to die in one of its next writes counts as away, as one out of service does
     * and one that rots.
     */
    private List<DatanodeHost> datanodesToTake() {
        List<DatanodeHost> there = cluster.datanodes().stream()
                .filter(datanode -> !datanode.away() && !datanode.doomed())
                .toList();
        List<DatanodeHost> out = Stream.concat(operator.out().stream(), rotten.stream())
                .filter(there::contains)
                .distinct()
                .toList();
        int away = cluster.datanodes().size() - there.size() + out.size();
        return away < world.settings().mayBeAway()
                ? there
                : away == world.settings().mayBeAway() ? out : List.of();
    }

    private void namenodeGoes() {
        List<NamenodeHost> victims = namenodesToTake();
        if (!victims.isEmpty() && world.settings().twist() == Twist.UNREADABLE_ENTRY && random.nextBoolean()) {
            count("entry cannot be read");
            one(victims).damageLog();
        } else if (!victims.isEmpty()) {
            count("namenode dies");
            NamenodeHost victim = one(victims);
            victim.crash(random.nextInt(DISK_LOST) == 0);
            startLater(LONGEST_TROUBLE, victim::up, victim::start);
        }
    }

    /**
     * From the other namenodes; from everybody, every second time. A leader goes on leading without knowing that it
     * must not.
     */
    private void namenodeCutOff() {
        List<NamenodeHost> victims = namenodesToTake();
        if (!victims.isEmpty()) {
            count("namenode cut off");
            NamenodeHost victim = one(victims);
            victim.cutOff();
            if (random.nextBoolean()) {
                world.network().isolate(victim.id());
            }
            later(LONGEST_TROUBLE, () -> cluster.heal(victim));
        }
    }

    private List<NamenodeHost> namenodesToTake() {
        List<NamenodeHost> there = cluster.namenodes().stream()
                .filter(namenode -> namenode.up() && !namenode.cut() && !namenode.damaged())
                .toList();
        int away = cluster.namenodes().size() - there.size();
        return 2 * (away + 1) < cluster.namenodes().size() ? there : List.of();
    }

    private void linkCut() {
        count("link cut");
        List<String> hosts = new ArrayList<>();
        cluster.living().keySet().forEach(number -> hosts.add("c" + number));
        cluster.datanodes().forEach(datanode -> hosts.add(datanode.host()));
        String one = one(hosts);
        String other = random.nextBoolean()
                ? one(cluster.datanodes()).host()
                : one(cluster.namenodes()).id();
        world.network().cut(one, other);
        later(LONGEST_TROUBLE / 2, () -> world.network().join(one, other));
    }

    private void storm() {
        count("storm");
        world.network().weather(new NetworkWeather(random.nextInt(20), random.nextInt(60), random.nextInt(60)));
        later(LONGEST_TROUBLE, () -> world.network().weather(new NetworkWeather(2, 5, 5)));
    }

    private void clientVanishes() {
        List<Map.Entry<Integer, SimClient>> living =
                List.copyOf(cluster.living().entrySet());
        if (living.isEmpty()) {
            return;
        }
        count("client vanishes");
        Map.Entry<Integer, SimClient> victim = one(living);
        clientVanishes(victim.getKey(), victim.getValue(), one(List.of(SimClient.Exit.values())));
    }

    /** Another begins under its number when it is gone. */
    private void clientVanishes(int number, SimClient client, SimClient.Exit exit) {
        cluster.vanish(client, exit, () -> later(LONGEST_PEACE, () -> cluster.newClient(number)));
    }

    @Override
    public void healAll() {
        healed = true;
        // One that was to meet an entry that it cannot read is started again before it does.
        cluster.namenodes().stream().filter(NamenodeHost::damaged).forEach(namenode -> namenode.crash(false));
        cluster.healAll();
    }

    private void later(long atMostNanos, Runnable run) {
        world.time().after(1 + random.nextLong(atMostNanos), () -> {
            if (!healed) {
                run.run();
            }
        });
    }

    private void count(String trouble) {
        troubles.merge(trouble, 1, Integer::sum);
    }

    private <T> T one(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
