package io.ecfs.namenode.server;

import io.ecfs.code.ChunkSet;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.message.ChunkRecord;
import io.ecfs.message.ChunkState;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How long a group is whose writer has gone: a pure function of what its fenced chunks hold.
 *
 * <p>The writer finishes all chunks with one group length. When a finished chunk tells that length and chunks that determine all
 * others have all their bytes of it, that is the length: the writer may have been told that it is safe. Otherwise the group ends
 * with the last full stripe that such chunks hold; a tail cell never counts as a full one.
 *
 * @param length user bytes, always readable from the holders; 0 when nothing can be kept
 * @param holders chunks that have all their bytes for this length, in index order; none for length 0
 */
record RecoveredLength(long length, List<ChunkId> holders) {
    RecoveredLength {
        holders = List.copyOf(holders);
    }

    /**
     * @param answers by chunk index: what the chunk holds now that no writer can change it; empty when the datanode has no such chunk
     * @return empty while those who answered could not determine the others
     */
    static Optional<RecoveredLength> of(Policy policy, SortedMap<Integer, Optional<ChunkRecord>> answers) {
        if (!policy.code().decodable(ChunkSet.of(answers.keySet()))) {
            return Optional.empty();
        }
        List<ChunkRecord> held = answers.values().stream()
                .flatMap(Optional::stream)
                .filter(r -> r.state() != ChunkState.CORRUPT)
                .toList();
        return Optional.of(finished(policy, held).orElseGet(() -> fullStripes(policy, held)));
    }

    private static Optional<RecoveredLength> finished(Policy policy, List<ChunkRecord> held) {
        return held.stream()
                .filter(r -> r.state() == ChunkState.FINALISED && r.groupLength() > 0)
                .map(ChunkRecord::groupLength)
                .distinct()
                .map(length -> new RecoveredLength(length, holders(policy, length, held)))
                .filter(found -> policy.code().decodable(indexes(found.holders())))
                .max(Comparator.comparingLong(RecoveredLength::length));
    }

    private static RecoveredLength fullStripes(Policy policy, List<ChunkRecord> held) {
        SortedMap<Integer, Long> stripesOf = new TreeMap<>();
        held.forEach(r -> stripesOf.put(
                r.chunk().index(),
                Math.min(fullStripeBytes(policy, r) / policy.cellBytes(), policy.groupBytes() / policy.stripeBytes())));
        long stripes = stripesOf.values().stream()
                .sorted(Comparator.reverseOrder())
                .filter(count -> policy.code().decodable(withAtLeast(count, stripesOf)))
                .findFirst()
                .orElse(0L);
        long length = Math.multiplyExact(stripes, policy.stripeBytes());
        return new RecoveredLength(length, length == 0 ? List.of() : holders(policy, length, held));
    }

    private static ChunkSet withAtLeast(long stripes, SortedMap<Integer, Long> stripesOf) {
        return ChunkSet.of(stripesOf.keySet().stream()
                .filter(index -> stripesOf.get(index) >= stripes)
                .toList());
    }

    private static ChunkSet indexes(List<ChunkId> chunks) {
        return ChunkSet.of(chunks.stream().map(ChunkId::index).toList());
    }

    private static List<ChunkId> holders(Policy policy, long length, List<ChunkRecord> held) {
        GroupLayout layout = new GroupLayout(policy, length);
        return held.stream()
                .filter(r -> holds(layout, r))
                .map(ChunkRecord::chunk)
                .sorted()
                .toList();
    }

    /** True when the chunk has every byte of a group of this layout. */
    static boolean holds(GroupLayout layout, ChunkRecord record) {
        if (record.state() == ChunkState.CORRUPT) {
            return false;
        }
        if (record.state() == ChunkState.FINALISED && record.groupLength() == layout.length()) {
            return record.bytes() >= layout.chunkBytes(record.chunk().index());
        }
        if (layout.tailBytes() == 0) {
            return fullStripeBytes(layout.policy(), record) >= layout.fullStripeChunkBytes();
        }
        // A chunk still open holds a tail only where this layout puts it, and whole.
        return record.state() == ChunkState.BEING_WRITTEN
                && record.bytes() == layout.chunkBytes(record.chunk().index())
                && record.fullStripeBytes() == layout.fullStripeChunkBytes();
    }

    /** Where full stripes end: a finished chunk's tail is not marked, its group length tells where it begins. */
    private static long fullStripeBytes(Policy policy, ChunkRecord record) {
        return record.state() == ChunkState.FINALISED && record.groupLength() >= 0
                ? Math.min(record.bytes(), new GroupLayout(policy, record.groupLength()).fullStripeChunkBytes())
                : record.fullStripeBytes();
    }
}
