package io.ecfs.bench.bed.hardware;

import io.ecfs.bench.bed.Device;
import io.ecfs.sim.time.VirtualTime;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * A machine at an address of a network, with the cores and the disk of one process. Stored bytes are acknowledged from
 * memory while little waits for the disk, as by a page cache.
 */
public final class Machine {
    /** Bytes that may wait for the disk; more are admitted as it catches up. A single write is shorter. */
    private static final long MOST_DIRTY_BYTES = 256L << 20;

    private final int address;
    private final Station cpu;
    private final Station disk;
    private final Device device;
    private final Queue<Write> waiting = new ArrayDeque<>();
    private long dirtyBytes;

    private record Write(long bytes, Runnable done) {}

    /** @param address in its {@link Topology} */
    public Machine(VirtualTime time, int address, int cores, Device device) {
        this.address = address;
        this.cpu = new Station(time, cores);
        this.disk = new Station(time, 1);
        this.device = device;
    }

    public int address() {
        return address;
    }

    public Station cpu() {
        return cpu;
    }

    /** @param done runs when the bytes may be acknowledged */
    public void store(long bytes, Runnable done) {
        waiting.add(new Write(bytes, done));
        admit();
    }

    private void admit() {
        while (!waiting.isEmpty() && dirtyBytes + waiting.peek().bytes <= MOST_DIRTY_BYTES) {
            Write write = waiting.remove();
            dirtyBytes += write.bytes;
            disk.use(device.overheadNanos() + device.readNanos(write.bytes), () -> {
                dirtyBytes -= write.bytes;
                admit();
            });
            write.done.run();
        }
    }
}
