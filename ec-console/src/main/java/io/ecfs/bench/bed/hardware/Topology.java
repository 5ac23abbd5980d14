package io.ecfs.bench.bed.hardware;

import java.util.ArrayList;
import java.util.List;

/**
 * Links that machines share, all of one rate. Messages are cut through: their first bytes go on while the last ones are
 * still to come, so that one message alone takes its time on one link and the latencies of all. Switches have room for
 * what waits: flow control is the senders' windows.
 */
public abstract class Topology {
    private final Agenda time;
    private final long hopNanos;
    private final List<Link> out = new ArrayList<>();
    private final List<Link> in = new ArrayList<>();

    /** @param hopNanos latency from one link to the next */
    Topology(Agenda time, long hopNanos, int machines) {
        this.time = time;
        this.hopNanos = hopNanos;
        for (int i = 0; i < machines; i++) {
            out.add(new Link());
            in.add(new Link());
        }
    }

    /** Links between the NICs of two machines, in order. */
    abstract List<Link> between(int from, int to);

    /**
     * Sends a message.
     *
     * @param nanos that its bytes take on a link
     * @param arrived runs when its last byte is there
     */
    public void send(int from, int to, long nanos, Runnable arrived) {
        List<Link> path = new ArrayList<>();
        path.add(out.get(from));
        path.addAll(between(from, to));
        path.add(in.get(to));
        pass(path, 0, nanos, arrived);
    }

    private void pass(List<Link> path, int hop, long nanos, Runnable arrived) {
        long begin = path.get(hop).take(time.nanos(), nanos);
        if (hop == path.size() - 1) {
            time.at(begin + nanos, arrived);
        } else {
            time.at(begin + hopNanos, () -> pass(path, hop + 1, nanos, arrived));
        }
    }

    /** Nanoseconds of a message of no bytes, such as an acknowledgement. */
    public long latencyNanos(int from, int to) {
        return (between(from, to).size() + 1) * hopNanos;
    }
}
