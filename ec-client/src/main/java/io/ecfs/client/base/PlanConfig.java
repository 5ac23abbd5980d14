package io.ecfs.client.base;

import java.time.Duration;
import java.util.Objects;

/**
 * Settings of the choice of chunks for reads of several blocks.
 *
 * @param on whether reads are planned; otherwise each block is read from its data chunks, as a single block is
 * @param exact whether plans are solved exactly in the background, if a solver is available
 * @param cachedBlocks entries of the plan cache, one a block, at most 2^24, evicted by least recent use. Plans have at
 *     most twice as many blocks in all
 * @param solveLimit time for one exact plan
 * @param solveQueue most explanations that wait for the solver; further ones have no exact plan
 * @param probeEvery time without a sample after which a volume that reads could use is probed for its load
 * @param choice criterion of plans; other values than {@code COST} are for comparisons
 * @param change factor by which a cached plan may have become worse, relative to the same work at median costs, before
 *     it is made anew
 */
public record PlanConfig(
        boolean on,
        boolean exact,
        int cachedBlocks,
        Duration solveLimit,
        int solveQueue,
        Duration probeEvery,
        double change,
        Choice choice) {
    private static final int MOST_CACHED_BLOCKS = 1 << 24;

    /** Criterion of the choice of chunks. */
    public enum Choice {
        /** Cost of reading. */
        COST,
        /**
         * Random choice for each read of a block, as a client without knowledge of the datanodes; no cache, no solver.
         */
        RANDOM
    }

    public PlanConfig {
        ConfigBounds.requireAtLeast("cachedBlocks", cachedBlocks, 1);
        if (cachedBlocks > MOST_CACHED_BLOCKS) {
            throw new IllegalArgumentException(
                    "cachedBlocks must be at most " + MOST_CACHED_BLOCKS + ", got " + cachedBlocks);
        }
        ConfigBounds.requirePositive("solveLimit", solveLimit);
        ConfigBounds.requireAtLeast("solveQueue", solveQueue, 1);
        ConfigBounds.requirePositive("probeEvery", probeEvery);
        Objects.requireNonNull(choice, "choice");
        if (!(change > 1 && change <= 1000)) {
            throw new IllegalArgumentException("change must be above 1 and at most 1000, got " + change);
        }
    }

    public static PlanConfig defaults() {
        return new PlanConfig(true, true, 131_072, Duration.ofMillis(500), 64, Duration.ofSeconds(1), 1.5, Choice.COST);
    }
}
