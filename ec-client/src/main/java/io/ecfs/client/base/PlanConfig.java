package io.ecfs.client.base;

import java.time.Duration;
import java.util.Objects;

/**
 * How reads of several blocks choose their chunks.
 *
 * @param on whether they do; otherwise each block is read from its data chunks, as a block alone is
 * @param exact whether plans are solved exactly in the background, where a solver is at hand
 * @param cachedBlocks by how many blocks kept plans are found, at most 2^24; the least used go first. Plans have at
 *     most twice as many blocks in all
 * @param solveLimit time for one exact plan
 * @param solveQueue plans that may wait for the solver; those beyond stay greedy
 * @param probeEvery volumes that reads could use and that nothing was heard of for so long are asked how busy they are
 * @param choice by what plans choose; another one than {@code COST} is for comparisons
 * @param change factor by which a kept plan may have become worse, compared with the same work at usual costs, before
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

    /** By what the chunks of reads of several blocks are chosen. */
    public enum Choice {
        /** What reading them costs. */
        COST,
        /**
         * Chance, as a client does that knows nothing of the datanodes; nothing is kept or solved. Each read of a block
         * draws anew.
         */
        RANDOM
    }

    public PlanConfig {
        ClientConfig.requireAtLeast("cachedBlocks", cachedBlocks, 1);
        if (cachedBlocks > MOST_CACHED_BLOCKS) {
            throw new IllegalArgumentException(
                    "cachedBlocks must be at most " + MOST_CACHED_BLOCKS + ", got " + cachedBlocks);
        }
        ClientConfig.requirePositive("solveLimit", solveLimit);
        ClientConfig.requireAtLeast("solveQueue", solveQueue, 1);
        ClientConfig.requirePositive("probeEvery", probeEvery);
        Objects.requireNonNull(choice, "choice");
        if (!(change > 1 && change <= 1000)) {
            throw new IllegalArgumentException("change must be above 1 and at most 1000, got " + change);
        }
    }

    public static PlanConfig defaults() {
        return new PlanConfig(true, true, 131_072, Duration.ofMillis(500), 64, Duration.ofSeconds(1), 1.5, Choice.COST);
    }
}
