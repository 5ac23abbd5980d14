package io.ecfs.sim;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.fault.profile.FaultKind;
import io.ecfs.fault.profile.FaultProfile;
import io.ecfs.layout.Policy;
import io.ecfs.sim.check.Auditor;
import io.ecfs.sim.cluster.Cluster;
import io.ecfs.sim.cluster.Elections;
import io.ecfs.sim.cluster.SimSettings;
import io.ecfs.sim.cluster.World;
import io.ecfs.sim.network.SimNetwork;
import io.ecfs.sim.script.PlacementFacts;
import io.ecfs.sim.script.Script;
import io.ecfs.sim.script.ScriptedLoad;
import io.ecfs.sim.script.ScriptedSettings;
import io.ecfs.sim.script.SimulatedOutcome;
import io.ecfs.sim.time.EventTrace;
import io.ecfs.sim.time.SimulationFailure;
import io.ecfs.sim.time.VirtualTime;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * A fault experiment in virtual time: real namenodes, datanodes and clients in one thread, on disks in memory. Files
 * are written, faults come as the profile says, all is healed, and every byte is read back. Messages and calls to disks
 * take about a millisecond whatever their length: NOTICE, GRACE and CHECKING are those of real daemons, and RECOVERY
 * tells how many rounds it took, not how long it takes on real disks.
 */
public final class SimulatedExperiment {
    private static final Duration STEP = Duration.ofSeconds(1);
    /** More than any part of an experiment takes that does not end by itself. */
    private static final Duration PATIENCE = Duration.ofHours(2);

    private static final Duration MOST_FAULTY = Duration.ofDays(2);

    private final FaultProfile profile;
    private final Policy policy;
    private final int repetition;
    private final EventTrace trace = new EventTrace();
    private final World world;
    private final Cluster cluster;
    private final Elections elections;
    private final Auditor auditor;
    private final PlacementFacts facts;
    private final ScriptedLoad load;
    private final Script script;

    private SimulatedExperiment(FaultProfile profile, Policy policy, int repetition) throws EcfsException {
        this.profile = profile;
        this.policy = policy;
        this.repetition = repetition;
        ScriptedSettings settings =
                ScriptedSettings.of(profile, policy, Runtime.getRuntime().maxMemory());
        SplittableRandom random = new SplittableRandom(profile.seed());
        for (int before = 1; before < repetition; before++) {
            random = random.split();
        }
        VirtualTime time = new VirtualTime(trace);
        time.shareClock();
        SimNetwork network = new SimNetwork(time, trace, random.split());
        SimSettings sizes = SimSettings.scripted(
                profile.seed(), profile.cluster().namenodes(), profile.cluster().datanodes(), policy);
        world = new World(sizes, time, trace, network, new TreeSet<>());
        cluster = new Cluster(world, settings.cluster(), random.split());
        elections = new Elections(world, cluster, random.split());
        auditor = new Auditor(world, cluster);
        network.watch(auditor::checkMessage);
        facts = new PlacementFacts(cluster);
        load = new ScriptedLoad(
                world, profile.workload(), policy, settings.clients(), cluster.addresses(), random.split());
        script = new Script(world, cluster, profile, facts, settings.clients(), random.split());
    }

    /**
     * Runs the experiment once. Nothing may wait, so this thread is interrupted all the time.
     *
     * @param policy one of the profile's
     * @param repetition from 1; each has chances of its own
     * @throws EcfsException {@code INVALID_ARGUMENT} in one line when the profile cannot be followed in a simulation,
     *     or no victims are within its budget
     * @throws SimulationFailure when the cluster does not keep what it promises
     */
    public static SimulatedOutcome run(FaultProfile profile, Policy policy, int repetition) throws EcfsException {
        SimulatedExperiment experiment = new SimulatedExperiment(profile, policy, repetition);
        Thread.currentThread().interrupt();
        try {
            return experiment.run();
        } finally {
            Thread.interrupted();
        }
    }

    private SimulatedOutcome run() throws EcfsException {
        cluster.start();
        elections.start();
        pass(facts::complete, PATIENCE, "not all datanodes registered");
        await(load.writeAll(), "the files are not written");
        pass(facts::whole, PATIENCE, "not all groups are whole after the load");
        script.start();
        load.begin();
        pass(script::done, MOST_FAULTY, "not all faults were injected and undone");
        load.stop();
        pass(load::idle, PATIENCE, "the clients do not come to an end");
        script.healAll();
        long healed = world.time().nanos();
        pass(() -> script.whole(healed + STEP.toNanos()), PATIENCE, "the cluster is not whole");
        await(load.readAll(), "the files are not read back");
        return outcome();
    }

    private void await(CompletableFuture<Void> work, String otherwise) throws EcfsException {
        pass(work::isDone, PATIENCE, otherwise);
    }

    private void pass(BooleanSupplier until, Duration most, String otherwise) throws EcfsException {
        boolean audited =
                profile.faults().stream().noneMatch(step -> step.fault().target() == FaultKind.Target.CHUNK);
        for (Duration left = most; !until.getAsBoolean(); left = left.minus(STEP)) {
            if (left.isZero()) {
                throw new SimulationFailure(otherwise + " in " + most);
            }
            world.time().pass(STEP, script::afterEach);
            if (audited) {
                auditor.checkAlways();
            }
            if (script.refusal().isPresent()) {
                throw new EcfsException(
                        ErrorCode.INVALID_ARGUMENT, script.refusal().get().getMessage());
            }
        }
    }

    private SimulatedOutcome outcome() {
        return new SimulatedOutcome(
                policy,
                repetition,
                script.outcomes(),
                script.phases(),
                load.outcome(),
                script.groupsLostExpected(),
                script.groupsLostSeen(),
                script.leastSpare(),
                trace.hash(),
                world.time().events(),
                Duration.ofNanos(world.time().nanos()).toMillis());
    }
}
