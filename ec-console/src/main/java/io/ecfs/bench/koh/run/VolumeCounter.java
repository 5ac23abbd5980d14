package io.ecfs.bench.koh.run;

import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** Calls of one volume, each also a line of its trace if it has one. Safe for use by several threads. */
final class VolumeCounter implements AutoCloseable {
    private final LongAdder reads = new LongAdder();
    private final LongAdder readBytes = new LongAdder();
    private final LongAdder writes = new LongAdder();
    private final LongAdder writtenBytes = new LongAdder();
    private final LongAdder syncs = new LongAdder();
    private final Optional<VolumeTrace> trace;

    VolumeCounter(Optional<VolumeTrace> trace) {
        this.trace = trace;
    }

    void read(String file, long offset, int bytes) {
        reads.increment();
        readBytes.add(bytes);
        trace.ifPresent(lines -> lines.add("read", file, offset, bytes));
    }

    void written(String file, long offset, int bytes) {
        writes.increment();
        writtenBytes.add(bytes);
        trace.ifPresent(lines -> lines.add("write", file, offset, bytes));
    }

    void synced(String file) {
        syncs.increment();
        trace.ifPresent(lines -> lines.add("sync", file, 0, 0));
    }

    VolumeTraffic now() {
        return new VolumeTraffic(reads.sum(), readBytes.sum(), writes.sum(), writtenBytes.sum(), syncs.sum());
    }

    @Override
    public void close() {
        trace.ifPresent(VolumeTrace::close);
    }
}
