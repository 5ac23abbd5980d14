package io.ecfs.tail;

import io.ecfs.code.ChunkSet;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.chunk.TailCoverage;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Length of a group that was never sealed: a pure function of the state of its chunks.
 *
 * <pre>
 *   1  that length          a finished chunk tells a length, and chunks that determine the others have all their
 *                           bytes of it
 *   2  S stripes            otherwise the full stripes that such chunks hold
 *   3  S stripes + T bytes  and behind them, without a gap, what tail records give: one chunk a mirrored byte,
 *                           chunks that determine the others a coded one
 * </pre>
 *
 * <p>The writer finishes all chunks with one group length, which may have been acknowledged; what was acknowledged
 * earlier is in full stripes and tail records. A tail cell never counts as a full one, and counts at all only for the
 * length that it was made for.
 *
 * @param length user bytes; 0 when nothing can be recovered
 * @param fullStripeBytes user bytes that the chunks' full stripes give; behind them tail records do, when
 *     {@code fromRecords}
 * @param fromRecords whether the chunks must be given their cells of the tail before the group can end there
 * @param holders chunks that have all their bytes for this length, in index order; none for length 0
 */
public record RecoverableLength(long length, long fullStripeBytes, boolean fromRecords, List<ChunkId> holders) {
    public RecoverableLength {
        holders = List.copyOf(holders);
    }

    /** The recoverable length without tail records. */
    public static Optional<RecoverableLength> of(Policy policy, SortedMap<Integer, Optional<ChunkRecord>> answers) {
        return of(policy, answers, Map.of());
    }

    /**
     * @param answers by chunk index: the chunk's record; empty when the datanode has no such chunk
     * @param tails by chunk index: the coverage of the chunk's tail log; no entry for a chunk without a log
     * @return empty while those who answered could not determine the others
     */
    public static Optional<RecoverableLength> of(
            Policy policy, SortedMap<Integer, Optional<ChunkRecord>> answers, Map<Integer, TailCoverage> tails) {
        if (!policy.code().decodable(ChunkSet.of(answers.keySet()))) {
            return Optional.empty();
        }
        List<ChunkRecord> records = answers.values().stream()
                .flatMap(Optional::stream)
                .filter(r -> r.state() != ChunkState.CORRUPT)
                .toList();
        return Optional.of(finished(policy, records).orElseGet(() -> withTail(policy, records, tails)));
    }

    private static Optional<RecoverableLength> finished(Policy policy, List<ChunkRecord> records) {
        return records.stream()
                .filter(r -> r.state() == ChunkState.FINALISED && r.groupLength() > 0)
                .map(ChunkRecord::groupLength)
                .distinct()
                .map(length -> new RecoverableLength(length, length, false, holders(policy, length, records)))
                .filter(found -> policy.code().decodable(indexes(found.holders())))
                .max(Comparator.comparingLong(RecoverableLength::length));
    }

    private static RecoverableLength withTail(
            Policy policy, List<ChunkRecord> records, Map<Integer, TailCoverage> tails) {
        long stripes = fullStripes(policy, records);
        long base = Math.multiplyExact(stripes, policy.stripeBytes());
        SortedMap<Integer, TailCoverage> sound = new TreeMap<>();
        records.forEach(
                r -> sound.put(r.chunk().index(), tails.getOrDefault(r.chunk().index(), TailCoverage.NONE)));
        long end = tailEnd(policy, base, sound);
        // Chunks without the stripes before cannot be completed.
        if (end > base && policy.code().decodable(withAtLeast(stripes, stripesOf(policy, records)))) {
            return new RecoverableLength(end, base, true, holders(policy, end, records));
        }
        return new RecoverableLength(base, base, false, base == 0 ? List.of() : holders(policy, base, records));
    }

    private static long fullStripes(Policy policy, List<ChunkRecord> records) {
        SortedMap<Integer, Long> stripesOf = stripesOf(policy, records);
        return stripesOf.values().stream()
                .sorted(Comparator.reverseOrder())
                .filter(count -> policy.code().decodable(withAtLeast(count, stripesOf)))
                .findFirst()
                .orElse(0L);
    }

    /** End of the tail records that follow the full stripes without a gap; less than a stripe behind them. */
    private static long tailEnd(Policy policy, long base, SortedMap<Integer, TailCoverage> tails) {
        long most = Math.min(policy.groupBytes(), base + policy.stripeBytes() - 1);
        long end = base;
        for (long next = furthest(policy, end, tails); next > end; next = furthest(policy, end, tails)) {
            end = next;
        }
        return Math.min(end, most);
    }

    private static long furthest(Policy policy, long from, SortedMap<Integer, TailCoverage> tails) {
        long mirrored = tails.values().stream()
                .mapToLong(tail -> tail.mirroredUntil(from))
                .max()
                .orElse(from);
        SortedMap<Integer, Long> codedUntil = new TreeMap<>();
        tails.forEach((index, tail) -> codedUntil.put(index, tail.codedUntil(from)));
        long coded = codedUntil.values().stream()
                .sorted(Comparator.reverseOrder())
                .filter(until -> policy.code().decodable(withAtLeast(until, codedUntil)))
                .findFirst()
                .orElse(from);
        return Math.max(mirrored, coded);
    }

    static SortedMap<Integer, Long> stripesOf(Policy policy, List<ChunkRecord> records) {
        SortedMap<Integer, Long> stripesOf = new TreeMap<>();
        records.forEach(r -> stripesOf.put(
                r.chunk().index(),
                Math.min(fullStripeBytes(policy, r) / policy.cellBytes(), policy.groupBytes() / policy.stripeBytes())));
        return stripesOf;
    }

    static ChunkSet withAtLeast(long count, SortedMap<Integer, Long> counts) {
        return ChunkSet.of(counts.keySet().stream()
                .filter(index -> counts.get(index) >= count)
                .toList());
    }

    private static ChunkSet indexes(List<ChunkId> chunks) {
        return ChunkSet.of(chunks.stream().map(ChunkId::index).toList());
    }

    /** Selects the chunks that have every byte of a group of this length. */
    public static List<ChunkId> holders(Policy policy, long length, List<ChunkRecord> records) {
        GroupLayout layout = new GroupLayout(policy, length);
        return records.stream()
                .filter(r -> holds(layout, r))
                .map(ChunkRecord::chunk)
                .sorted()
                .toList();
    }

    /** Returns whether the chunk has every byte of a group of this layout. */
    public static boolean holds(GroupLayout layout, ChunkRecord record) {
        if (record.state() == ChunkState.CORRUPT) {
            return false;
        }
        if (record.state() == ChunkState.FINALISED && record.groupLength() == layout.length()) {
            return record.bytes() >= layout.chunkBytes(record.chunk().index());
        }
        if (layout.tailBytes() == 0) {
            return fullStripeBytes(layout.policy(), record) >= layout.fullStripeChunkBytes();
        }
        // A chunk still open holds a tail only where this layout puts it, whole, and as part of this very tail.
        return record.state() == ChunkState.BEING_WRITTEN
                && record.bytes() == layout.chunkBytes(record.chunk().index())
                && record.fullStripeBytes() == layout.fullStripeChunkBytes()
                && (record.groupLength() == layout.length() || record.bytes() == layout.fullStripeChunkBytes());
    }

    /** Returns whether the chunk, which no writer can change, can get its cell of this layout's tail. */
    public static boolean fillable(GroupLayout layout, ChunkRecord record) {
        return record.state() == ChunkState.BEING_WRITTEN && record.fullStripeBytes() >= layout.fullStripeChunkBytes();
    }

    /** Returns whether the chunk, which no writer can change, lacks full stripes of this layout, and can get them. */
    public static boolean behind(GroupLayout layout, ChunkRecord record) {
        return record.state() == ChunkState.BEING_WRITTEN && record.fullStripeBytes() < layout.fullStripeChunkBytes();
    }

    /** Returns whether the chunk has all full stripes of this layout. */
    public static boolean holdsStripes(GroupLayout layout, ChunkRecord record) {
        return record.state() != ChunkState.CORRUPT
                && fullStripeBytes(layout.policy(), record) >= layout.fullStripeChunkBytes();
    }

    /** End of the full stripes: a finished chunk's tail is not marked, its group length gives its begin. */
    private static long fullStripeBytes(Policy policy, ChunkRecord record) {
        return record.state() == ChunkState.FINALISED && record.groupLength() >= 0
                ? Math.min(record.bytes(), new GroupLayout(policy, record.groupLength()).fullStripeChunkBytes())
                : record.fullStripeBytes();
    }
}
