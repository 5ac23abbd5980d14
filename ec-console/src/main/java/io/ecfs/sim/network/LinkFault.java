package io.ecfs.sim.network;

import java.time.Duration;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * What is wrong with the link of one host.
 *
 * @param later than usual each message arrives
 * @param loss share of messages that are lost and sent again after the retransmission timeout, in [0, 1)
 */
public record LinkFault(Duration later, double loss) {
    public static final LinkFault NONE = new LinkFault(Duration.ZERO, 0);

    /** Least retransmission timeout of Linux; it doubles. */
    private static final long TIMEOUT = Duration.ofMillis(200).toNanos();

    private static final int MOST_DOUBLINGS = 6;

    public LinkFault {
        Objects.requireNonNull(later, "later");
        if (!(loss >= 0 && loss < 1)) {
            throw new IllegalArgumentException("loss is a share in [0, 1), got " + loss);
        }
    }

    /** How much later the next message is. */
    long nanos(SplittableRandom random) {
        long nanos = later.toNanos();
        for (int lost = 0; loss > 0 && lost < MOST_DOUBLINGS && random.nextDouble() < loss; lost++) {
            nanos += TIMEOUT << lost;
        }
        return nanos;
    }
}
