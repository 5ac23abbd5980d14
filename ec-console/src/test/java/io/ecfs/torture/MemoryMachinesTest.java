package io.ecfs.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.code.kernel.Kernels;
import io.ecfs.config.ConfigReader;
import io.ecfs.datanode.server.DatanodeConfig;
import io.ecfs.datanode.server.DatanodeDaemon;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.env.Clock;
import io.ecfs.env.Environment;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.torture.fault.Machines.Undo;
import io.ecfs.wire.WireLoops;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines whose disks outlive the datanodes on them, in this process. */
class MemoryMachinesTest {
    private static final long DISK_BYTES = 64 << 20;

    private final MemoryMachines machines = new MemoryMachines(DISK_BYTES, new SplittableRandom(1));

    @TempDir
    private Path directory;

    @Test
    void aDatanodeRefusesAnEmptyDiskInThePlaceOfItsOwn() throws IOException {
        DatanodeConfig config = ConfigReader.read(DatanodeConfig.class, "test", """
                id: dn0
                rack: /r
                home: %1$s/home
                volumes: [%1$s/volume]
                listen: 127.0.0.1:0
                namenodes: ["127.0.0.1:1"]
                """.formatted(directory), List.of());
        try (WireLoops loops = WireLoops.open("test", 1)) {
            start(config, loops).close();
            machines.restart("dn0", Loss.UNSYNCED);

            Undo mount = machines.unmount("dn0");
            assertThatThrownBy(() -> start(config, loops)).hasMessageContaining("no working volume");
            mount.run();
            start(config, loops).close();
        }
        assertThat(directory.resolve("volume")).isEmptyDirectory();
    }

    private DatanodeDaemon start(DatanodeConfig config, WireLoops loops) throws IOException {
        return machines.start(config, loops, Kernels.java(), machines.environment("dn0", RealEnvironment.open()));
    }

    @Test
    void aStepOfAClockIsOfOneDaemonAndLeavesDurationsAlone() throws IOException {
        Environment stepped = machines.environment(
                "nn0",
                new Environment(
                        new FixedClock(),
                        RealEnvironment.open().randomness(),
                        RealEnvironment.open().threads()));
        Environment other = machines.environment(
                "nn1",
                new Environment(
                        new FixedClock(),
                        RealEnvironment.open().randomness(),
                        RealEnvironment.open().threads()));

        Undo back = machines.stepClock("nn0", Duration.ofMinutes(15).negated());

        assertThat(stepped.clock().epochMillis()).isEqualTo(1_000_000_000 - 900_000);
        assertThat(stepped.clock().nanos()).isEqualTo(5);
        assertThat(other.clock().epochMillis()).isEqualTo(1_000_000_000);
        back.run();
        assertThat(stepped.clock().epochMillis()).isEqualTo(1_000_000_000);
    }

    private static final class FixedClock implements Clock {
        @Override
        public long nanos() {
            return 5;
        }

        @Override
        public long epochMillis() {
            return 1_000_000_000;
        }
    }
}
