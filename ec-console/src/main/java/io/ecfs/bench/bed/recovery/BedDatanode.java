package io.ecfs.bench.bed.recovery;

import io.ecfs.bench.bed.hardware.Station;
import io.ecfs.bench.bed.hardware.Topology;
import io.ecfs.sim.time.VirtualTime;

/**
 * Hardware of one datanode: its disk serves one read or write after the other, in the order in which they come, its
 * cores work on one slice each, its link passes messages one after the other in each direction. As slices are small,
 * what is rebuilt at the same time gets about equal shares of each.
 */
final class BedDatanode {
    private final int address;
    private final DatanodeHardware hardware;
    private final Topology network;
    private final Station disk;
    private final Station cpu;
    private long sentBytes;
    private long receivedBytes;
    private long writtenBytes;

    /** @param address in the network */
    BedDatanode(VirtualTime time, int address, DatanodeHardware hardware, Topology network) {
        this.address = address;
        this.hardware = hardware;
        this.network = network;
        this.disk = new Station(time, 1);
        this.cpu = new Station(time, hardware.cores());
    }

    /** Requests that wait for the disk. */
    int queued() {
        return disk.waiting();
    }

    /** Reads for a slice and sends it. */
    void send(BedDatanode to, SourceReads reads, Runnable arrived) {
        Runnable sending = () -> {
            sentBytes += reads.bytes();
            to.receivedBytes += reads.bytes();
            network.send(address, to.address, hardware.sendNanos(reads.bytes()), arrived);
        };
        if (hardware.warm()) {
            sending.run();
        } else {
            disk.use(hardware.readNanos(reads), sending);
        }
    }

    void compute(double seconds, Runnable done) {
        cpu.use(Math.round(seconds * 1e9), done);
    }

    /** Behind what was written before: bytes that the page cache has go to the disk as it can take them. */
    void write(long bytes, Runnable done) {
        writtenBytes += bytes;
        disk.use(hardware.disk().readNanos(bytes), done);
    }

    /** Reads a finished chunk back, and syncs it. */
    void readBack(long bytes, Runnable done) {
        disk.use(2 * hardware.disk().overheadNanos() + hardware.disk().readNanos(bytes), done);
    }

    long diskNanos() {
        return disk.busyNanos();
    }

    long cpuNanos() {
        return cpu.busyNanos();
    }

    /** Of the busier direction. */
    long linkNanos() {
        return hardware.sendNanos(Math.max(sentBytes, receivedBytes));
    }

    long writtenBytes() {
        return writtenBytes;
    }
}
