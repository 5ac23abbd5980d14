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
import io.ecfs.patch.Write;
import java.util.ArrayList;
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

    /** The oldest first. */
    @GuardedBy("this")
    private final List<Held> groups = new ArrayList<>();

    @GuardedBy("this")
    private final Map<Integer, Held> byNumber = new HashMap<>();

    @GuardedBy("this")
    private long length;

    @GuardedBy("this")
    private long lastBatch;

    /** Bytes of the extents from here on were cut off. */
    @GuardedBy("this")
    private long baseEnd;

    /** A group with its number in the map, which is used again when it is dropped. */
    private static final class Held {
        private final int number;
        private final PatchSource source;

        /** Whether it cut the file: then it hides what lies behind in all before it. */
        private boolean cuts;

        Held(int number, PatchSource source) {
            this.number = number;
            this.source = source;
        }
    }

    /** @param length of the file, with holes, before its patches are applied */
    public PatchedBytes(Policy policy, long length) {
        this.policy = policy;
        this.length = length;
        this.baseEnd = length;
    }

    /** Takes a group behind all others; batches and indexes that follow are of it. */
    public synchronized void add(PatchSource source) {
        int number = 0;
        while (byNumber.containsKey(number)) {
            number++;
        }
        Held held = new Held(number, source);
        groups.add(held);
        byNumber.put(number, held);
    }

    @GuardedBy("this")
    private Held last() {
        return groups.get(groups.size() - 1);
    }

    /** Applies a batch of the last group. */
    public synchronized void apply(PatchBatch batch) {
        map.apply(last().number, batch);
        becomes(batch.number(), batch.fileLength(), batch.fileLength());
    }

    /** Applies all batches of the last group. */
    public synchronized void apply(PatchIndex index) {
        map.apply(last().number, index);
        becomes(index.lastBatch(), index.fileLength(), index.shortestLength());
    }

    @GuardedBy("this")
    private void becomes(long number, long newLength, long shortest) {
        lastBatch = number;
        if (shortest < length) {
            last().cuts = true;
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
        return PatchIndex.of(map, last().number, lastBatch, length, shortest);
    }

    /**
     * The groups that must stay, with their live bytes: those that have some; the last, which says how long the file
     * is; and those that cut it, which hide what lies behind in older ones. All others are given up.
     */
    public synchronized Map<GroupId, Long> keep() {
        boolean older = false;
        for (Held group : List.copyOf(groups)) {
            boolean stays = map.live(group.number) > 0 || group == last() || (group.cuts && older);
            if (stays) {
                older = true;
            } else {
                map.dropSource(group.number);
                groups.remove(group);
                byNumber.remove(group.number);
            }
        }
        return live();
    }

    /** The groups with their live bytes. */
    public synchronized Map<GroupId, Long> live() {
        Map<GroupId, Long> live = new HashMap<>();
        for (Held group : groups) {
            live.put(group.source.group(), map.live(group.number));
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
        return groups.stream()
                .filter(held -> held.source.group().equals(group))
                .mapToInt(held -> held.number)
                .findFirst();
    }

    /** What patches have, as extents in file order. */
    public synchronized List<Extent> extents() {
        List<Extent> extents = new ArrayList<>();
        Map<Integer, Held> known = byNumber;
        map.visit(0, length, (position, bytes, source, offset) -> {
            if (source != PatchMap.GAP) {
                extents.add(new Extent(position, bytes, known.get(source).source.group(), offset));
            }
        });
        return extents;
    }

    /** The first byte from a position on that is in a patch; not below the length when there is none. */
    public synchronized long nextPatch(long position) {
        Piece piece = map.at(Math.min(position, Write.MAX_POSITION - 1));
        return piece.gap() ? piece.end() : position;
    }

    /** Memory of the map, in bytes. */
    public synchronized long mapBytes() {
        return map.memoryBytes();
    }

    /** Returns whether a stretch is of more pieces than so many for each of its stripes. */
    public synchronized boolean isScattered(Stretch of, int piecesOfStripe) {
        long stripes = (of.bytes() + policy.stripeBytes() - 1) / policy.stripeBytes();
        return map.ranges(of.from(), of.to()) > piecesOfStripe * stripes;
    }

    /** The half of the regions of so many bytes that are of the most pieces, those of one piece left out. */
    public synchronized List<Stretch> crowded(long region) {
        Map<Stretch, Integer> pieces = new HashMap<>();
        for (long at = 0; at < length; ) {
            Stretch one = new Stretch(at, Math.min(at + region, length));
            int count = map.ranges(one.from(), one.to());
            if (count > 1) {
                pieces.put(one, count);
            }
            at = Math.max(one.to(), nextPatch(one.to()) / region * region);
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
        return groups.stream().map(group -> group.source).toList();
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
            return Optional.of(byNumber.get(piece.source())
                    .source
                    .at(piece.offset())
                    .within(piece.offset(), piece.offset() + piece.length())
                    .at(piece.position()));
        }
        return position < baseEnd
                ? Optional.empty()
                : Optional.of(Segment.hole(position, Math.min(piece.end(), length), policy));
    }

    /** How far the bytes of the extents from a position on are not covered. */
    synchronized long baseEnd(long position) {
        return Math.min(map.at(position).end(), baseEnd);
    }
}
