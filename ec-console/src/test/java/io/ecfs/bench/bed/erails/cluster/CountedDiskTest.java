package io.ecfs.bench.bed.erails.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.ring.StagedRoles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a real device is counted to do. */
class CountedDiskTest {
    private long now;
    private final CountedDisk disk = new CountedDisk(() -> now);
    private final VolumeIo io = disk.around(new MemoryVolumeIo("volume", 1L << 30, new SplittableRandom(1)));

    @BeforeEach
    void store() throws IOException {
        io.createDirectory("d");
        io.create("d/1.data");
        io.write("d/1.data", 0, ByteBuffer.allocate(10_000));
        now += StagedRoles.REST.toNanos();
    }

    @Test
    void everyChangeIsCountedWhileItIsOn() throws IOException {
        assertThat(disk.counts()).isEqualTo(DiskCounts.NONE);
        disk.on(true);
        io.write("d/1.data", 10_000, ByteBuffer.allocate(20_000));
        io.write("d/1.data", 30_000, ByteBuffer.allocate(10));
        io.create("d/1.sum");
        io.sync("d/1.data");
        now += StagedRoles.REST.toNanos();
        io.read("d/1.data", 0, ByteBuffer.allocate(9_000));
        assertThat(disk.counts()).isEqualTo(new DiskCounts(9_000, 20_000, 2L * DiskCounts.PAGE_BYTES, 0));
    }

    @Test
    void readsAreDisturbedUntilTheDeviceHasRested() throws IOException {
        disk.on(true);
        io.read("d/1.data", 0, ByteBuffer.allocate(100));
        assertThat(disk.counts().disturbed()).isZero();
        io.sync("d/1.data");
        now += StagedRoles.REST.toNanos() - 1;
        io.read("d/1.data", 0, ByteBuffer.allocate(100));
        assertThat(disk.counts().disturbed()).isEqualTo(1);
        now++;
        io.read("d/1.data", 0, ByteBuffer.allocate(100));
        assertThat(disk.counts().disturbed()).isEqualTo(1);
    }
}
