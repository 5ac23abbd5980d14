package io.ecfs.bench.bed.erails.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.bench.bed.cluster.ThreadSleep;
import io.ecfs.bench.bed.erails.FlashDevice;
import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.console.local.DaemonStart;
import io.ecfs.datanode.server.DatanodeConfig;
import io.ecfs.datanode.server.DatanodeDaemon;
import io.ecfs.datanode.store.ring.StagedCounts;
import io.ecfs.env.Environment;
import io.ecfs.error.EcfsException;
import io.ecfs.wire.WireLoops;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Starts datanodes whose staged volumes lie on modelled flash devices. Safe for use by several threads. */
final class FlashDisks implements DaemonStart {
    private final FlashDevice device;

    @GuardedBy("this")
    private final SplittableRandom random;

    @GuardedBy("this")
    private final List<FlashDisk> disks = new ArrayList<>();

    @GuardedBy("this")
    private final List<DatanodeDaemon> daemons = new ArrayList<>();

    FlashDisks(FlashDevice device, SplittableRandom random) {
        this.device = device;
        this.random = random;
    }

    @Override
    public DatanodeDaemon start(DatanodeConfig config, WireLoops loops, GaloisKernel kernel, Environment environment)
            throws EcfsException {
        FlashDisk disk;
        synchronized (this) {
            disk = new FlashDisk(
                    device, environment.clock()::nanos, new ThreadSleep(environment.clock()), random.split());
            disks.add(disk);
        }
        DatanodeDaemon daemon = DatanodeDaemon.start(
                config, loops, kernel, environment, DatanodeDaemon.Around.disks(io -> new FlashVolumeIo(io, disk)));
        synchronized (this) {
            daemons.add(daemon);
        }
        return daemon;
    }

    /** They take time from now on, or do not. */
    synchronized void on(boolean wanted) {
        disks.forEach(disk -> disk.on(wanted));
    }

    /** Of all devices. */
    synchronized FlashDisk.Counts counts() {
        return disks.stream().map(FlashDisk::counts).reduce(new FlashDisk.Counts(0, 0, 0, 0), FlashDisk.Counts::plus);
    }

    /** Of each volume. */
    synchronized List<StagedCounts> staged() {
        return daemons.stream()
                .flatMap(daemon -> daemon.volumes().all().stream())
                .map(served -> served.staged().orElseThrow().io().counts())
                .toList();
    }
}
