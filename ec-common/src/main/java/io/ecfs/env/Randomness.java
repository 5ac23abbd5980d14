package io.ecfs.env;

import java.util.UUID;
import java.util.random.RandomGenerator;

/** Random numbers for decisions and names. Safe for use by several threads. */
public interface Randomness {
    /**
     * Draws from a generator of the JDK: a secure one in production, a seeded one in a simulation. As safe for threads
     * as that is.
     */
    static Randomness over(RandomGenerator generator) {
        return new Randomness() {
            @Override
            public long nextLong() {
                return generator.nextLong();
            }

            @Override
            public int nextInt(int bound) {
                return generator.nextInt(bound);
            }

            @Override
            public byte[] bytes(int n) {
                byte[] bytes = new byte[n];
                generator.nextBytes(bytes);
                return bytes;
            }
        };
    }

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
