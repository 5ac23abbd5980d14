package io.ecfs.namenode.state;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * The hashes of the state after the newest entries, to be compared with those of other namenodes. Bounded: an entry
 * takes the place of the one {@value #ENTRIES} before it. Empty at a start. Safe for use by many threads.
 */
final class HashTrail {
    /** More entries than a leader has under way between reading its hash and the entry that carries it. */
    static final int ENTRIES = 32_768;

    @GuardedBy("this")
    private final long[] indexes = new long[ENTRIES];

    @GuardedBy("this")
    private final long[] hashes = new long[ENTRIES];

    HashTrail() {
        clear();
    }

    synchronized void clear() {
        Arrays.fill(indexes, -1);
    }

    synchronized void put(long index, long hash) {
        if (index >= 0) {
            int at = (int) (index % ENTRIES);
            indexes[at] = index;
            hashes[at] = hash;
        }
    }

    /** Empty when it is not known any more, or not yet. */
    synchronized OptionalLong at(long index) {
        boolean known = index >= 0 && indexes[(int) (index % ENTRIES)] == index;
        return known ? OptionalLong.of(hashes[(int) (index % ENTRIES)]) : OptionalLong.empty();
    }
}
