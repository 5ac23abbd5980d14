package io.ecfs.bench.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ecfs.bench.bed.Device;
import io.ecfs.bench.bed.erails.FlashDevice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceFitTest {
    private static final int SMALL = 128 << 10;

    @TempDir
    Path directory;

    /** What one thread would measure of a device that is the model. */
    private static DeviceMeasurement measured(FlashDevice device) {
        SplittableRandom random = new SplittableRandom(5);
        List<Double> reads = new ArrayList<>();
        List<Double> writes = new ArrayList<>();
        List<Double> mixed = new ArrayList<>();
        for (int bytes : DeviceBench.REQUEST_BYTES) {
            reads.add(device.readRate(bytes, false) / bytes);
            writes.add(device.writeRate(bytes) / bytes);
            double threeReads = 3e9 * bytes / device.readRate(bytes, true);
            mixed.add(4e9 / (threeReads + 1e9 / writes.get(writes.size() - 1)));
        }
        long alone = Math.round(1e9 / reads.get(0));
        long[] beside = random.longs(20_000, 0, 1_000_000)
                .map(draw -> alone
                        + (draw < 1_000_000 * device.stallShare()
                                ? random.nextLong(device.leastStallNanos(), device.mostStallNanos())
                                : Math.round(alone * (1 / (1 - device.lostShare()) - 1))))
                .sorted()
                .toArray();
        List<Double> after = new ArrayList<>();
        for (long at = 0; at < 300_000_000; at += DeviceMeasurement.SLICE_NANOS) {
            after.add(at < device.afterNanos() ? 3.0 * alone : alone);
        }
        return new DeviceMeasurement(
                DeviceBench.REQUEST_BYTES,
                reads,
                writes,
                mixed,
                List.of(0.75, 0.75),
                1,
                new long[] {alone, alone},
                beside,
                after);
    }

    @Test
    void theModelIsFoundAgain() {
        FlashDevice device = new FlashDevice(
                new Device(20_000, 272L << 20),
                new Device(50_000, 52L << 20),
                0.4,
                0.02,
                3_000_000,
                25_000_000,
                50_000_000);
        FlashDevice fitted = DeviceFit.of(measured(device));
        assertThat(fitted.reads().overheadNanos()).isCloseTo(20_000, within(100L));
        assertThat(fitted.reads().bytesPerSecond()).isCloseTo(272L << 20, within(1L << 20));
        assertThat(fitted.writes().bytesPerSecond()).isCloseTo(52L << 20, within(1L << 20));
        assertThat(fitted.lostShare()).isCloseTo(0.4, within(0.05));
        assertThat(fitted.stallShare()).isCloseTo(0.02, within(0.003));
        assertThat(fitted.afterNanos()).isEqualTo(50_000_000);
        assertThat(fitted.interference(SMALL)).isCloseTo(device.interference(SMALL), within(0.1));
    }

    @Test
    void aDeviceWhoseReadsDoNotSufferIsFoundAgain() {
        FlashDevice fitted =
                DeviceFit.of(measured(FlashDevice.undisturbed(new Device(0, 500L << 20), new Device(0, 400L << 20))));
        assertThat(fitted.interference(SMALL)).isCloseTo(1, within(0.01));
        assertThat(fitted.stallShare()).isZero();
        assertThat(fitted.afterNanos()).isZero();
    }

    @Test
    void aFileGivesTheDeviceBack() throws Exception {
        FlashDevice device = new FlashDevice(new Device(1, 2), new Device(3, 4), 0.25, 0.5, 5, 6, 7);
        Path file = directory.resolve("device.json");
        new MeasuredMedium("/ssd0", device).write(file);
        MeasuredMedium read = MeasuredMedium.read(file);
        assertThat(read).isEqualTo(new MeasuredMedium("/ssd0", device));
        assertThat(read.device(OptionalDouble.empty(), SMALL)).isEqualTo(device);
        Files.writeString(file, "{\"name\": 1}");
        assertThatThrownBy(() -> MeasuredMedium.read(file)).hasMessageContaining("no number read_overhead_ns");
        Files.writeString(file, "nothing");
        assertThatThrownBy(() -> MeasuredMedium.read(file)).hasMessageContaining("is no file of 'ecfs bench device'");
        assertThatThrownBy(() -> MeasuredMedium.read(directory.resolve("none"))).hasMessageContaining("no such file");
    }

    @Test
    void directoriesThatCannotBeMeasuredAreRefused() {
        assertThatThrownBy(() -> new DeviceBench(directory.resolve("none"), 4 << 20, 0.1, 1).run(doing -> {}))
                .hasMessageContaining("no such directory");
        assertThatThrownBy(() -> new DeviceBench(directory, 1L << 60, 0.1, 1).run(doing -> {}))
                .hasMessageContaining("MiB free");
        assertThatThrownBy(() -> new DeviceBench(directory, 1, 0.1, 1)).hasMessageContaining("2 MiB at least");
        assertThatThrownBy(() -> new DeviceBench(directory, 4 << 20, 0, 1)).hasMessageContaining("more than 0 s");
    }

    @Test
    void memoryIsNoDevice() {
        Path memory = Path.of("/dev/shm");
        assumeTrue(Files.isDirectory(memory));
        assertThatThrownBy(() -> new DeviceBench(memory, 4 << 20, 0.1, 1).run(doing -> {}))
                .hasMessageContaining("which is memory");
    }
}
