package io.ecfs.code;

import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.StringJoiner;
import java.util.stream.IntStream;

/** An immutable set of chunk indexes in {@code [0, 255)}, iterated in ascending order; equal when the members are. */
public final class ChunkSet implements Iterable<Integer> {
    /** Indexes are below this. */
    public static final int LIMIT = 255;

    /** Sets of the lowest indexes are many, and each is here once. */
    private static final int SMALL = 8;

    private static final ChunkSet[] SMALL_ONES = new ChunkSet[1 << SMALL];

    static {
        for (int word = 0; word < SMALL_ONES.length; word++) {
            SMALL_ONES[word] = new ChunkSet(new long[] {word, 0, 0, 0});
        }
    }

    private static final ChunkSet EMPTY = SMALL_ONES[0];

    private final long[] words;

    private ChunkSet(long[] words) {
        this.words = words;
    }

    public static ChunkSet empty() {
        return EMPTY;
    }

    public static ChunkSet of(int... indexes) {
        long[] words = new long[4];
        for (int index : indexes) {
            words[checked(index) >>> 6] |= 1L << index;
        }
        boolean small = (words[1] | words[2] | words[3] | words[0] >>> SMALL) == 0;
        return small ? SMALL_ONES[(int) words[0]] : new ChunkSet(words);
    }

    public static ChunkSet of(Collection<Integer> indexes) {
        return of(indexes.stream().mapToInt(Integer::intValue).toArray());
    }

    /** The indexes {@code [from, to)}. */
    public static ChunkSet range(int from, int to) {
        return of(IntStream.range(from, to).toArray());
    }

    private static int checked(int index) {
        if (index < 0 || index >= LIMIT) {
            throw new IllegalArgumentException("chunk index " + index + " is not in [0, " + LIMIT + ")");
        }
        return index;
    }

    public boolean contains(int index) {
        return index >= 0 && index < LIMIT && (words[index >>> 6] & 1L << index) != 0;
    }

    public boolean containsAll(ChunkSet other) {
        for (int i = 0; i < words.length; i++) {
            if ((other.words[i] & ~words[i]) != 0) {
                return false;
            }
        }
        return true;
    }

    public int size() {
        return Long.bitCount(words[0]) + Long.bitCount(words[1]) + Long.bitCount(words[2]) + Long.bitCount(words[3]);
    }

    public boolean isEmpty() {
        return (words[0] | words[1] | words[2] | words[3]) == 0;
    }

    public ChunkSet with(int index) {
        long[] copy = words.clone();
        copy[checked(index) >>> 6] |= 1L << index;
        return new ChunkSet(copy);
    }

    public ChunkSet without(int index) {
        long[] copy = words.clone();
        copy[checked(index) >>> 6] &= ~(1L << index);
        return new ChunkSet(copy);
    }

    public ChunkSet union(ChunkSet other) {
        long[] result = words.clone();
        for (int i = 0; i < result.length; i++) {
            result[i] |= other.words[i];
        }
        return new ChunkSet(result);
    }

    public ChunkSet intersection(ChunkSet other) {
        long[] result = words.clone();
        for (int i = 0; i < result.length; i++) {
            result[i] &= other.words[i];
        }
        return new ChunkSet(result);
    }

    public ChunkSet minus(ChunkSet other) {
        long[] result = words.clone();
        for (int i = 0; i < result.length; i++) {
            result[i] &= ~other.words[i];
        }
        return new ChunkSet(result);
    }

    /** The lowest {@code count} members, or all of them if there are fewer. */
    public ChunkSet lowest(int count) {
        return of(stream().limit(count).toArray());
    }

    /** The members in ascending order. */
    public IntStream stream() {
        return IntStream.iterate(next(0), index -> index >= 0, index -> next(index + 1));
    }

    /** The members in ascending order. */
    public int[] toArray() {
        return stream().toArray();
    }

    /** The lowest member that is {@code from} or above, or -1. */
    public int next(int from) {
        for (int index = from; index < LIMIT; ) {
            long rest = words[index >>> 6] >>> index;
            if (rest != 0) {
                return index + Long.numberOfTrailingZeros(rest);
            }
            index = (index | 63) + 1;
        }
        return -1;
    }

    @Override
    public Iterator<Integer> iterator() {
        return new Iterator<>() {
            private int at = ChunkSet.this.next(0);

            @Override
            public boolean hasNext() {
                return at >= 0;
            }

            @Override
            public Integer next() {
                if (at < 0) {
                    throw new NoSuchElementException();
                }
                int current = at;
                at = ChunkSet.this.next(current + 1);
                return current;
            }
        };
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ChunkSet that && Arrays.equals(words, that.words);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(words);
    }

    /** For example {@code {0,2,5}}. */
    @Override
    public String toString() {
        StringJoiner joiner = new StringJoiner(",", "{", "}");
        for (int index : this) {
            joiner.add(Integer.toString(index));
        }
        return joiner.toString();
    }
}
