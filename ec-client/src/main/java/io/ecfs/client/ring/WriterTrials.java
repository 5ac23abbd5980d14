package io.ecfs.client.ring;

import io.ecfs.message.VolumeId;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Counts the reads that go around volumes which should write, and decides which of them try such a volume beside the
 * read. Safe for use by several threads.
 */
final class WriterTrials {
    /** Least time between two trials of a volume. */
    static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(500);

    /** Of so many reads that go around a volume one tries it: what trials add to its load is bounded by that. */
    static final int READS = 32;

    /**
     * Reads that went around a volume.
     *
     * @param reads since the last trial
     * @param tried time of it, or of the first read
     */
    private record Avoided(int reads, long tried) {
        Avoided next(long now) {
            return reads >= READS && now - tried >= PAUSE ? new Avoided(0, now) : new Avoided(reads + 1, tried);
        }
    }

    private final Map<VolumeId, Avoided> avoided = new ConcurrentHashMap<>();

    /** Counts a read that goes around the volume, and returns whether it is to try the volume. */
    boolean take(VolumeId volume, long now) {
        return avoided.merge(volume, new Avoided(1, now), (before, first) -> before.next(now))
                        .reads()
                == 0;
    }

    /** Forgets all other volumes. */
    void retain(Set<VolumeId> volumes) {
        avoided.keySet().retainAll(volumes);
    }
}
