package io.ecfs.torture.load;

import io.ecfs.torture.history.Run;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * File contents of which every eight bytes encode the writer's tag and their position in its data, mixed so that no
 * window repeats:
 *
 * <pre>
 *   word = mix( magic 8 bits | tag 32 bits | index of the word 24 bits )
 * </pre>
 *
 * A file is a sequence of beginnings of tags: bytes are read back into {@link Run}s, or have no valid tag.
 */
public final class TaggedBytes {
    private static final int WORD = 8;
    private static final long MAGIC = 0xEC;
    private static final int INDEX_BITS = 24;
    private static final long MOST_TAG = (1L << 32) - 1;

    private TaggedBytes() {}

    /** Bytes [from, to) of what a tag writes. */
    public static byte[] of(long tag, long from, long to) {
        if (tag < 0 || tag > MOST_TAG) {
            throw new IllegalArgumentException("a tag is from 0 to " + MOST_TAG + ", got " + tag);
        }
        byte[] bytes = new byte[Math.toIntExact(to - from)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = at(tag, from + i);
        }
        return bytes;
    }

    private static byte at(long tag, long position) {
        return (byte) (word(tag, position / WORD) >>> (WORD * (WORD - 1 - position % WORD)));
    }

    private static long word(long tag, long index) {
        return mix(MAGIC << 56 | tag << INDEX_BITS | index);
    }

    /** Steele, Lea and Flood's finalizer of SplitMix, a bijection. */
    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    private static long unmix(long value) {
        long z = value ^ (value >>> 31) ^ (value >>> 62);
        z *= 0x319642B2D24D8EC3L;
        z = z ^ (z >>> 27) ^ (z >>> 54);
        z *= 0x96DE1B173F119089L;
        return z ^ (z >>> 30) ^ (z >>> 60);
    }

    /** The runs of a whole file; empty when some byte belongs to no beginning of a tag. */
    public static Optional<List<Run>> runs(byte[] bytes) {
        List<Run> runs = new ArrayList<>();
        int at = 0;
        while (at < bytes.length) {
            Optional<Long> tag = beginningAt(bytes, at);
            int end = tag.isPresent() ? endOf(bytes, at, tag.get()) : nextBeginning(bytes, at);
            if (tag.isEmpty() && end - at >= WORD) {
                return Optional.empty();
            }
            // The first bytes of what follows may happen to be those that would have come here.
            int border = end == bytes.length ? end : borderBefore(bytes, at, end);
            runs.add(tag.isPresent() ? new Run(tag.get(), border - at) : Run.unnamed(border - at));
            at = border;
        }
        return Optional.of(runs);
    }

    /** First bytes without a valid tag, for messages. */
    public static String describe(byte[] bytes) {
        int at = 0;
        StringBuilder text = new StringBuilder(bytes.length + " bytes:");
        while (at < bytes.length) {
            Optional<Long> tag = beginningAt(bytes, at);
            if (tag.isEmpty()) {
                long word = at + WORD <= bytes.length ? ByteBuffer.wrap(bytes).getLong(at) : 0;
                return text.append(" at ")
                        .append(at)
                        .append(" ")
                        .append(explain(word))
                        .toString();
            }
            int end = endOf(bytes, at, tag.get());
            text.append(" ").append(tag.get()).append("×").append(end - at);
            at = end;
        }
        return text.toString();
    }

    private static String explain(long word) {
        long value = unmix(word);
        return value >>> 56 == MAGIC
                ? "word " + (value & ((1 << INDEX_BITS) - 1)) + " of tag " + ((value >>> INDEX_BITS) & MOST_TAG)
                : String.format("0x%016x without a valid tag", word);
    }

    private static Optional<Long> beginningAt(byte[] bytes, int at) {
        if (at + WORD > bytes.length) {
            return Optional.empty();
        }
        long value = unmix(ByteBuffer.wrap(bytes).getLong(at));
        boolean first = value >>> 56 == MAGIC && (value & ((1 << INDEX_BITS) - 1)) == 0;
        return first ? Optional.of((value >>> INDEX_BITS) & MOST_TAG) : Optional.empty();
    }

    private static int endOf(byte[] bytes, int from, long tag) {
        int end = from;
        while (end < bytes.length && bytes[end] == at(tag, end - from)) {
            end++;
        }
        return end;
    }

    private static int nextBeginning(byte[] bytes, int from) {
        int at = from + 1;
        while (at < bytes.length && beginningAt(bytes, at).isEmpty() && at - from < WORD) {
            at++;
        }
        return at;
    }

    private static int borderBefore(byte[] bytes, int from, int end) {
        for (int border = end; border > Math.max(from, end - WORD); border--) {
            if (beginningAt(bytes, border).isPresent()) {
                return border;
            }
        }
        return end;
    }
}
