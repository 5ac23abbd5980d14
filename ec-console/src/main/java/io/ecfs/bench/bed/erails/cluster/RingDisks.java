package io.ecfs.bench.bed.erails.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.bench.bed.cluster.ThreadSleep;
import io.ecfs.bench.bed.erails.FlashDevice;
import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.console.local.DaemonStart;
import io.ecfs.datanode.server.DatanodeConfig;
import io.ecfs.datanode.server.DatanodeDaemon;
import io.ecfs.datanode.store.ring.StagedCounts;
import io.ecfs.env.Clock;
import io.ecfs.env.Environment;
import io.ecfs.error.EcfsException;
import io.ecfs.wire.WireLoops;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;

/** Starts datanodes of one staged volume, each on a device of the bed. Safe for use by several threads. */
final class RingDisks implements DaemonStart {
    private final Function<Clock, RingDisk> device;

    @GuardedBy("this")
    private final List<RingDisk> disks = new ArrayList<>();

    @GuardedBy("this")
    private final List<DatanodeDaemon> daemons = new ArrayList<>();

    private RingDisks(Function<Clock, RingDisk> device) {
        this.device = device;
    }

    /** Devices that are a model, of one kind. */
    static RingDisks modelled(FlashDevice device, SplittableRandom random) {
        return new RingDisks(clock -> new FlashDisk(device, clock::nanos, new ThreadSleep(clock), random.split()));
    }

    /** Those that the volumes' directories lie on. */
    static RingDisks real() {
        return new RingDisks(clock -> new CountedDisk(clock::nanos));
    }

    @Override
    public DatanodeDaemon start(DatanodeConfig config, WireLoops loops, GaloisKernel kernel, Environment environment)
            throws EcfsException {
        RingDisk disk = added(environment.clock());
        DatanodeDaemon daemon =
                DatanodeDaemon.start(config, loops, kernel, environment, DatanodeDaemon.Around.disks(disk::around));
        synchronized (this) {
            daemons.add(daemon);
        }
        return daemon;
    }

    private synchronized RingDisk added(Clock clock) {
        RingDisk disk = device.apply(clock);
        disks.add(disk);
        return disk;
    }

    /** They count and take a model's time from now on, or do not. */
    synchronized void on(boolean wanted) {
        disks.forEach(disk -> disk.on(wanted));
    }

    /** Of all devices. */
    synchronized DiskCounts counts() {
        return disks.stream().map(RingDisk::counts).reduce(DiskCounts.NONE, DiskCounts::plus);
    }

    /** Of each volume. */
    synchronized List<StagedCounts> staged() {
        return daemons.stream()
                .flatMap(daemon -> daemon.volumes().all().stream())
                .map(served -> served.staged().orElseThrow().io().counts())
                .toList();
    }
}
