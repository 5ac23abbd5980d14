package io.ecfs.env;

import java.util.UUID;

/** Random numbers for decisions and names. Safe for use by several threads. */
public interface Randomness {
    long nextLong();

    /** A number in [0, bound). */
    int nextInt(int bound);

    /** {@code n} random bytes; in production good enough for keys. */
    byte[] bytes(int n);

    /** A version 4 UUID (RFC 9562). */
    default UUID uuid() {
        long high = (nextLong() & 0xFFFF_FFFF_FFFF_0FFFL) | 0x4000L;
        long low = (nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }
}
