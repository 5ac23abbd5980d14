package io.ecfs.client.location;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.patch.PatchBatch;
import io.ecfs.patch.PatchIndex;
import io.ecfs.patch.PatchMap;
import io.ecfs.patch.Piece;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntPredicate;

/**
 * Which bytes of a file are in which of its patch groups, and how many of each group are live. Patches are applied in
 * the order of their batches, oldest first. Safe for use by several threads.
 */
public final class PatchedBytes {
    private final Policy policy;

    @GuardedBy("this")
    private final PatchMap map = new PatchMap();

    /** By their number in the map; empty: dropped. */
    @GuardedBy("this")
    private final List<Optional<PatchSource>> sources = new ArrayList<>();

    @GuardedBy("this")
    private long length;

    @GuardedBy("this")
    private long lastBatch;

    /** Sources with batches that cut the file: they hide what lies behind in all before them. */
    @GuardedBy("this")
    private final BitSet cuts = new BitSet();

    /** Bytes of the extents from here on were cut off. */
    @GuardedBy("this")
    private long baseEnd;

    /** @param length of the file, with holes, before its patches are applied */
    public PatchedBytes(Policy policy, long length) {
        this.policy = policy;
        this.length = length;
        this.baseEnd = length;
    }

    /** Takes a group behind all others; batches and indexes that follow are of it. */
    public synchronized void add(PatchSource source) {
        sources.add(Optional.of(source));
    }

    /** Applies a batch of the last group. */
    public synchronized void apply(PatchBatch batch) {
        map.apply(sources.size() - 1, batch);
        becomes(batch.number(), batch.fileLength(), batch.fileLength());
    }

    /** Applies all batches of the last group. */
    public synchronized void apply(PatchIndex index) {
        map.apply(sources.size() - 1, index);
        becomes(index.lastBatch(), index.fileLength(), index.shortestLength());
    }

    @GuardedBy("this")
    private void becomes(long number, long newLength, long shortest) {
        lastBatch = number;
        if (shortest < length) {
            cuts.set(sources.size() - 1);
        }
        length = newLength;
        baseEnd = Math.min(baseEnd, shortest);
    }

    /** Bytes of the extents that no truncation has cut off. */
    public synchronized long baseEnd() {
        return baseEnd;
    }

    /** Number of the last batch; 0 before the first. */
    public synchronized long lastBatch() {
        return lastBatch;
    }

    /**
     * The index of the last group, as it is now.
     *
     * @param shortest least length of the file since the group began
     */
    public synchronized PatchIndex index(long shortest) {
        return PatchIndex.of(map, sources.size() - 1, lastBatch, length, shortest);
    }

    /**
     * The groups that must stay, with their live bytes: those that have some; the last, which says how long the file
     * is; and those that cut it, which hide what lies behind in all before them. All others are given up.
     */
    public synchronized Map<GroupId, Long> keep() {
        for (int number = 0; number < sources.size(); number++) {
            if (map.live(number) == 0 && number < sources.size() - 1 && !cuts.get(number)) {
                sources.set(number, Optional.empty());
            }
        }
        return live();
    }

    /** The groups with their live bytes. */
    public synchronized Map<GroupId, Long> live() {
        Map<GroupId, Long> live = new HashMap<>();
        for (int number = 0; number < sources.size(); number++) {
            long bytes = map.live(number);
            sources.get(number).ifPresent(source -> live.put(source.group(), bytes));
        }
        return live;
    }

    /** Where the live bytes of a group are in the file. */
    public synchronized List<Stretch> stretchesOf(GroupId group) {
        List<Stretch> stretches = new ArrayList<>();
        OptionalInt number = number(group);
        if (number.isPresent()) {
            map.entriesOf(
                    number.getAsInt(),
                    (position, bytes, source, offset) -> stretches.add(new Stretch(position, position + bytes)));
        }
        return stretches;
    }

    /** The parts of a stretch whose newest bytes are in a group; none when it was given up. */
    public synchronized List<Stretch> inGroup(Stretch of, GroupId group) {
        OptionalInt wanted = number(group);
        return wanted.isPresent() ? pieces(of, source -> source == wanted.getAsInt()) : List.of();
    }

    /** The parts of a stretch that patches have. */
    public synchronized List<Stretch> covered(Stretch of) {
        return pieces(of, source -> source != PatchMap.GAP);
    }

    /** The parts of a stretch that no patch has, and no truncation has cut off. */
    public synchronized List<Stretch> uncovered(Stretch of) {
        Stretch left = new Stretch(of.from(), Math.min(of.to(), baseEnd));
        return left.bytes() > 0 ? pieces(left, source -> source == PatchMap.GAP) : List.of();
    }

    @GuardedBy("this")
    private List<Stretch> pieces(Stretch of, IntPredicate wanted) {
        List<Stretch> pieces = new ArrayList<>();
        map.visit(of.from(), of.to(), (position, length, source, offset) -> {
            if (wanted.test(source)) {
                pieces.add(new Stretch(position, position + length));
            }
        });
        return pieces;
    }

    @GuardedBy("this")
    private OptionalInt number(GroupId group) {
        for (int number = sources.size() - 1; number >= 0; number--) {
            if (sources.get(number)
                    .filter(source -> source.group().equals(group))
                    .isPresent()) {
                return OptionalInt.of(number);
            }
        }
        return OptionalInt.empty();
    }

    /** What patches have, as extents in file order. */
    public synchronized List<Extent> extents() {
        List<Extent> extents = new ArrayList<>();
        List<Optional<PatchSource>> known = sources;
        map.visit(0, length, (position, bytes, source, offset) -> {
            if (source != PatchMap.GAP) {
                extents.add(new Extent(
                        position, bytes, known.get(source).orElseThrow().group(), offset));
            }
        });
        return extents;
    }

    /** Memory of the map, in bytes. */
    public synchronized long mapBytes() {
        return map.memoryBytes();
    }

    /** The half of the regions of so many bytes that are of the most pieces, those of one piece left out. */
    public synchronized List<Stretch> crowded(long region) {
        Map<Stretch, Integer> pieces = new HashMap<>();
        for (long at = 0; at < length; at += region) {
            Stretch one = new Stretch(at, Math.min(at + region, length));
            int count = map.ranges(one.from(), one.to());
            if (count > 1) {
                pieces.put(one, count);
            }
        }
        return pieces.entrySet().stream()
                .sorted(Map.Entry.<Stretch, Integer>comparingByValue().reversed())
                .limit((pieces.size() + 1) / 2)
                .map(Map.Entry::getKey)
                .toList();
    }

    public synchronized long length() {
        return length;
    }

    /** The patch groups, the oldest first. */
    synchronized List<PatchSource> sources() {
        return sources.stream().flatMap(Optional::stream).toList();
    }

    /**
     * The segment in a patch at a position, or of a hole that a truncation left; empty: it is in the extents.
     *
     * @throws EcfsException {@code FILE_CHANGED} when the byte is gone
     */
    synchronized Optional<Segment> segment(long position) throws EcfsException {
        if (position >= length) {
            throw new EcfsException(
                    ErrorCode.FILE_CHANGED,
                    "byte " + position + " of a file is gone: it was cut to " + length
                            + " bytes while it was being read");
        }
        Piece piece = map.at(position);
        if (!piece.gap()) {
            return Optional.of(source(piece.source())
                    .at(piece.offset())
                    .within(piece.offset(), piece.offset() + piece.length())
                    .at(piece.position()));
        }
        return position < baseEnd
                ? Optional.empty()
                : Optional.of(Segment.hole(position, Math.min(piece.end(), length), policy));
    }

    @GuardedBy("this")
    private PatchSource source(int number) {
        return sources.get(number).orElseThrow();
    }

    /** How far the bytes of the extents from a position on are not covered. */
    synchronized long baseEnd(long position) {
        return Math.min(map.at(position).end(), baseEnd);
    }
}
