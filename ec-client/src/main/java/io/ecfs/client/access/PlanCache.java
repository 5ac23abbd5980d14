package io.ecfs.client.access;

import io.ecfs.code.ChunkSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Plans that were made, found by the blocks they are for. A plan serves every request whose blocks it has; a few plans together serve one
 * that none has whole. Bounded by the blocks of all plans; the plan that was unused for longest goes first. Owned by one thread.
 */
final class PlanCache {
    /** Plans that are looked at for one block: the newest ones. */
    private static final int PLANS_OF_BLOCK = 8;
    /** Plans that may serve one request together. */
    private static final int PIECES = 4;

    /** A plan is compared with one of the moment each time it was used so often. */
    private static final int USES_TO_A_LOOK = 16;

    /** A plan as it is kept; each is itself alone. */
    static final class Kept {
        private final Map<BlockKey, ChunkSet> chunks;
        private final boolean exact;
        private final PlanWork work;
        private int uses;
        private boolean outdone;

        /**
         * @param exact whether it is the best one, otherwise greedy
         * @param work that it is, and what that cost when it was made
         */
        Kept(Map<BlockKey, ChunkSet> chunks, boolean exact, PlanWork work) {
            this.chunks = Map.copyOf(chunks);
            this.exact = exact;
            this.work = work;
        }

        Map<BlockKey, ChunkSet> chunks() {
            return chunks;
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
    }

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

    /** Keeps a plan in the place of those that were kept for these blocks or some of them. One that is too large is not kept. */
    void keep(Kept plan) {
        Set<BlockKey> keys = plan.chunks().keySet();
        if (keys.isEmpty() || keys.size() > mostBlocks) {
            return;
        }
        for (BlockKey key : keys) {
            for (Kept other : byBlock.getOrDefault(key, NONE)) {
                if (other.chunks().size() <= keys.size()
                        && keys.containsAll(other.chunks().keySet())) {
                    drop(other);
                }
            }
        }
        plans.put(plan, true);
        blocks += keys.size();
        for (BlockKey key : keys) {
            byBlock.merge(key, new Kept[] {plan}, PlanCache::newestFirst);
        }
        while (blocks > mostBlocks) {
            drop(plans.keySet().iterator().next());
        }
    }

    private static Kept[] newestFirst(Kept[] older, Kept[] newest) {
        Kept[] some = Arrays.copyOf(newest, Math.min(PLANS_OF_BLOCK, older.length + 1));
        System.arraycopy(older, 0, some, 1, some.length - 1);
        return some;
    }

    /**
     * Plans that serve these blocks together; one, if one has them all.
     *
     * @param fresh whether a plan still fits the costs; one that does not is dropped
     * @return empty when some block has none
     */
    Optional<List<Kept>> find(Collection<BlockKey> wanted, Predicate<Kept> fresh) {
        List<BlockKey> open = new ArrayList<>(wanted);
        List<Kept> pieces = new ArrayList<>();
        while (!open.isEmpty() && pieces.size() < PIECES) {
            Optional<Kept> best = covering(open, fresh);
            if (best.isEmpty()) {
                return Optional.empty();
            }
            pieces.add(best.get());
            open.removeIf(best.get().chunks()::containsKey);
        }
        return open.isEmpty() ? Optional.of(pieces) : Optional.empty();
    }

    /** The plan for one of the blocks that has most of the others too, an exact one rather than a greedy one. */
    private Optional<Kept> covering(List<BlockKey> open, Predicate<Kept> fresh) {
        Kept best = null;
        int bestCovers = 0;
        for (Kept plan : byBlock.getOrDefault(open.get(0), NONE)) {
            int covers = plan.exact() ? 1 : 0;
            for (BlockKey key : open) {
                covers += plan.chunks().containsKey(key) ? 2 : 0;
            }
            if (covers > bestCovers) {
                if (fresh.test(plan)) {
                    bestCovers = covers;
                    best = plan;
                } else {
                    drop(plan);
                }
            }
        }
        if (best != null) {
            plans.get(best); // it is used
        }
        return Optional.ofNullable(best);
    }

    private void drop(Kept plan) {
        if (plans.remove(plan) == null) {
            return;
        }
        blocks -= plan.chunks().size();
        for (BlockKey key : plan.chunks().keySet()) {
            byBlock.computeIfPresent(key, (k, some) -> without(some, plan));
        }
    }

    /** @return null when none is left */
    private static Kept[] without(Kept[] some, Kept plan) {
        Kept[] left = Arrays.stream(some).filter(other -> other != plan).toArray(Kept[]::new);
        return left.length == 0 ? null : left;
    }
}
