package io.ecfs.torture;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.console.local.DaemonStart;
import io.ecfs.datanode.server.DatanodeConfig;
import io.ecfs.datanode.server.DatanodeDaemon;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.memory.DiskFaults;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.env.Clock;
import io.ecfs.env.Environment;
import io.ecfs.error.EcfsException;
import io.ecfs.torture.fault.Machines.Undo;
import io.ecfs.wire.WireLoops;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Machines that outlive the daemons on them, all in this process: each datanode has one disk in memory, each daemon a
 * wall clock of its own, each datanode and client its links to others. Safe for several threads.
 */
final class MemoryMachines implements DaemonStart {
    private final SplittableRandom random;
    private final long diskBytes;
    private final Links links = new Links();

    @GuardedBy("this")
    private final Map<String, Disk> disks = new TreeMap<>();

    @GuardedBy("this")
    private final Map<String, AtomicLong> clockSteps = new TreeMap<>();

    /** A disk with the faults that it has at present, and whether another one is found in its place. */
    private static final class Disk {
        private final MemoryVolumeIo io;
        private final List<DiskFaults> faults = new CopyOnWriteArrayList<>();
        private boolean unmounted;

        Disk(MemoryVolumeIo io) {
            this.io = io;
            io.faults((operation, path, number) -> {
                for (DiskFaults fault : faults) {
                    fault.before(operation, path, number);
                }
            });
        }
    }

    /** @param random how writes are torn and lost */
    MemoryMachines(long diskBytes, SplittableRandom random) {
        this.diskBytes = diskBytes;
        this.random = random;
    }

    Links links() {
        return links;
    }

    @Override
    public Environment environment(String daemon, Environment real) {
        AtomicLong step = clockStep(daemon);
        return new Environment(
                new Clock() {
                    @Override
                    public long nanos() {
                        return real.clock().nanos();
                    }

                    @Override
                    public long epochMillis() {
                        return real.clock().epochMillis() + step.get();
                    }
                },
                real.randomness(),
                real.threads());
    }

    @Override
    public DatanodeDaemon start(DatanodeConfig config, WireLoops loops, GaloisKernel kernel, Environment environment)
            throws EcfsException {
        String id = config.id().name();
        return DatanodeDaemon.start(
                config,
                loops,
                kernel,
                environment,
                new DatanodeDaemon.Around(directory -> inPlaceOf(directory, id), caller -> links.over(id, caller)));
    }

    private synchronized VolumeIo inPlaceOf(VolumeIo directory, String datanode) {
        directory.close();
        Disk disk = disk(datanode);
        return disk.unmounted ? empty(datanode) : disk.io;
    }

    private MemoryVolumeIo empty(String datanode) {
        return new MemoryVolumeIo(datanode + "'s disk", diskBytes, random.split());
    }

    private synchronized Disk disk(String datanode) {
        return disks.computeIfAbsent(datanode, id -> new Disk(empty(id)));
    }

    private synchronized AtomicLong clockStep(String daemon) {
        return clockSteps.computeIfAbsent(daemon, id -> new AtomicLong());
    }

    /** No change reaches the disk from here on, until {@link #restart}. */
    void switchOff(String datanode) {
        disk(datanode).io.crashAtMutation(0);
    }

    /** The disk is there for the next daemon. */
    void restart(String datanode, MemoryVolumeIo.Loss loss) {
        disk(datanode).io.restart(loss);
    }

    List<String> files(String datanode) {
        return disk(datanode).io.files();
    }

    void flipBit(String datanode, String file) {
        disk(datanode).io.flipAnyBit(file);
    }

    void failSector(String datanode, String file) {
        disk(datanode).io.failAnySector(file);
    }

    Undo faults(String datanode, DiskFaults rule) {
        List<DiskFaults> faults = disk(datanode).faults;
        faults.add(rule);
        return () -> faults.remove(rule);
    }

    Undo unmount(String datanode) {
        unmounted(datanode, true);
        return () -> unmounted(datanode, false);
    }

    private synchronized void unmounted(String datanode, boolean unmounted) {
        disk(datanode).unmounted = unmounted;
    }

    Undo stepClock(String daemon, Duration by) {
        AtomicLong step = clockStep(daemon);
        step.addAndGet(by.toMillis());
        return () -> step.addAndGet(-by.toMillis());
    }
}
