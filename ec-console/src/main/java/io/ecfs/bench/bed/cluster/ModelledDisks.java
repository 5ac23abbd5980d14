package io.ecfs.bench.bed.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.bench.bed.Device;
import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.console.local.DaemonStart;
import io.ecfs.datanode.server.DatanodeConfig;
import io.ecfs.datanode.server.DatanodeDaemon;
import io.ecfs.env.Environment;
import io.ecfs.error.EcfsException;
import io.ecfs.wire.WireLoops;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Starts datanodes of one volume, each on a modelled device that stays when the datanode is started again. Safe for use
 * by several threads.
 */
final class ModelledDisks implements DaemonStart {
    private final Device device;

    @GuardedBy("this")
    private final SortedMap<String, ModelledDevice> byDatanode = new TreeMap<>();

    ModelledDisks(Device device) {
        this.device = device;
    }

    @Override
    public DatanodeDaemon start(DatanodeConfig config, WireLoops loops, GaloisKernel kernel, Environment environment)
            throws EcfsException {
        ModelledDevice modelled = of(config, environment);
        return DatanodeDaemon.start(
                config,
                loops,
                kernel,
                new Environment(
                        environment.clock(),
                        environment.randomness(),
                        new DeviceThreads(environment.threads(), environment.clock(), modelled)),
                DatanodeDaemon.Around.disks(disk -> new DeviceVolumeIo(disk, modelled)));
    }

    private synchronized ModelledDevice of(DatanodeConfig config, Environment environment) {
        return byDatanode.computeIfAbsent(
                config.id().name(),
                name -> new ModelledDevice(device, environment.clock().nanos(), new ThreadSleep(environment.clock())));
    }

    /** Disks take time from now on. */
    synchronized void on() {
        byDatanode.values().forEach(one -> one.on(true));
    }

    /** Counts of each datanode's disk. */
    synchronized Map<String, ModelledDevice.Counts> counts() {
        Map<String, ModelledDevice.Counts> counts = new TreeMap<>();
        byDatanode.forEach((name, one) -> counts.put(name, one.counts()));
        return counts;
    }
}
