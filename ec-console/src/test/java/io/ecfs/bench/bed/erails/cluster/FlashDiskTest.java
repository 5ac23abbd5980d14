package io.ecfs.bench.bed.erails.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.bench.bed.Device;
import io.ecfs.bench.bed.erails.FlashDevice;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Times of a modelled flash device that real callers wait for. */
class FlashDiskTest {
    private static final long MIB = 1 << 20;
    private static final long SECOND = 1_000_000_000;
    private static final FlashDevice DEVICE = FlashDevice.undisturbed(new Device(0, 64 * MIB), new Device(0, 16 * MIB));

    private long waitedUntil;
    private final FlashDisk disk = disk(DEVICE);

    private FlashDisk disk(FlashDevice device) {
        FlashDisk made = new FlashDisk(device, () -> 0, until -> waitedUntil = until, new SplittableRandom(1));
        made.on(true);
        return made;
    }

    @Test
    void oneRequestIsServedAfterTheOther() throws IOException {
        disk.read(32 * MIB);
        assertThat(waitedUntil).isEqualTo(SECOND / 2);
        disk.write(8 * MIB);
        assertThat(waitedUntil).isEqualTo(SECOND);
        disk.read(32 * MIB);
        assertThat(waitedUntil).isEqualTo(3 * SECOND / 2);
        assertThat(disk.counts()).isEqualTo(new DiskCounts(64 * MIB, 8 * MIB, 0, 0));
    }

    @Test
    void readsSufferBesideWrites() throws IOException {
        FlashDisk suffering = disk(new FlashDevice(DEVICE.reads(), DEVICE.writes(), 0.75, 0, 0, 0, SECOND));
        suffering.read(32 * MIB);
        assertThat(waitedUntil).isEqualTo(SECOND / 2);
        suffering.write(8 * MIB);
        suffering.read(32 * MIB);
        assertThat(waitedUntil).as("a quarter of the rate").isEqualTo(3 * SECOND);
        suffering.read(32 * MIB);
        assertThat(waitedUntil).as("soon after").isEqualTo(7 * SECOND / 2);
        assertThat(suffering.counts().disturbed()).isEqualTo(1);
    }

    @Test
    void everyChangeIsWrittenAndBytesOfChunksAreRead() throws IOException {
        FlashVolumeIo io = new FlashVolumeIo(new MemoryVolumeIo("volume", 1L << 30, new SplittableRandom(1)), disk);
        io.createDirectory("d");
        io.create("d/1.data");
        io.write("d/1.data", 0, ByteBuffer.allocate(10_000));
        io.write("d/1.data", 10_000, ByteBuffer.allocate(10));
        io.truncate("d/1.data", 9_000);
        io.create("d/1.sum");
        io.rename("d/1.sum", "d/2.sum");
        io.delete("d/2.sum");
        io.sync("d/1.data");
        io.syncDirectory("d");
        io.read("d/1.data", 0, ByteBuffer.allocate(9_000));
        assertThat(disk.counts()).isEqualTo(new DiskCounts(9_000, 10_000, 7L * DiskCounts.PAGE_BYTES, 0));
    }

    @Test
    void itTakesNoTimeBeforeItIsOn() throws IOException {
        disk.on(false);
        disk.write(MIB);
        disk.read(MIB);
        assertThat(waitedUntil).isZero();
        assertThat(disk.counts()).isEqualTo(DiskCounts.NONE);
    }
}
