package io.ecfs.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.buffer.LosesBuffers;
import io.ecfs.config.ConfigReader;
import io.ecfs.fault.profile.FaultProfile;
import io.ecfs.sim.script.SimulatedOutcome;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

@LosesBuffers
class SimulatedExperimentTest {
    private static final String QUICK = """
            cluster: {shape: sim, datanodes: 7, racks: 7, set: [namenode.settings.recovery.grace=5s]}
            policies: [rs-3-2-4k]
            workload: {files: 6, bytes: 30k}
            """;

    @Test
    void kill() throws IOException {
        long t = System.nanoTime();
        FaultProfile profile = ConfigReader.read(FaultProfile.class, "test", QUICK + "faults: [{fault: kill}]", List.of());
        SimulatedOutcome outcome = SimulatedExperiment.run(profile, profile.policies().get(0), 1);
        System.out.println(outcome);
        System.out.println((System.nanoTime() - t) / 1000000);
    }
}
