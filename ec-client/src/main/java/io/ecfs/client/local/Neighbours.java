package io.ecfs.client.local;

import io.ecfs.env.Clock;
import io.ecfs.message.Address;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Datanodes that may be on this machine and offer local reads. */
final class Neighbours {
    private static final Duration ASK_AGAIN_AFTER = Duration.ofMinutes(10);

    private final Clock clock;
    /** Other datanodes, and the time (nanos) until which they are not asked. */
    private final Map<Address, Long> others = new ConcurrentHashMap<>();

    Neighbours(Clock clock) {
        this.clock = clock;
    }

    /** Returns whether the datanode may offer local reads; true for unknown ones. */
    boolean possible(Address datanode) {
        Long until = others.get(datanode);
        return until == null || until - clock.nanos() <= 0;
    }

    /** Notes that it is on another machine, or offers no local reads: it is not asked again for a while. */
    void isNone(Address datanode) {
        others.put(datanode, clock.nanos() + ASK_AGAIN_AFTER.toNanos());
    }
}
