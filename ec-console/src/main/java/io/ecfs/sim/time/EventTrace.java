package io.ecfs.sim.time;

/**
 * A running hash over everything that happens: equal for two runs exactly when they did the same in the same order
 * (FNV-1a, 64 bits).
 */
public final class EventTrace {
    private static final long PRIME = 0x100000001b3L;

    private long hash = 0xcbf29ce484222325L;

    void mark(long... values) {
        for (long value : values) {
            for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
                hash = (hash ^ (value >>> shift & 0xff)) * PRIME;
            }
        }
    }

    public void mark(byte[] bytes) {
        for (byte b : bytes) {
            hash = (hash ^ (b & 0xff)) * PRIME;
        }
    }

    public long hash() {
        return hash;
    }
}
