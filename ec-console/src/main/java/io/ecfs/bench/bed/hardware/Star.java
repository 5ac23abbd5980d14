package io.ecfs.bench.bed.hardware;

import java.util.List;

/** All machines at one switch that never blocks: only their own NICs are shared, each direction by itself. */
public final class Star extends Topology {
    /** @param latencyNanos of one way */
    public Star(Agenda time, long latencyNanos, int machines) {
        super(time, latencyNanos, machines);
    }

    @Override
    List<Link> between(int from, int to) {
        return List.of();
    }
}
