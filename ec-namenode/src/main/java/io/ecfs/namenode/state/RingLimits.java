package io.ecfs.namenode.state;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Ring;
import io.ecfs.message.ring.RingClock;
import io.ecfs.namenode.cluster.RingFacts;
import io.ecfs.namenode.cluster.Rings;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.util.Comparator;
import java.util.List;

/** Bounds of the shape, the writers and the period of a ring. A refusal has the nearest value that is accepted. */
final class RingLimits {
    static final long SHORTEST_PERIOD_MILLIS = 4 * RingClock.GUARD_MILLIS;
    private static final long LONGEST_PERIOD_MILLIS = 3_600_000;

    private RingLimits() {}

    /** @throws EcfsException when there is no such ring */
    static Ring shape(int colours, int writers) throws EcfsException {
        if (colours < 2 || colours > Ring.MOST_COLOURS) {
            throw RingRules.refused("a ring has 2 to " + Ring.MOST_COLOURS + " colours, not " + colours
                    + ": nearest is " + (colours < 2 ? 2 : Ring.MOST_COLOURS));
        }
        if (writers < 1 || writers >= colours) {
            throw RingRules.refused("of " + colours + " colours 1 to " + (colours - 1) + " write at a time, not "
                    + writers + ": nearest is " + (writers < 1 ? 1 : colours - 1));
        }
        return new Ring(colours, writers);
    }

    static void checkPeriod(long millis) throws EcfsException {
        if (millis < SHORTEST_PERIOD_MILLIS || millis > LONGEST_PERIOD_MILLIS) {
            throw RingRules.refused("a ring turns every " + SHORTEST_PERIOD_MILLIS + " ms (four times the guard of "
                    + RingClock.GUARD_MILLIS + " ms) to " + LONGEST_PERIOD_MILLIS + " ms, not every " + millis
                    + " ms: nearest is "
                    + (millis < SHORTEST_PERIOD_MILLIS ? SHORTEST_PERIOD_MILLIS : LONGEST_PERIOD_MILLIS) + " ms");
        }
    }

    /** @throws EcfsException when groups or policies of directories tolerate fewer writers */
    static void checkWriters(View view, RingFacts ring, int writers) throws EcfsException {
        int most = mostWriters(view, ring);
        if (writers <= most) {
            return;
        }
        List<Long> byMost = Rings.groups(view, ring);
        long fewer = byMost.stream().limit(writers).mapToLong(Long::longValue).sum();
        throw RingRules.refused("with " + writers + " of " + ring.shape().colours() + " colours writing "
                + (fewer > 0
                        ? fewer + " groups of ring " + ring.name() + " could not be read without a volume that writes"
                        : "groups under " + tightest(view, ring)
                                + ", the policy of directories that name ring " + ring.name()
                                + ", could not be read without a volume that writes")
                + ": nearest is " + most);
    }

    private static String tightest(View view, RingFacts ring) {
        return Rings.directories(view, ring.ring()).keySet().stream()
                .filter(policy -> !policy.isEmpty())
                .min(Comparator.comparingInt(policy -> mostWriters(policy, ring)))
                .orElse("");
    }

    private static int mostWriters(String policy, RingFacts ring) {
        return Ring.mostWriters(Policy.parse(policy).code(), ring.shape().colours());
    }

    /**
     * The most writers that all groups of a ring tolerate, and all to come in directories that name it. Groups that
     * tolerate fewer than there are, since there was no other volume for a lost chunk, do not make them fewer:
     * balancing moves such groups. Until then they do not become more.
     */
    static int mostWriters(View view, RingFacts ring) {
        int most = mostWritersOfDirectories(view, ring);
        List<Long> byMost = Rings.groups(view, ring);
        for (int tolerated = 0; tolerated < byMost.size(); tolerated++) {
            if (byMost.get(tolerated) > 0) {
                most = Math.min(most, Math.max(tolerated, ring.shape().writers()));
                break;
            }
        }
        return most;
    }

    /** The most writers that all policies tolerate which directories that name a ring set themselves. */
    static int mostWritersOfDirectories(View view, RingFacts ring) {
        return Rings.directories(view, ring.ring()).keySet().stream()
                .filter(policy -> !policy.isEmpty())
                .mapToInt(policy -> mostWriters(policy, ring))
                .reduce(ring.shape().colours() - 1, Math::min);
    }
}
