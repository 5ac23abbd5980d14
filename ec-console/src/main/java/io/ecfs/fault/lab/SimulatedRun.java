package io.ecfs.fault.lab;

import io.ecfs.error.EcfsException;
import io.ecfs.fault.profile.FaultProfile;
import io.ecfs.layout.Policy;
import io.ecfs.sim.SimulatedExperiment;
import io.ecfs.sim.script.SimulatedOutcome;
import io.netty.util.ResourceLeakDetector;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** Runs a profile in the simulation, and tells its outcome as that of a real cluster. */
final class SimulatedRun {
    private SimulatedRun() {}

    static ExperimentResult run(FaultProfile profile, Policy policy, int repetition) throws EcfsException {
        ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
        // Simulated processes that are killed never release their buffers, as real ones do not.
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        try {
            return result(profile, SimulatedExperiment.run(profile, policy, repetition));
        } finally {
            ResourceLeakDetector.setLevel(level);
        }
    }

    private static ExperimentResult result(FaultProfile profile, SimulatedOutcome outcome) {
        List<InjectedFault> faults = outcome.faults().stream()
                .map(fault -> new InjectedFault(
                        fault.kind(),
                        fault.victims(),
                        fault.injectedMillis(),
                        fault.undoneMillis(),
                        new TreeMap<>(),
                        outcome.leastSpare().orElse(0)))
                .toList();
        SimulatedOutcome.Load load = outcome.load();
        return new ExperimentResult(
                outcome.policy(),
                outcome.repetition(),
                Map.of(),
                Map.of(),
                faults,
                outcome.phases(),
                profile.workload().totalBytes(),
                0,
                sum(outcome, SimulatedOutcome.Fault::bytesRepaired),
                sum(outcome, SimulatedOutcome.Fault::bytesRead),
                sum(outcome, SimulatedOutcome.Fault::chunksRepaired),
                0,
                outcome.groupsLostSeen(),
                0,
                0,
                0,
                new ClientCounts(load.read(), 0, load.written(), load.failed(), List.of()),
                List.of(),
                Map.of(),
                List.of());
    }

    private static long sum(SimulatedOutcome outcome, ToLongFunction<SimulatedOutcome.Fault> of) {
        return outcome.faults().stream().mapToLong(of).sum();
    }
}
