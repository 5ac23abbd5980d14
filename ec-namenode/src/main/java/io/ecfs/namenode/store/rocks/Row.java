package io.ecfs.namenode.store.rocks;

import io.ecfs.namenode.store.KeyValueStore.Table;
import java.util.Arrays;

/** Table and key of a row, as the key of a cache; the bytes are not to be changed. */
record Row(Table table, byte[] key) {
    private static final int FNV_BASIS = 0x811C9DC5;
    private static final int FNV_PRIME = 0x01000193;

    /** Memory of a cached row beside key and value. */
    private static final int OVERHEAD = 150;

    /** Memory that the row takes in a cache, without its value. */
    long memoryBytes() {
        return (long) OVERHEAD + key.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Row that && table == that.table && Arrays.equals(key, that.key);
    }

    /**
     * FNV-1a: keys are short and differ in few bits, and the factor of {@link Arrays#hashCode} lets many of them
     * collide.
     */
    @Override
    public int hashCode() {
        int hash = FNV_BASIS ^ table.hashCode();
        for (byte b : key) {
            hash = (hash ^ b) * FNV_PRIME;
        }
        return hash;
    }
}
