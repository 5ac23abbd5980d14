package io.ecfs.namenode.report;

import io.ecfs.error.Invariant;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.ChunkRecord;
import io.ecfs.message.ChunkState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The chunks of one volume. Plain ones (finalised, which are nearly all) take 32 bytes each in sorted arrays; what changed since the arrays were
 * built lies in a small sorted overlay that is merged in when it grows; chunks being written and corrupt ones are kept as records
 * beside. Everything is walked in chunk order.
 */
final class VolumeChunks {
    private static final int MIN_OVERLAY = 1024;

    private long[] groups = {};
    private long[] parts = {};
    private long[] bytes = {};
    private long[] groupLengths = {};
    /** Plain chunks that came, or (empty) chunks of the arrays that left, since the arrays were built. */
    private final TreeMap<ChunkId, Optional<ChunkRecord>> overlay = new TreeMap<>();
    /** Chunks being written and corrupt ones. */
    private final TreeMap<ChunkId, ChunkRecord> notable = new TreeMap<>();

    private long count;

    VolumeChunks() {}

    /** @param records in chunk order, each chunk once */
    VolumeChunks(List<ChunkRecord> records) {
        List<ChunkRecord> plain = new ArrayList<>(records.size());
        for (ChunkRecord record : records) {
            if (plain(record)) {
                plain.add(record);
            } else {
                notable.put(record.chunk(), record);
            }
        }
        build(plain);
        count = records.size();
    }

    long count() {
        return count;
    }

    Collection<ChunkRecord> notable() {
        return Collections.unmodifiableCollection(notable.values());
    }

    Optional<ChunkRecord> find(ChunkId chunk) {
        ChunkRecord record = notable.get(chunk);
        if (record != null) {
            return Optional.of(record);
        }
        Optional<ChunkRecord> changed = overlay.get(chunk);
        if (changed != null) {
            return changed;
        }
        int at = position(chunk);
        return at >= 0 ? Optional.of(recordAt(at)) : Optional.empty();
    }

    void put(ChunkRecord record) {
        remove(record.chunk());
        if (plain(record)) {
            overlay.put(record.chunk(), Optional.of(record));
            mergeWhenLarge();
        } else {
            notable.put(record.chunk(), record);
        }
        count++;
    }

    /** @return whether it was there */
    boolean remove(ChunkId chunk) {
        if (find(chunk).isEmpty()) {
            return false;
        }
        notable.remove(chunk);
        overlay.remove(chunk);
        if (position(chunk) >= 0) {
            overlay.put(chunk, Optional.empty());
        }
        count--;
        return true;
    }

    /** At most {@code limit} records in chunk order, those after {@code after}; null: from the beginning. */
    List<ChunkRecord> after(ChunkId after, int limit) {
        TreeMap<ChunkId, Optional<ChunkRecord>> page = new TreeMap<>();
        int at = after == null ? 0 : firstAfter(after);
        // Each list alone gives the smallest `limit` entries, so together they give the smallest of the union; an entry
        // that
        // left only makes the page shorter when the arrays are read as far as the overlay hides them.
        int shown = 0;
        for (; at < groups.length && shown < limit; at++) {
            ChunkId chunk = chunkAt(at);
            if (!overlay.containsKey(chunk)) {
                page.put(chunk, Optional.of(recordAt(at)));
                shown++;
            }
        }
        var changed = after == null ? overlay : overlay.tailMap(after, false);
        changed.entrySet().stream()
                .filter(e -> e.getValue().isPresent())
                .limit(limit)
                .forEach(e -> page.put(e.getKey(), e.getValue()));
        var beside = after == null ? notable : notable.tailMap(after, false);
        beside.entrySet().stream().limit(limit).forEach(e -> page.put(e.getKey(), Optional.of(e.getValue())));
        return page.values().stream().limit(limit).map(Optional::orElseThrow).toList();
    }

    private static boolean plain(ChunkRecord record) {
        return record.state() == ChunkState.FINALISED
                && record.fullStripeBytes() == record.bytes()
                && record.groupLength() >= 0;
    }

    private void mergeWhenLarge() {
        if (overlay.size() > Math.max(MIN_OVERLAY, groups.length / 8)) {
            List<ChunkRecord> merged = new ArrayList<>(groups.length + overlay.size());
            var changes = overlay.entrySet().iterator();
            var change = changes.hasNext() ? changes.next() : null;
            for (int at = 0; at < groups.length; at++) {
                ChunkId chunk = chunkAt(at);
                while (change != null && change.getKey().compareTo(chunk) < 0) {
                    change.getValue().ifPresent(merged::add);
                    change = changes.hasNext() ? changes.next() : null;
                }
                if (change == null || !change.getKey().equals(chunk)) {
                    merged.add(recordAt(at));
                }
            }
            while (change != null) {
                change.getValue().ifPresent(merged::add);
                change = changes.hasNext() ? changes.next() : null;
            }
            overlay.clear();
            build(merged);
        }
    }

    private void build(List<ChunkRecord> sorted) {
        groups = new long[sorted.size()];
        parts = new long[sorted.size()];
        bytes = new long[sorted.size()];
        groupLengths = new long[sorted.size()];
        for (int at = 0; at < groups.length; at++) {
            ChunkRecord record = sorted.get(at);
            groups[at] = record.chunk().group().value();
            parts[at] = part(record.chunk());
            bytes[at] = record.bytes();
            groupLengths[at] = record.groupLength();
            Invariant.check(
                    at == 0
                            || groups[at - 1] < groups[at]
                            || (groups[at - 1] == groups[at] && parts[at - 1] < parts[at]),
                    "chunks of a volume out of order at %s",
                    record.chunk());
        }
    }

    /** Where the chunk lies in the arrays, or -(where it would) - 1. */
    private int position(ChunkId chunk) {
        long group = chunk.group().value();
        long part = part(chunk);
        int at = Arrays.binarySearch(groups, group);
        if (at < 0) {
            return at;
        }
        // A volume holds at most one chunk of a group, besides leftovers of other generations: step to it.
        while (at > 0 && groups[at - 1] == group) {
            at--;
        }
        while (at < groups.length && groups[at] == group && parts[at] < part) {
            at++;
        }
        return at < groups.length && groups[at] == group && parts[at] == part ? at : -at - 1;
    }

    private int firstAfter(ChunkId chunk) {
        int at = position(chunk);
        return at >= 0 ? at + 1 : -at - 1;
    }

    private ChunkRecord recordAt(int at) {
        return new ChunkRecord(chunkAt(at), ChunkState.FINALISED, bytes[at], bytes[at], groupLengths[at]);
    }

    private ChunkId chunkAt(int at) {
        return new ChunkId(new GroupId(groups[at]), (int) (parts[at] >>> 32), (int) parts[at]);
    }

    private static long part(ChunkId chunk) {
        return (long) chunk.index() << 32 | chunk.generation();
    }
}
