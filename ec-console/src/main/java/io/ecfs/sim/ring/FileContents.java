package io.ecfs.sim.ring;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/** Bytes of a file as they were acknowledged, and which of them must survive a loss of power. */
final class FileContents {
    /** Its name on disk; empty while no sync of a directory has put one there. */
    Optional<String> durableName = Optional.empty();

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

    /** Returns whether a loss of power must leave it. */
    boolean mustStay() {
        return durableName.isPresent() && synced.isPresent();
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
