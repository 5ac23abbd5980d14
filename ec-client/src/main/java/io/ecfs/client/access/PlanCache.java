package io.ecfs.client.access;

import io.ecfs.code.ChunkSet;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Cache of plans by their blocks: a plan serves every request whose blocks it has. Owned by one thread.
 *
 * <pre>
 *   hash of a block --> its set:  [used last, ..., unused for longest]  of 16 entries, each one block of a plan
 * </pre>
 *
 * A set-associative table, like processors' caches: with a hundred thousand blocks a lookup waits for memory, and a
 * set's hashes are adjacent. A request finds the plans of its first block and searches them for its other blocks. A new
 * entry evicts the least recently used one of its set. Plans without entries are dropped; if the others still have more
 * than twice as many blocks as the table has entries, some are evicted in the table's order.
 */
final class PlanCache {
    private static final int WAYS = 16;

    /** Uses of a plan after which it is compared with a plan of present costs. */
    private static final int USES_BETWEEN_COMPARISONS = 16;

    /** A cached plan, compared by identity. */
    static final class CachedPlan {
        private static final CachedPlan[] NONE = {};

        private BlockKey[] blocks; // none once it is evicted
        private int[] hashes; // of the blocks
        private ChunkSet[] chunks;
        private PlanWork work;
        private final boolean exact;
        private int entries; // that refer to it
        private int uses;
        private boolean submitted;

        /**
         * @param wanted duplicates are stored once
         * @param chosen chunks for each block
         * @param exact whether it is the best one, otherwise greedy
         * @param work of the plan, with its cost when it was made
         */
        CachedPlan(List<BlockKey> wanted, List<ChunkSet> chosen, boolean exact, PlanWork work) {
            this.exact = exact;
            this.work = work;
            blocks = new BlockKey[wanted.size()];
            hashes = new int[wanted.size()];
            chunks = new ChunkSet[wanted.size()];
            int count = 0;
            for (int i = 0; i < wanted.size(); i++) {
                if (find(wanted.get(i), count) < 0) {
                    blocks[count] = wanted.get(i);
                    hashes[count] = wanted.get(i).hashCode();
                    chunks[count++] = chosen.get(i);
                }
            }
            cut(count);
            entries = count;
        }

        private void cut(int length) {
            if (length < blocks.length) {
                blocks = Arrays.copyOf(blocks, length);
                hashes = Arrays.copyOf(hashes, length);
                chunks = Arrays.copyOf(chunks, length);
            }
        }

        boolean exact() {
            return exact;
        }

        /** Returns whether it is still good enough; see {@link PlanWork#asGood}. */
        boolean serves(CostSnapshot now, double change) {
            return work.asGood(now, change);
        }

        /** Counts a use. */
        void use() {
            uses++;
        }

        /** Returns whether these are exactly the blocks of a greedy plan that was not submitted to the solver yet. */
        boolean isForTheSolver(List<BlockKey> wanted) {
            return !exact
                    && !submitted
                    && wanted.size() >= hashes.length
                    && Set.copyOf(wanted).size() == hashes.length;
        }

        /** It was submitted to the solver, which gets it once. */
        void submitted() {
            submitted = true;
        }

        /** Returns whether this use is one of those at which it is compared with a plan of present costs. */
        boolean isDueForComparison() {
            return uses % USES_BETWEEN_COMPARISONS == 0;
        }

        /** Returns whether the other can replace its entry for a block that both have. */
        private boolean replacedBy(CachedPlan other) {
            return blocks.length == 0 || Arrays.equals(hashes, other.hashes);
        }

        /** @return null when it lacks one of the blocks */
        private List<ChunkSet> chunksOf(List<BlockKey> wanted) {
            ChunkSet[] found = new ChunkSet[wanted.size()];
            for (int i = 0; i < found.length; i++) {
                int at = find(wanted.get(i), hashes.length);
                if (at < 0) {
                    return null;
                }
                found[i] = chunks[at];
            }
            return List.of(found);
        }

        /** @param end number of blocks to search */
        private int find(BlockKey block, int end) {
            int hash = block.hashCode();
            for (int i = 0; i < end; i++) {
                if (hashes[i] == hash && blocks[i].equals(block)) {
                    return i;
                }
            }
            return -1;
        }
    }

    /** @param chunks of each block of the request */
    record Found(CachedPlan plan, List<ChunkSet> chunks) {}

    private final int ways;
    private final int sets;
    private int[] hashes = {}; // of the entries' blocks; set after set
    private CachedPlan[] plans = CachedPlan.NONE; // of the entries, null for unused ones
    private long cachedBlocks; // of all plans
    private int hand; // entry to evict next

    /** @param blocks least number of entries of the table, which is made with the first plan */
    PlanCache(int blocks) {
        ways = Math.min(WAYS, blocks);
        sets = (blocks + ways - 1) / ways;
    }

    /** Adds a plan, unless it is larger than the table. */
    void put(CachedPlan plan) {
        if (plan.blocks.length > ways * sets) {
            return;
        }
        if (plans.length == 0) {
            hashes = new int[ways * sets];
            plans = new CachedPlan[ways * sets];
        }
        cachedBlocks += plan.blocks.length;
        for (int hash : plan.hashes) {
            enter(hash, plan);
        }
        while (cachedBlocks > 2L * plans.length) {
            if (plans[hand] != null) {
                evict(plans[hand]);
            }
            hand = (hand + 1) % plans.length;
        }
    }

    /** Evicts a plan. */
    void evict(CachedPlan plan) {
        cachedBlocks -= plan.blocks.length;
        plan.cut(0);
        plan.work = null;
    }

    private void enter(int hash, CachedPlan plan) {
        int first = set(hash);
        int last = first + ways - 1;
        int place = first;
        while (place < last && plans[place] != null && !(hashes[place] == hash && plans[place].replacedBy(plan))) {
            place++;
        }
        if (plans[place] != null && --plans[place].entries == 0) {
            evict(plans[place]);
        }
        toFront(first, place, hash, plan);
    }

    /** Moves an entry to the front of its set, and those before it back by one. */
    private void toFront(int first, int place, int hash, CachedPlan plan) {
        if (place > first) {
            System.arraycopy(hashes, first, hashes, first + 1, place - first);
            System.arraycopy(plans, first, plans, first + 1, place - first);
        }
        hashes[first] = hash;
        plans[first] = plan;
    }

    /** @return first entry of the set of this hash */
    private int set(int hash) {
        long mixed = Integer.toUnsignedLong(hash * 0x9E37_79B9); // the golden ratio's bits, as Fibonacci hashing has it
        return (int) ((mixed * sets) >>> Integer.SIZE) * ways;
    }

    /**
     * The most recently used plan that has all of these blocks, exact ones before greedy ones.
     *
     * @param fresh whether a plan still fits the costs; one that does not is evicted
     */
    Optional<Found> find(List<BlockKey> wanted, Predicate<CachedPlan> fresh) {
        int hash = wanted.get(0).hashCode();
        int first = set(hash);
        int end = Math.min(plans.length, first + ways);
        int foundAt = -1;
        Found found = null;
        for (int i = first; i < end && plans[i] != null; i++) {
            if (hashes[i] == hash && (found == null || (plans[i].exact && !found.plan().exact))) {
                List<ChunkSet> chunks = plans[i].chunksOf(wanted);
                if (chunks != null && !fresh.test(plans[i])) {
                    evict(plans[i]);
                } else if (chunks != null) {
                    found = new Found(plans[i], chunks);
                    foundAt = i;
                }
            }
        }
        if (found != null) {
            toFront(first, foundAt, hash, found.plan());
        }
        return Optional.ofNullable(found);
    }
}
