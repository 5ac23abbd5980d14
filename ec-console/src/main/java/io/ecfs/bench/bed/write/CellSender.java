package io.ecfs.bench.bed.write;

import io.ecfs.bench.bed.hardware.Machine;
import io.ecfs.bench.bed.hardware.Topology;
import java.util.ArrayDeque;
import java.util.Queue;

/** A thread that sends the cells of one stripe in the order in which they are given to it. */
final class CellSender {
    private final Topology network;
    private final StripeTimes times;
    private final Machine source;
    private final Queue<Cell> waiting = new ArrayDeque<>();
    private boolean busy;

    private record Cell(Machine slave, Runnable arrived) {}

    CellSender(Topology network, StripeTimes times, Machine source) {
        this.network = network;
        this.times = times;
        this.source = source;
    }

    /** @param arrived runs when the cell's last byte is there */
    void send(Machine slave, Runnable arrived) {
        waiting.add(new Cell(slave, arrived));
        next();
    }

    private void next() {
        if (busy || waiting.isEmpty()) {
            return;
        }
        busy = true;
        Cell cell = waiting.remove();
        source.cpu().use(times.sending(), () -> {
            busy = false;
            network.send(source.address(), cell.slave.address(), times.cellWire(), cell.arrived);
            next();
        });
    }
}
