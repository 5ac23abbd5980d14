package io.ecfs.datanode.store.ring;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Staged bytes of one file, without overlaps: the newest win. Guarded by the lock of its {@link Overlay}. */
final class Extents {
    private final NavigableMap<Long, Extent> all = new TreeMap<>();
    private long bytes;
    private int unwritten;

    /** Adds bytes over those that are there. */
    void put(Extent extent) {
        clear(extent.offset(), extent.end());
        add(extent);
    }

    /** Removes what is behind {@code length}. */
    void cut(long length) {
        clear(length, Long.MAX_VALUE);
    }

    /** The parts of them in [from, to), in order. */
    List<Extent> in(long from, long to) {
        List<Extent> found = new ArrayList<>();
        Map.Entry<Long, Extent> before = all.lowerEntry(from);
        if (before != null && before.getValue().end() > from) {
            found.add(before.getValue().part(from, to));
        }
        all.subMap(from, to).values().forEach(extent -> found.add(extent.part(from, to)));
        return found;
    }

    /** The first that the device has not, in order, of at most so many bytes in all; one at least. */
    List<Extent> unwritten(int most) {
        List<Extent> found = new ArrayList<>();
        long sum = 0;
        if (unwritten == 0) {
            return found;
        }
        for (Extent extent : all.values()) {
            if (!extent.written()) {
                sum += extent.bytes();
                if (!found.isEmpty() && sum > most) {
                    break;
                }
                found.add(extent);
            }
        }
        return found;
    }

    /** The device has these. */
    void written(List<Extent> some) {
        for (Extent extent : some) {
            if (all.replace(extent.offset(), extent, extent.as(true))) {
                unwritten--;
            }
        }
    }

    /** Of none it is known that the device has them. */
    void rewrite() {
        all.replaceAll((offset, extent) -> extent.as(false));
        unwritten = all.size();
    }

    boolean allWritten() {
        return unwritten == 0;
    }

    int count() {
        return all.size();
    }

    long bytes() {
        return bytes;
    }

    private void clear(long from, long to) {
        Map.Entry<Long, Extent> before = all.lowerEntry(from);
        if (before != null && before.getValue().end() > from) {
            Extent extent = remove(before.getKey());
            add(extent.part(extent.offset(), from));
            if (extent.end() > to) {
                add(extent.part(to, extent.end()));
            }
        }
        for (Map.Entry<Long, Extent> next = all.ceilingEntry(from);
                next != null && next.getKey() < to;
                next = all.ceilingEntry(from)) {
            Extent extent = remove(next.getKey());
            if (extent.end() > to) {
                add(extent.part(to, extent.end()));
                break;
            }
        }
    }

    private void add(Extent extent) {
        all.put(extent.offset(), extent);
        bytes += extent.bytes();
        unwritten += extent.written() ? 0 : 1;
    }

    private Extent remove(long offset) {
        Extent extent = all.remove(offset);
        bytes -= extent.bytes();
        unwritten -= extent.written() ? 0 : 1;
        return extent;
    }
}
