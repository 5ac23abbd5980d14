package io.ecfs.bench.bed.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.bench.bed.Device;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.env.Clock;
import io.ecfs.env.ManualTime;
import io.ecfs.env.Workers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Times of the modelled device by a clock that passes when the device sleeps. Overhead of 1 us, a byte takes 1 ns. */
class ModelledDeviceTest {
    private final ManualTime threads = new ManualTime(1);
    private final PassingTime time = new PassingTime();
    private final ModelledDevice device =
            new ModelledDevice(new Device(1_000, 1_000_000_000), 0, until -> time.now = Math.max(time.now, until));
    private final VolumeIo io = new DeviceVolumeIo(new MemoryVolumeIo("disk", 1 << 20, new Random(1)), device);
    private final Workers volume = new DeviceThreads(threads, time, device).workers("volume-1", 1, 10);
    private final List<Long> over = new ArrayList<>();

    private static final class PassingTime implements Clock {
        private long now;

        @Override
        public long nanos() {
            return now;
        }

        @Override
        public long epochMillis() {
            return 0;
        }
    }

    private void runAll() {
        threads.advance(Duration.ofNanos(1));
    }

    @BeforeEach
    void store() throws IOException {
        io.createDirectory("finalised");
        for (String file : List.of("finalised/a.data", "finalised/a.sum")) {
            io.create(file);
            io.write(file, 0, ByteBuffer.allocate(10_000));
        }
        assertThat(time.nanos()).as("nothing takes time before it is on").isZero();
        device.on(true);
    }

    private void visit(int... bytes) {
        assertThat(volume.submit(() -> {
                    for (int count : bytes) {
                        io.read("finalised/a.data", 0, ByteBuffer.allocate(count));
                    }
                    return over.add(time.nanos());
                }))
                .isNotDone();
    }

    @Test
    void aVisitTakesTheOverheadOnceAndEachReadItsBytes() {
        visit(500, 300);
        runAll();
        assertThat(over).containsExactly(1_800L);
        assertThat(device.counts()).isEqualTo(new ModelledDevice.Counts(1, 800, 1_800));
    }

    @Test
    void visitsThatComeTogetherAreServedOneAfterTheOther() {
        visit(500);
        visit(500);
        runAll();
        assertThat(over).containsExactly(1_500L, 3_000L);
    }

    @Test
    void anIdleDeviceBeginsWhenAVisitComes() {
        visit(500);
        runAll();
        time.now = 10_000;
        visit(500);
        runAll();
        assertThat(over).containsExactly(1_500L, 11_500L);
    }

    @Test
    void aThreadThatWakesLateDoesNotDelayWhatWaitsAlready() {
        ModelledDevice sleepy = new ModelledDevice(new Device(1_000, 1_000_000_000), 0, until -> {
            if (until > time.now) {
                time.now = until + 400;
            }
        });
        sleepy.on(true);
        Workers late = new DeviceThreads(threads, time, sleepy).workers("volume-2", 1, 10);
        for (int i = 0; i < 3; i++) {
            late.submit(() -> {
                sleepy.read(0);
                return over.add(time.nanos());
            });
        }
        runAll();
        assertThat(over).containsExactly(1_400L, 2_400L, 3_400L);
    }

    @Test
    void whatTheVolumesThreadTakesUpItselfHadWaited() {
        volume.submit(() -> {
            io.read("finalised/a.data", 0, ByteBuffer.allocate(500));
            time.now += 300; // it wakes late, and only then turns to the next one
            return volume.submit(() -> {
                io.read("finalised/a.data", 0, ByteBuffer.allocate(500));
                return over.add(time.nanos());
            });
        });
        runAll();
        assertThat(over).containsExactly(3_000L);
    }

    @Test
    void writesTakeTimeAndWhatIsNotOfAChunkDoesNot() throws IOException {
        device.visit(0);
        io.read("finalised/a.sum", 0, ByteBuffer.allocate(700));
        io.write("finalised/a.sum", 0, ByteBuffer.allocate(700));
        assertThat(time.nanos()).isZero();
        io.write("finalised/a.data", 0, ByteBuffer.allocate(700));
        assertThat(time.nanos()).isEqualTo(1_700);
        assertThat(device.counts()).isEqualTo(new ModelledDevice.Counts(1, 0, 1_700));
    }

    @Test
    void severalThreadsCannotShareADevice() {
        assertThatThrownBy(() -> new DeviceThreads(threads, time, device).workers("volume-1", 4, 10))
                .hasMessageContaining("datanode.store.threads=1");
        new DeviceThreads(threads, time, device).workers("repair", 4, 10).close();
    }
}
