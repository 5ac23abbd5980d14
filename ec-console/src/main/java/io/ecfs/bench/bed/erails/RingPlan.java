package io.ecfs.bench.bed.erails;

import io.ecfs.code.CodeSpec;
import io.ecfs.layout.Ring;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * One run of the bed.
 *
 * @param colourOf of each volume
 * @param groups that objects lie in, drawn uniformly
 * @param ring whose first position is 0
 * @param windows when volumes write; without any the ring counts for nothing
 * @param turn time between turns
 * @param guard before its turn a volume stops writing
 * @param journalBytes of a volume that may be staged
 * @param failed volumes, the first ones of the bed
 * @param skewNanos by which clocks of volumes are early or late, each by another amount up to this
 * @param coding times of the clients' processors
 * @param clients each with so many cores
 * @param cores of a client
 * @param alwaysDecodes whether all data chunks are computed for each read, as in the paper, or only those that are
 *     not read
 */
public record RingPlan(
        CodeSpec code,
        List<Integer> colourOf,
        List<RingGroup> groups,
        Ring ring,
        Windows windows,
        Duration turn,
        Duration guard,
        FlashDevice device,
        Load load,
        long journalBytes,
        int failed,
        long skewNanos,
        CodingTimes coding,
        int clients,
        int cores,
        boolean alwaysDecodes,
        long seed) {
    /** A turn has room for the reads before it, the writes and the guard. */
    private static final int LEAST_TURN_OF_GUARDS = 4;

    private static final int CHUNK_UNIT = 64;

    public RingPlan {
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(ring, "ring");
        Objects.requireNonNull(windows, "windows");
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(load, "load");
        Objects.requireNonNull(coding, "coding");
        colourOf = List.copyOf(colourOf);
        groups = List.copyOf(groups);
        if (turn.compareTo(guard.multipliedBy(LEAST_TURN_OF_GUARDS)) < 0 || turn.isZero()) {
            throw new IllegalArgumentException("a turn lasts at least four guards of " + guard.toMillis()
                    + " ms, got " + turn.toMillis() + " ms; nearest is "
                    + LEAST_TURN_OF_GUARDS * guard.toMillis() + " ms");
        }
        if (failed < 0 || failed > code.parityChunks()) {
            throw new IllegalArgumentException("of " + code + " 0 to " + code.parityChunks() + " volumes fail, got "
                    + failed + "; nearest is " + (failed < 0 ? 0 : code.parityChunks()));
        }
        if (journalBytes < chunkBytes(load.objectBytes(), code) || skewNanos < 0 || clients < 1 || cores < 1) {
            throw new IllegalArgumentException("a journal has room for a chunk, a skew is not negative, and there is"
                    + " a client with a core, got " + journalBytes + ", " + skewNanos + ", " + clients + ", " + cores);
        }
    }

    /** Of an object: its tail, as {@code GroupLayout} divides it. */
    public static long chunkBytes(long objectBytes, CodeSpec code) {
        long each = (objectBytes + code.dataChunks() - 1) / code.dataChunks();
        return (each + CHUNK_UNIT - 1) / CHUNK_UNIT * CHUNK_UNIT;
    }

    public long chunkBytes() {
        return chunkBytes(load.objectBytes(), code);
    }

    /** How many times as long its reads take beside writes. */
    public double interference() {
        return device.interference(chunkBytes());
    }

    int volumes() {
        return colourOf.size();
    }

    /** The same run with another load. */
    public RingPlan with(Load other) {
        return new RingPlan(
                code,
                colourOf,
                groups,
                ring,
                windows,
                turn,
                guard,
                device,
                other,
                journalBytes,
                failed,
                skewNanos,
                coding,
                clients,
                cores,
                alwaysDecodes,
                seed);
    }

    /** The same run with other windows. */
    public RingPlan with(Windows other) {
        return new RingPlan(
                code,
                colourOf,
                groups,
                ring,
                other,
                turn,
                guard,
                device,
                load,
                journalBytes,
                failed,
                skewNanos,
                coding,
                clients,
                cores,
                alwaysDecodes,
                seed);
    }
}
