package io.ecfs.bench.bed.hardware;

import io.ecfs.sim.time.VirtualTime;
import java.util.ArrayDeque;
import java.util.Queue;

/** Servers of one kind behind one queue, first come, first served: the cores of a processor, or a disk. */
public final class Station {
    private final VirtualTime time;
    private final int servers;
    private final Queue<Task> waiting = new ArrayDeque<>();
    private int busy;
    private long busyNanos;

    /** @param servers that work at the same time, at least one */
    public Station(VirtualTime time, int servers) {
        if (servers < 1) {
            throw new IllegalArgumentException("a station has a server at least, got " + servers);
        }
        this.time = time;
        this.servers = servers;
    }

    private record Task(long nanos, Runnable done) {}

    /** @param done runs when a server has worked for so long */
    public void use(long nanos, Runnable done) {
        waiting.add(new Task(nanos, done));
        serve();
    }

    private void serve() {
        while (busy < servers && !waiting.isEmpty()) {
            Task task = waiting.remove();
            busy++;
            busyNanos += task.nanos;
            time.after(task.nanos, () -> {
                busy--;
                task.done.run();
                serve();
            });
        }
    }

    /** Work of all servers so far, that which has begun counted whole. */
    public long busyNanos() {
        return busyNanos;
    }

    public int servers() {
        return servers;
    }

    /** Tasks that no server works on yet. */
    public int waiting() {
        return waiting.size();
    }
}
