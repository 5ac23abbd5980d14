package io.ecfs.bench.bed.erails;

import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * The streams of a {@link Load}: as many requests under way as it allows, and what became of them. Of one thread, on
 * which requests end.
 */
public final class RequestStreams {
    private static final int DIGITS = 3;

    private final LongSupplier nanos;
    private final Load load;
    private final Requests requests;
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

    private boolean ending;

    /** Serves requests; each of them tells its end to the caller's thread. */
    public interface Requests {
        /** @param done runs when an object is there */
        void read(Runnable done);

        /** @param accepted runs when an object is stored, or staged */
        void write(Runnable accepted);
    }

    /** @param nanos since the begin of the run */
    public RequestStreams(LongSupplier nanos, Load load, Requests requests) {
        this.nanos = nanos;
        this.load = load;
        this.requests = requests;
    }

    /** No request begins any more. */
    public void end() {
        ending = true;
    }

    /** True when no request is under way. */
    public boolean idle() {
        return readsDone == readsDispatched && writesDone == writesDispatched;
    }

    /** Dispatches what is allowed now. */
    public void dispatch() {
        while (mayRead()) {
            readsDispatched++;
            long begun = nanos.getAsLong();
            requests.read(() -> {
                readsDone++;
                readsEnded = nanos.getAsLong();
                ended(begun, reads, readNanos);
            });
        }
        while (mayWrite()) {
            writesDispatched++;
            long begun = nanos.getAsLong();
            requests.write(() -> {
                writesDone++;
                writesEnded = nanos.getAsLong();
                ended(begun, writes, writeNanos);
            });
        }
    }

    private void ended(long begun, RateLog log, Histogram latencies) {
        long now = nanos.getAsLong();
        if (now >= load.warmNanos()) {
            log.add(now);
            latencies.recordValue(now - begun);
        }
        dispatch();
    }

    private boolean mayRead() {
        boolean held = load.mix() == Load.Mix.COMPLETED
                && load.writes() > 0
                && readsDispatched >= load.readDepth() + load.readsPerWrite() * writesDone;
        return !ending && readsDispatched < load.reads() && readsDispatched - readsDone < load.readDepth() && !held;
    }

    private boolean mayWrite() {
        if (ending || writesDispatched >= load.writes() || writesDispatched - writesDone >= load.writeDepth()) {
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
        return readsDone == load.reads() ? readsEnded : nanos.getAsLong();
    }

    /** When the last write was accepted, or now if some are still under way. */
    long writesEnded() {
        return writesDone == load.writes() ? writesEnded : nanos.getAsLong();
    }

    public long writesDone() {
        return writesDone;
    }

    boolean writesAreOver() {
        return writesDone == load.writes();
    }

    public RateLog reads() {
        return reads;
    }

    public RateLog writes() {
        return writes;
    }

    public Histogram readNanos() {
        return readNanos;
    }

    public Histogram writeNanos() {
        return writeNanos;
    }
}
