package io.ecfs.patch;

import java.util.Arrays;

/**
 * Some hundred neighbouring entries of a {@link PatchMap}, in order of their positions: three words an entry, begin,
 * length and place. Changed only by the map that owns it; a map copies the leaves of others before it changes them.
 */
final class Leaf {
    static final int CAPACITY = 512;

    private static final int WORDS = 3;
    private static final int FIRST_CAPACITY = 8;
    private static final int OBJECT_BYTES = 48; // this object and the head of its array

    private final Object owner;
    private long[] words;
    private int count;

    private Leaf(Object owner, long[] words, int count) {
        this.owner = owner;
        this.words = words;
        this.count = count;
    }

    Leaf(Object owner) {
        this(owner, new long[WORDS * FIRST_CAPACITY], 0);
    }

    /** This leaf when it belongs to the owner, otherwise a copy that does. */
    Leaf of(Object who) {
        return owner == who ? this : new Leaf(who, words.clone(), count);
    }

    int count() {
        return count;
    }

    boolean full() {
        return count == CAPACITY;
    }

    long begin(int slot) {
        return words[WORDS * slot];
    }

    long length(int slot) {
        return words[WORDS * slot + 1];
    }

    long place(int slot) {
        return words[WORDS * slot + 2];
    }

    long end(int slot) {
        return begin(slot) + length(slot);
    }

    long first() {
        return begin(0);
    }

    long lastEnd() {
        return end(count - 1);
    }

    /** Slot of the last entry that begins at or before a position; -1 when all begin behind it. */
    int floor(long position) {
        int low = 0;
        int high = count - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (begin(middle) <= position) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    void set(int slot, long begin, long length, long place) {
        words[WORDS * slot] = begin;
        words[WORDS * slot + 1] = length;
        words[WORDS * slot + 2] = place;
    }

    void setLength(int slot, long length) {
        words[WORDS * slot + 1] = length;
    }

    /** Inserts an entry into a leaf that is not full. */
    void insert(int slot, long begin, long length, long place) {
        reserve(count + 1);
        System.arraycopy(words, WORDS * slot, words, WORDS * (slot + 1), WORDS * (count - slot));
        set(slot, begin, length, place);
        count++;
    }

    /** Removes the entries [from, to). */
    void remove(int from, int to) {
        System.arraycopy(words, WORDS * to, words, WORDS * from, WORDS * (count - to));
        count -= to - from;
    }

    /** Moves the entries from a slot on to a new leaf of the same owner. */
    Leaf splitOff(int slot) {
        Leaf right = new Leaf(owner, new long[WORDS * CAPACITY], count - slot);
        System.arraycopy(words, WORDS * slot, right.words, 0, WORDS * right.count);
        count = slot;
        return right;
    }

    /** Adds all entries of the leaf behind this one. */
    void append(Leaf next) {
        reserve(count + next.count);
        System.arraycopy(next.words, 0, words, WORDS * count, WORDS * next.count);
        count += next.count;
    }

    private void reserve(int entries) {
        if (WORDS * entries > words.length) {
            int capacity = Math.min(CAPACITY, Math.max(entries, 2 * words.length / WORDS));
            words = Arrays.copyOf(words, WORDS * capacity);
        }
    }

    long memoryBytes() {
        return OBJECT_BYTES + (long) Long.BYTES * words.length;
    }
}
