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
 * How long a group is that nobody has sealed: a pure function of what its chunks hold.
 *
 * <pre>
 *   1  that length          a finished chunk tells a length, and chunks that determine the others have all their
 *                           bytes of it
 *   2  S stripes            otherwise the full stripes that such chunks hold
 *   3  S stripes + T bytes  and behind them, without a gap, what tail records give: one chunk a mirrored byte,
 *                           chunks that determine the others a coded one
 * </pre>
 *
 * <p>The writer finishes all chunks with one group length and was perhaps told that it is safe; what it was told before
 * that is in full stripes and tail records. A tail cell never counts as a full one, and counts at all only for the
 * length that it was made for.
 *
 * @param length user bytes; 0 when nothing can be kept
 * @param fullStripeBytes user bytes that the chunks' full stripes give; behind them tail records do, when
 *     {@code fromRecords}
 * @param fromRecords whether the chunks must be given their cells of the tail before the group can end there
 * @param holders chunks that have all their bytes for this length, in index order; none for length 0
 */
public record RecoverableLength(long length, long fullStripeBytes, boolean fromRecords, List<ChunkId> holders) {
    public RecoverableLength {
        holders = List.copyOf(holders);
    }

    /** Without tail records. */
    public static Optional<RecoverableLength> of(Policy policy, SortedMap<Integer, Optional<ChunkRecord>> answers) {
        return of(policy, answers, Map.of());
    }

    /**
     * @param answers by chunk index: what the chunk holds; empty when the datanode has no such chunk
     * @param tails by chunk index: what the chunk's tail log covers; none where it has none
     * @return empty while those who answered could not determine the others
     */
    public static Optional<RecoverableLength> of(
            Policy policy, SortedMap<Integer, Optional<ChunkRecord>> answers, Map<Integer, TailCoverage> tails) {
        if (!policy.code().decodable(ChunkSet.of(answers.keySet()))) {
            return Optional.empty();
        }
        List<ChunkRecord> held = answers.values().stream()
                .flatMap(Optional::stream)
                .filter(r -> r.state() != ChunkState.CORRUPT)
                .toList();
        return Optional.of(finished(policy, held).orElseGet(() -> withTail(policy, held, tails)));
    }

    private static Optional<RecoverableLength> finished(Policy policy, List<ChunkRecord> held) {
        return held.stream()
                .filter(r -> r.state() == ChunkState.FINALISED && r.groupLength() > 0)
                .map(ChunkRecord::groupLength)
                .distinct()
                .map(length -> new RecoverableLength(length, length, false, holders(policy, length, held)))
                .filter(found -> policy.code().decodable(indexes(found.holders())))
                .max(Comparator.comparingLong(RecoverableLength::length));
    }

    private static RecoverableLength withTail(Policy policy, List<ChunkRecord> held, Map<Integer, TailCoverage> tails) {
        long stripes = fullStripes(policy, held);
        long base = Math.multiplyExact(stripes, policy.stripeBytes());
        SortedMap<Integer, TailCoverage> sound = new TreeMap<>();
        held.forEach(
                r -> sound.put(r.chunk().index(), tails.getOrDefault(r.chunk().index(), TailCoverage.NONE)));
        long end = tailEnd(policy, base, sound);
        // Chunks without the stripes before cannot be completed.
        if (end > base && policy.code().decodable(withAtLeast(stripes, stripesOf(policy, held)))) {
            return new RecoverableLength(end, base, true, holders(policy, end, held));
        }
        return new RecoverableLength(base, base, false, base == 0 ? List.of() : holders(policy, base, held));
    }

    private static long fullStripes(Policy policy, List<ChunkRecord> held) {
        SortedMap<Integer, Long> stripesOf = stripesOf(policy, held);
        return stripesOf.values().stream()
                .sorted(Comparator.reverseOrder())
                .filter(count -> policy.code().decodable(withAtLeast(count, stripesOf)))
                .findFirst()
                .orElse(0L);
    }

    /** How far tail records go on without a gap from the end of the full stripes; less than a stripe. */
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

    static SortedMap<Integer, Long> stripesOf(Policy policy, List<ChunkRecord> held) {
        SortedMap<Integer, Long> stripesOf = new TreeMap<>();
        held.forEach(r -> stripesOf.put(
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

    /** Of these chunks, those that have every byte of a group of this length. */
    public static List<ChunkId> holders(Policy policy, long length, List<ChunkRecord> held) {
        GroupLayout layout = new GroupLayout(policy, length);
        return held.stream()
                .filter(r -> holds(layout, r))
                .map(ChunkRecord::chunk)
                .sorted()
                .toList();
    }

    /** True when the chunk has every byte of a group of this layout. */
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

    /** Whether the chunk, in which no writer can change anything, can be given its cell of this layout's tail. */
    public static boolean fillable(GroupLayout layout, ChunkRecord record) {
        return record.state() == ChunkState.BEING_WRITTEN && record.fullStripeBytes() >= layout.fullStripeChunkBytes();
    }

    /**
     * Whether the chunk, in which no writer can change anything, lacks full stripes of this layout, and can be given
     * them.
     */
    public static boolean behind(GroupLayout layout, ChunkRecord record) {
        return record.state() == ChunkState.BEING_WRITTEN && record.fullStripeBytes() < layout.fullStripeChunkBytes();
    }

    /** Whether the chunk has all full stripes of this layout. */
    public static boolean holdsStripes(GroupLayout layout, ChunkRecord record) {
        return record.state() != ChunkState.CORRUPT
                && fullStripeBytes(layout.policy(), record) >= layout.fullStripeChunkBytes();
    }

    /** Where full stripes end: a finished chunk's tail is not marked, its group length tells where it begins. */
    private static long fullStripeBytes(Policy policy, ChunkRecord record) {
        return record.state() == ChunkState.FINALISED && record.groupLength() >= 0
                ? Math.min(record.bytes(), new GroupLayout(policy, record.groupLength()).fullStripeChunkBytes())
                : record.fullStripeBytes();
    }
}
