package io.ecfs.sim.ring;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Bytes of a file as they were acknowledged, and which of them must survive a loss of power. */
final class FileContents {
    /** Names that it may have on disk: the one that was synced, and later ones; none before the first sync. */
    private final Set<String> durableNames = new TreeSet<>();

    private byte[] bytes = new byte[0];
    private Optional<byte[]> synced = Optional.empty();
    private final BitSet changed = new BitSet();

    byte[] bytes() {
        return bytes;
    }

    void write(int offset, byte[] written) {
        if (offset + written.length > bytes.length) {
            bytes = Arrays.copyOf(bytes, offset + written.length);
        }
        System.arraycopy(written, 0, bytes, offset, written.length);
        changed.set(offset, offset + written.length);
    }

    void truncate(int length) {
        if (length < bytes.length) {
            changed.set(length, bytes.length);
            bytes = Arrays.copyOf(bytes, length);
        }
    }

    void sync() {
        synced = Optional.of(bytes.clone());
        changed.clear();
    }

    /** Its name is on disk: no other one is left. */
    void syncName(String name) {
        durableNames.clear();
        durableNames.add(name);
    }

    /** Notes a new name, which may get to disk at any time. */
    void rename(String to) {
        if (!durableNames.isEmpty()) {
            durableNames.add(to);
        }
    }

    /** Names under one of which a loss of power must leave it, if it {@link #mustStay}. */
    Set<String> durableNames() {
        return Set.copyOf(durableNames);
    }

    /** Returns whether a loss of power must leave it. */
    boolean mustStay() {
        return !durableNames.isEmpty() && synced.isPresent();
    }

    /** Index of the first synced byte that is another one in {@code found}; -1 when there is none. */
    int firstLost(byte[] found) {
        byte[] expected = synced.orElseThrow();
        for (int i = changed.nextClearBit(0); i < expected.length; i = changed.nextClearBit(i + 1)) {
            if (i >= found.length || found[i] != expected[i]) {
                return i;
            }
        }
        return -1;
    }
}
