package io.ecfs.bench.bed.erails;

import io.ecfs.sim.time.VirtualTime;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/** The streams of a {@link Load}: as many requests under way as it allows, and what became of them. */
final class RequestStreams {
    private static final int DIGITS = 3;

    private final VirtualTime time;
    private final Load load;
    private final RingClient client;
    private final RateLog reads = new RateLog();
    private final RateLog writes = new RateLog();
    private final Histogram readNanos = new Histogram(DIGITS);
    private final Histogram writeNanos = new Histogram(DIGITS);
    private long readsDispatched;
    private long readsDone;
    private long writesDispatched;
    private long writesDone;
    private long readsEnded;
    private long writesEnded;

    RequestStreams(VirtualTime time, Load load, RingClient client) {
        this.time = time;
        this.load = load;
        this.client = client;
    }

    /** Dispatches what is allowed now. */
    void dispatch() {
        while (mayRead()) {
            readsDispatched++;
            long begun = time.nanos();
            client.read(() -> {
                readsDone++;
                readsEnded = time.nanos();
                ended(begun, reads, readNanos);
            });
        }
        while (mayWrite()) {
            writesDispatched++;
            long begun = time.nanos();
            client.write(() -> {
                writesDone++;
                writesEnded = time.nanos();
                ended(begun, writes, writeNanos);
            });
        }
    }

    private void ended(long begun, RateLog log, Histogram latencies) {
        if (time.nanos() >= load.warmNanos()) {
            log.add(time.nanos());
            latencies.recordValue(time.nanos() - begun);
        }
        dispatch();
    }

    private boolean mayRead() {
        boolean held = load.mix() == Load.Mix.COMPLETED
                && load.writes() > 0
                && readsDispatched >= load.readDepth() + load.readsPerWrite() * writesDone;
        return readsDispatched < load.reads() && readsDispatched - readsDone < load.readDepth() && !held;
    }

    private boolean mayWrite() {
        if (writesDispatched >= load.writes() || writesDispatched - writesDone >= load.writeDepth()) {
            return false;
        }
        if (readsDispatched >= load.reads()) {
            return true;
        }
        return load.mix() == Load.Mix.COMPLETED
                ? (writesDispatched - load.writeDepth()) * load.readsPerWrite() < readsDone
                : (writesDispatched + 1) * load.readsPerWrite() <= readsDispatched;
    }

    /** Empty before all reads are done and all writes accepted; otherwise when the last was. */
    OptionalLong over() {
        return readsDone == load.reads() && writesDone == load.writes()
                ? OptionalLong.of(Math.max(readsEnded, writesEnded))
                : OptionalLong.empty();
    }

    /** When the last read was done, or now if some are still under way. */
    long readsEnded() {
        return readsDone == load.reads() ? readsEnded : time.nanos();
    }

    /** When the last write was accepted, or now if some are still under way. */
    long writesEnded() {
        return writesDone == load.writes() ? writesEnded : time.nanos();
    }

    long writesDone() {
        return writesDone;
    }

    boolean writesAreOver() {
        return writesDone == load.writes();
    }

    RateLog reads() {
        return reads;
    }

    RateLog writes() {
        return writes;
    }

    Histogram readNanos() {
        return readNanos;
    }

    Histogram writeNanos() {
        return writeNanos;
    }
}
