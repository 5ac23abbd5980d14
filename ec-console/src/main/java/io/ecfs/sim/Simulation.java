package io.ecfs.sim;

import io.ecfs.message.FilePath;
import io.ecfs.sim.check.Auditor;
import io.ecfs.sim.check.FinalReading;
import io.ecfs.sim.cluster.Cluster;
import io.ecfs.sim.cluster.CrashScenario;
import io.ecfs.sim.cluster.Elections;
import io.ecfs.sim.cluster.Plot;
import io.ecfs.sim.cluster.RelayScenario;
import io.ecfs.sim.cluster.RewriteScenario;
import io.ecfs.sim.cluster.RingScenario;
import io.ecfs.sim.cluster.SimClient;
import io.ecfs.sim.cluster.SimSettings;
import io.ecfs.sim.cluster.SimSettings.Twist;
import io.ecfs.sim.cluster.UpdateScenario;
import io.ecfs.sim.cluster.World;
import io.ecfs.sim.network.SimNetwork;
import io.ecfs.sim.time.EventTrace;
import io.ecfs.sim.time.SimulationFailure;
import io.ecfs.sim.time.VirtualTime;
import io.ecfs.sim.trouble.Adversary;
import io.ecfs.sim.trouble.CrashInjector;
import io.ecfs.sim.trouble.PlottedTrouble;
import io.ecfs.sim.trouble.RelayCrashes;
import io.ecfs.sim.trouble.RewriteCrashes;
import io.ecfs.sim.trouble.RingChanges;
import io.ecfs.sim.trouble.RingCrashes;
import io.ecfs.sim.trouble.Trouble;
import io.ecfs.sim.trouble.UpdateCrashes;
import io.ecfs.sim.trouble.WrongParity;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** One run of one world from its seed: troubled time, healing, quiet, final reading. It throws what it finds wrong. */
final class Simulation {
    private static final Duration STEP = Duration.ofSeconds(1);
    /** So many times as long as usual a trouble waits for its moment. */
    private static final int LONGER = 4;

    private static final Duration DRAIN = Duration.ofSeconds(30);
    /** More than the silence after which a datanode is dead; broken connections outlast the trouble. */
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(15);

    private final SimSettings settings;
    private final EventTrace trace = new EventTrace();
    private final World world;
    private final Cluster cluster;
    private final Auditor auditor;
    private final Trouble trouble;
    private final Elections elections;
    private final Optional<RingChanges> ring;

    /** Summary of a run; equal for two runs of one seed. */
    record Outcome(long seed, long traceHash, long events, long messages, long entries, int deeds, String troubles) {}

    private Simulation(SimSettings settings, Optional<Plot> plot) {
        this.settings = settings;
        SplittableRandom random = new SplittableRandom(settings.seed());
        VirtualTime time = new VirtualTime(trace);
        SimNetwork network = new SimNetwork(time, trace, random.split());
        world = new World(settings, time, trace, network, new TreeSet<>());
        cluster = new Cluster(world, random.split());
        auditor = new Auditor(world, cluster);
        elections = new Elections(world, cluster, random.split());
        ring = settings.ring()
                .map(wanted -> new RingChanges(
                        world, cluster, wanted, cluster.operator().client(), new SplittableRandom(settings.seed())));
        if (plot.isPresent()) {
            PlottedTrouble assassin = of(plot.get());
            trouble = assassin;
            network.watch(auditor::checkMessage);
            network.watchSent(assassin::see);
        } else {
            trouble = new Adversary(world, cluster, elections, random.split());
            network.watch(auditor::checkMessage);
        }
    }

    private PlottedTrouble of(Plot plot) {
        if (plot instanceof RewriteScenario rewritten) {
            return new RewriteCrashes(world, cluster, rewritten);
        }
        if (plot instanceof UpdateScenario updated) {
            return new UpdateCrashes(world, cluster, updated);
        }
        if (plot instanceof RingScenario turning) {
            return new RingCrashes(world, cluster, turning);
        }
        return plot instanceof RelayScenario relayed
                ? new RelayCrashes(world, cluster, relayed)
                : new CrashInjector(world, cluster, (CrashScenario) plot);
    }

    /**
     * There is one thread, so nothing may wait: it is interrupted all the time, which ends every wait with an error at
     * once.
     *
     * @throws SimulationFailure or whatever else a bug throws
     */
    static Outcome run(SimSettings settings) {
        return run(settings, Optional.empty());
    }

    /** @param plot what happens instead of any trouble at any time */
    static Outcome run(SimSettings settings, Optional<Plot> plot) {
        Thread.currentThread().interrupt();
        try {
            return new Simulation(settings, plot).run();
        } finally {
            Thread.interrupted();
        }
    }

    private Outcome run() {
        cluster.start();
        elections.start();
        trouble.start();
        ring.ifPresent(RingChanges::start);
        Duration longest = settings.troubled().multipliedBy(LONGER);
        Duration passed = Duration.ZERO;
        while (passed.compareTo(trouble.happened() ? settings.troubled() : longest) < 0) {
            world.time().pass(STEP, trouble::afterEach);
            auditor.checkAlways();
            passed = passed.plus(STEP);
        }
        trouble.healAll();
        ring.ifPresent(RingChanges::end);
        settle();
        readAll(cluster.lastClient(1), FilePath.ROOT.child("proof"));
        if (settings.twist() == Twist.WRONG_PARITY && !settings.operated()) {
            drainWithWrongParity();
        }
        return new Outcome(
                settings.seed(),
                trace.hash(),
                world.time().events(),
                world.network().delivered(),
                cluster.quorum().lastIndex(),
                cluster.clients().stream().mapToInt(SimClient::done).sum(),
                trouble.troubles().toString());
    }

    /** The clients end what they have begun, the cluster cleans up. */
    private void settle() {
        cluster.clients().forEach(SimClient::stop);
        List<String> reasons = List.of();
        for (Duration left = settings.quiet(); !left.isZero(); left = left.minus(STEP)) {
            world.time().pass(STEP);
            auditor.checkAlways();
            reasons = auditor.unsettled();
            if (ring.isPresent() && !ring.get().ended()) {
                continue;
            }
            boolean working = cluster.clients().stream().anyMatch(client -> !client.idle());
            if (reasons.isEmpty() && !working) {
                return;
            }
        }
        throw new SimulationFailure(
                "not settled " + settings.quiet().toSeconds() + " s after everything was healed: " + reasons);
    }

    /** Once no datanode can die any more: the chunks of a dead one are computed from parity, whatever it is. */
    private void drainWithWrongParity() {
        world.time().pass(LONGEST_SILENCE);
        settle();
        if (new WrongParity(cluster).begin(new SplittableRandom(settings.seed()))) {
            for (Duration left = DRAIN; !left.isZero(); left = left.minus(STEP)) {
                world.time().pass(STEP);
                auditor.checkAlways();
            }
            readAll(cluster.lastClient(2), FilePath.ROOT.child("proof2"));
        }
    }

    /** @param proof a path that no client has written */
    private void readAll(SimClient reader, FilePath proof) {
        FinalReading reading = new FinalReading(world, cluster.ledger(), reader.deeds());
        reading.begin(proof);
        for (Duration left = settings.quiet(); !reading.over(); left = left.minus(STEP)) {
            SimulationFailure.check(!left.isZero(), "the final reading does not come to an end");
            world.time().pass(STEP);
        }
        for (SimClient client : cluster.clients()) {
            SimulationFailure.check(
                    !client.alive() || client.client().loanedBuffers() == 0,
                    "an idle client still holds %s buffers",
                    client.client().loanedBuffers());
        }
    }
}
