package io.ecfs.bench.bed.erails.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.bench.bed.Device;
import io.ecfs.bench.bed.cluster.ClusterSetting;
import io.ecfs.bench.bed.erails.CodingTimes;
import io.ecfs.bench.bed.erails.FlashDevice;
import io.ecfs.bench.bed.erails.Load;
import io.ecfs.bench.bed.erails.RingGroup;
import io.ecfs.bench.bed.erails.RingPlan;
import io.ecfs.bench.bed.erails.Windows;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Ring;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three volumes of which one writes; each read is compared with what was stored, and so is what was written. */
@Tag("soak")
@Timeout(300)
class RingClusterBedTest {
    private static final Policy POLICY = Policy.parse("rs-van-2-1-64k");
    private static final long SECOND = 1_000_000_000;

    @TempDir
    private Path directory;

    private static Load load(long seconds) {
        return new Load(128 << 10, Load.ENDLESS, Load.ENDLESS, 3, Load.Mix.DISPATCH, 4, 2, seconds * SECOND, 0);
    }

    @Test
    void aRingOfRealDaemonsReadsAndWritesThroughItsTurns() throws IOException {
        measure(Optional.empty());
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void itsVolumesMayLieOnRealDevices() throws IOException {
        List<Path> volumes = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            volumes.add(Files.createDirectory(directory.resolve(name)));
        }
        DiskDirectories real = DiskDirectories.of(volumes, Optional.empty());
        assertThat(real.devices()).hasSize(1);
        measure(Optional.of(real));
        assertThat(volumes).allSatisfy(volume -> assertThat(volume).isEmptyDirectory());
    }

    private void measure(Optional<DiskDirectories> real) throws IOException {
        FlashDevice device = new FlashDevice(new Device(0, 4 << 20), new Device(0, 2 << 20), 0.5, 0, 0, 0, 50_000_000);
        RingPlan ring = new RingPlan(
                POLICY.code(),
                List.of(0, 1, 2),
                List.of(new RingGroup(List.of(0, 1, 2))),
                new Ring(3, 1),
                Windows.FIXED,
                Duration.ofSeconds(1),
                Duration.ofMillis(250),
                device,
                load(4),
                256L << 20,
                0,
                0,
                CodingTimes.none(),
                1,
                1,
                false,
                1);
        ClusterSetting setting = new ClusterSetting(
                Optional.of(directory),
                1,
                1,
                false,
                List.of("datanode.store.reserveBytes=1m", "namenode.settings.minFreeBytes=1m"));
        RingClusterBed.Measured measured = new RingClusterBed(
                        setting, RealEnvironment.open(), (ready, of, waitingFor) -> {}, doing -> {}, real)
                .run(new RingClusterBed.Runs(POLICY, ring, ring.with(load(1).readOnly()), ring.with(load(1)), 20));
        assertThat(measured.alone().readRate()).isPositive();
        assertThat(measured.alone().writeRate()).isZero();
        assertThat(measured.ring().readRate()).isPositive();
        assertThat(measured.ring().writeRate()).as("drained in turns").isPositive();
        assertThat(measured.ring().metadata()).as("names are written, too").isPositive();
        assertThat(measured.mixed().disturbed()).as("without roles").isPositive();
    }
}
