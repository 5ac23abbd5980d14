package io.ecfs.client.write.pack;

import io.ecfs.layout.Policy;

/**
 * Where in a pack a file begins: at a multiple of {@value #ALIGNMENT} bytes, and within one cell if it fits one, so
 * that one read of one chunk gets it.
 */
final class PackPlace {
    static final int ALIGNMENT = 4096;

    private PackPlace() {}

    /** The first such place of a group at or behind {@code end}. */
    static long begin(Policy policy, long end, long bytes) {
        long aligned = (end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        long cell = policy.cellBytes();
        boolean fits = aligned / cell == (aligned + bytes - 1) / cell;
        return fits || bytes > cell ? aligned : (aligned / cell + 1) * cell;
    }
}
