package io.ecfs.bench.koh.run;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.console.local.DaemonStart;
import io.ecfs.datanode.server.DatanodeConfig;
import io.ecfs.datanode.server.DatanodeDaemon;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.env.Environment;
import io.ecfs.error.EcfsException;
import io.ecfs.wire.WireLoops;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Starts datanodes whose volumes are counted. Safe for use by several threads. */
final class CountedVolumes implements DaemonStart {
    private final Optional<Path> traces;
    private final long begin = System.nanoTime();

    @GuardedBy("this")
    private final List<VolumeCounter> counters = new ArrayList<>();

    /** @param traces directory of a file for each volume; empty: none */
    CountedVolumes(Optional<Path> traces) {
        this.traces = traces;
    }

    @Override
    public DatanodeDaemon start(DatanodeConfig config, WireLoops loops, GaloisKernel kernel, Environment environment)
            throws EcfsException {
        String datanode = config.id().name();
        return DatanodeDaemon.start(
                config, loops, kernel, environment, DatanodeDaemon.Around.disks(disk -> counted(datanode, disk)));
    }

    private synchronized VolumeIo counted(String datanode, VolumeIo disk) {
        int number = counters.size();
        VolumeCounter counter = new VolumeCounter(
                traces.map(directory -> new VolumeTrace(directory.resolve(datanode + "-" + number + ".trace"), begin)));
        counters.add(counter);
        return new CountingVolumeIo(disk, counter);
    }

    /** Of all volumes. */
    synchronized VolumeTraffic now() {
        VolumeTraffic sum = new VolumeTraffic(0, 0, 0, 0, 0);
        for (VolumeCounter counter : counters) {
            VolumeTraffic one = counter.now();
            sum = new VolumeTraffic(
                    sum.reads() + one.reads(),
                    sum.readBytes() + one.readBytes(),
                    sum.writes() + one.writes(),
                    sum.writtenBytes() + one.writtenBytes(),
                    sum.syncs() + one.syncs());
        }
        return sum;
    }

    /** Nanoseconds since the begin of the traces. */
    long elapsed() {
        return System.nanoTime() - begin;
    }
}
