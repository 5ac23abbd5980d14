package io.ecfs.client.local;

import io.ecfs.env.Clock;
import io.ecfs.message.Address;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Which datanodes may be on this machine and let their files be read. */
final class Neighbours {
    private static final Duration ASK_AGAIN_AFTER = Duration.ofMinutes(10);

    private final Clock clock;
    /** Others, and until when (nanos) nobody asks them. */
    private final Map<Address, Long> others = new ConcurrentHashMap<>();

    Neighbours(Clock clock) {
        this.clock = clock;
    }

    /** Whether it is worth asking; true of those that nothing is known of. */
    boolean possible(Address datanode) {
        Long until = others.get(datanode);
        return until == null || until - clock.nanos() <= 0;
    }

    /** It is on another machine, or shows nobody its files: it is not asked again for a while. */
    void isNone(Address datanode) {
        others.put(datanode, clock.nanos() + ASK_AGAIN_AFTER.toNanos());
    }
}
