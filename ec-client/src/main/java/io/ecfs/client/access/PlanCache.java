package io.ecfs.client.access;

import io.ecfs.code.ChunkSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Plans that were made, found by the blocks they are for: a plan serves every request whose blocks it has. Bounded by the blocks of all plans; the
 * plan that was unused for longest goes first. Owned by one thread.
 *
 * Memory is what a look waits for, with a hundred thousand blocks: it is one in the map, for the first block of a request, and then plans know
 * their blocks themselves, by hashes that lie side by side.
 */
final class PlanCache {
    /** Plans that are looked at for one block: the newest ones. */
    private static final int PLANS_OF_BLOCK = 8;

    /** A plan is compared with one of the moment each time it was used so often. */
    private static final int USES_TO_A_LOOK = 16;

    /** A plan as it is kept; each is itself alone. */
    static final class Kept {
        private final BlockKey[] blocks;
        private final int[] hashes; // of the blocks
        private final ChunkSet[] chunks;
        private final boolean exact;
        private final PlanWork work;
        private int uses;
        private boolean outdone;
        private int shared; // blocks with the plan that is about to be kept; 0 otherwise

        /**
         * @param blocks one that is there twice is kept once
         * @param chunks for each block
         * @param exact whether it is the best one, otherwise greedy
         * @param work that it is, and what that cost when it was made
         */
        Kept(List<BlockKey> blocks, List<ChunkSet> chunks, boolean exact, PlanWork work) {
            Map<BlockKey, ChunkSet> chunksOf = new LinkedHashMap<>();
            for (int i = 0; i < chunks.size(); i++) {
                chunksOf.putIfAbsent(blocks.get(i), chunks.get(i));
            }
            this.blocks = chunksOf.keySet().toArray(BlockKey[]::new);
            this.hashes =
                    Arrays.stream(this.blocks).mapToInt(BlockKey::hashCode).toArray();
            this.chunks = chunksOf.values().toArray(ChunkSet[]::new);
            this.exact = exact;
            this.work = work;
        }

        boolean exact() {
            return exact;
        }

        /** Whether it still serves; see {@link PlanWork#asGood}. */
        boolean serves(CostSnapshot now, double change) {
            return !outdone && work.asGood(now, change);
        }

        /** It is used. @return whether it is to be compared with a plan of the moment */
        boolean use() {
            return ++uses % USES_TO_A_LOOK == 0;
        }

        /** A plan of the moment is better by far. */
        void outdone() {
            outdone = true;
        }

        /** @return null when it lacks one of the blocks */
        private List<ChunkSet> chunksOf(List<BlockKey> wanted) {
            ChunkSet[] found = new ChunkSet[wanted.size()];
            for (int i = 0; i < found.length; i++) {
                int at = find(wanted.get(i));
                if (at < 0) {
                    return null;
                }
                found[i] = chunks[at];
            }
            return List.of(found);
        }

        private int find(BlockKey block) {
            int hash = block.hashCode();
            for (int i = 0; i < hashes.length; i++) {
                if (hashes[i] == hash && blocks[i].equals(block)) {
                    return i;
                }
            }
            return -1;
        }
    }

    /** @param chunks of each block of the request */
    record Found(Kept plan, List<ChunkSet> chunks) {}

    private static final Kept[] NONE = {};

    private final int mostBlocks;
    private final Map<Kept, Boolean> plans = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<BlockKey, Kept[]> byBlock = new HashMap<>(); // the newest first
    private int blocks;

    PlanCache(int mostBlocks) {
        this.mostBlocks = mostBlocks;
    }

    int blocks() {
        return blocks;
    }

    /** Keeps a plan in the place of those that have no block beside its own. One that is too large is not kept. */
    void keep(Kept plan) {
        if (plan.blocks.length == 0 || plan.blocks.length > mostBlocks) {
            return;
        }
        List<Kept> others = new ArrayList<>();
        for (BlockKey block : plan.blocks) {
            byBlock.merge(block, new Kept[] {plan}, (older, newest) -> {
                for (Kept other : older) {
                    if (other.shared++ == 0) {
                        others.add(other);
                    }
                }
                return newestFirst(older, plan);
            });
        }
        plans.put(plan, true);
        blocks += plan.blocks.length;
        for (Kept other : others) {
            if (other.shared == other.blocks.length) {
                drop(other);
            }
            other.shared = 0;
        }
        while (blocks > mostBlocks) {
            drop(plans.keySet().iterator().next());
        }
    }

    private static Kept[] newestFirst(Kept[] older, Kept newest) {
        Kept[] some = new Kept[Math.min(PLANS_OF_BLOCK, older.length + 1)];
        some[0] = newest;
        System.arraycopy(older, 0, some, 1, some.length - 1);
        return some;
    }

    /**
     * The newest plan that has all of these blocks, an exact one rather than a greedy one.
     *
     * @param fresh whether a plan still fits the costs; one that does not is dropped
     */
    Optional<Found> find(List<BlockKey> wanted, Predicate<Kept> fresh) {
        Found best = null;
        for (Kept plan : byBlock.getOrDefault(wanted.get(0), NONE)) {
            List<ChunkSet> chunks = best == null || plan.exact ? plan.chunksOf(wanted) : null;
            if (chunks != null && !fresh.test(plan)) {
                drop(plan);
            } else if (chunks != null) {
                best = new Found(plan, chunks);
                if (plan.exact) {
                    break;
                }
            }
        }
        if (best != null) {
            plans.get(best.plan()); // it is used
        }
        return Optional.ofNullable(best);
    }

    private void drop(Kept plan) {
        if (plans.remove(plan) == null) {
            return;
        }
        blocks -= plan.blocks.length;
        for (BlockKey block : plan.blocks) {
            byBlock.computeIfPresent(block, (key, some) -> without(some, plan));
        }
    }

    /** @return null when none is left */
    private static Kept[] without(Kept[] some, Kept plan) {
        if (some.length == 1 && some[0] == plan) {
            return null;
        }
        List<Kept> others = new ArrayList<>(List.of(some));
        others.remove(plan);
        return others.toArray(Kept[]::new);
    }
}
