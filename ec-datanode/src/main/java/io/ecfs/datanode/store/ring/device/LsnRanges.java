package io.ecfs.datanode.store.ring.device;

import java.util.Collection;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** A set of lsns of a journal, as ranges that neither overlap nor touch. Not thread-safe. */
public final class LsnRanges {
    private final NavigableMap<Long, Long> lastByFirst = new TreeMap<>();

    public static LsnRanges of(Collection<Long> lsns) {
        LsnRanges ranges = new LsnRanges();
        lsns.forEach(lsn -> ranges.add(lsn, lsn));
        return ranges;
    }

    /** Adds all from {@code first} to {@code last}; none when that is less. */
    public void add(long first, long last) {
        if (last < first) {
            return;
        }
        long from = first;
        long to = last;
        for (Map.Entry<Long, Long> there = lastByFirst.floorEntry(to + 1);
                there != null && there.getValue() >= from - 1;
                there = lastByFirst.floorEntry(to + 1)) {
            from = Math.min(from, there.getKey());
            to = Math.max(to, there.getValue());
            lastByFirst.remove(there.getKey());
        }
        lastByFirst.put(from, to);
    }

    public boolean contains(long lsn) {
        Map.Entry<Long, Long> there = lastByFirst.floorEntry(lsn);
        return there != null && lsn <= there.getValue();
    }

    public boolean isEmpty() {
        return lastByFirst.isEmpty();
    }

    /** The last lsn of each range by its first. */
    NavigableMap<Long, Long> lastByFirst() {
        return lastByFirst;
    }
}
