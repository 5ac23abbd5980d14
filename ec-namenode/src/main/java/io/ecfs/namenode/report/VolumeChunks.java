package io.ecfs.namenode.report;

import io.ecfs.layout.ChunkId;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The chunks of one volume. Plain ones (finalised, which are nearly all) are packed; chunks being written and corrupt
 * ones are separate records. All iteration is in chunk order.
 */
final class VolumeChunks {
    private final PackedChunks plain = new PackedChunks();
    /** Chunks being written and corrupt ones. */
    private final TreeMap<ChunkId, ChunkRecord> notable = new TreeMap<>();

    long count() {
        return plain.count() + notable.size();
    }

    Collection<ChunkRecord> notable() {
        return Collections.unmodifiableCollection(notable.values());
    }

    Optional<ChunkRecord> find(ChunkId chunk) {
        ChunkRecord record = notable.get(chunk);
        return record != null ? Optional.of(record) : plain.find(chunk);
    }

    void put(ChunkRecord record) {
        if (plain(record)) {
            notable.remove(record.chunk());
            plain.put(record);
        } else {
            plain.remove(record.chunk());
            notable.put(record.chunk(), record);
        }
    }

    /** @return whether it was there */
    boolean remove(ChunkId chunk) {
        return notable.remove(chunk) != null || plain.remove(chunk);
    }

    /** At most {@code limit} records in chunk order, those after {@code after}; null: from the beginning. */
    List<ChunkRecord> after(ChunkId after, int limit) {
        List<ChunkRecord> page = new ArrayList<>();
        if (limit > 0) {
            plain.walk(after, record -> {
                page.add(record);
                return page.size() < limit;
            });
        }
        // Each provides its first ones, so together they have the first of the union.
        NavigableMap<ChunkId, ChunkRecord> beside = after == null ? notable : notable.tailMap(after, false);
        return Stream.concat(page.stream(), beside.values().stream().limit(limit))
                .sorted(Comparator.comparing(ChunkRecord::chunk))
                .limit(limit)
                .toList();
    }

    private static boolean plain(ChunkRecord record) {
        return record.state() == ChunkState.FINALISED
                && record.fullStripeBytes() == record.bytes()
                && record.groupLength() >= 0;
    }
}
