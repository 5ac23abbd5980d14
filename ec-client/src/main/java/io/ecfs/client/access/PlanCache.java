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
        private final BlockKey[] blocks;
        private final ChunkSet[] chunks;
        private final boolean exact;
        private final PlanWork work;
        private int uses;
        private boolean outdone;
        private boolean dropped;
        private int shared; // blocks with the plan that is about to be kept; 0 otherwise

        /**
         * @param exact whether it is the best one, otherwise greedy
         * @param work that it is, and what that cost when it was made
         */
        Kept(Map<BlockKey, ChunkSet> chunks, boolean exact, PlanWork work) {
            this.blocks = chunks.keySet().toArray(BlockKey[]::new);
            this.chunks = chunks.values().toArray(ChunkSet[]::new);
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
    }

    /** What a plan says of one block. */
    private record Part(Kept plan, ChunkSet chunks) {}

    /**
     * Plans that serve a request together.
     *
     * @param chunks of each block of the request
     */
    record Found(List<Kept> plans, List<ChunkSet> chunks) {}

    private static final Part[] NONE = {};

    private final int mostBlocks;
    private final Map<Kept, Boolean> plans = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<BlockKey, Part[]> byBlock = new HashMap<>(); // the newest first
    private int blocks;

    PlanCache(int mostBlocks) {
        this.mostBlocks = mostBlocks;
    }

    int blocks() {
        return blocks;
    }

    /** Keeps a plan in the place of those that were kept for these blocks or some of them. One that is too large is not kept. */
    void keep(Kept plan) {
        if (plan.blocks.length == 0 || plan.blocks.length > mostBlocks) {
            return;
        }
        List<Kept> others = new ArrayList<>();
        for (BlockKey block : plan.blocks) {
            for (Part part : byBlock.getOrDefault(block, NONE)) {
                if (part.plan.shared++ == 0) {
                    others.add(part.plan);
                }
            }
        }
        for (Kept other : others) {
            if (other.shared == other.blocks.length) {
                drop(other);
            }
            other.shared = 0;
        }
        plans.put(plan, true);
        blocks += plan.blocks.length;
        for (int i = 0; i < plan.blocks.length; i++) {
            byBlock.merge(plan.blocks[i], new Part[] {new Part(plan, plan.chunks[i])}, PlanCache::newestFirst);
        }
        while (blocks > mostBlocks) {
            drop(plans.keySet().iterator().next());
        }
    }

    private static Part[] newestFirst(Part[] older, Part[] newest) {
        Part[] some = Arrays.copyOf(newest, Math.min(PLANS_OF_BLOCK, older.length + 1));
        System.arraycopy(older, 0, some, 1, some.length - 1);
        return some;
    }

    /**
     * Plans that serve these blocks together; one, if one has them all.
     *
     * @param fresh whether a plan still fits the costs; one that does not is dropped
     * @return empty when some block has none
     */
    Optional<Found> find(List<BlockKey> wanted, Predicate<Kept> fresh) {
        Part[][] known = new Part[wanted.size()][];
        for (int i = 0; i < known.length; i++) {
            known[i] = byBlock.get(wanted.get(i));
            if (known[i] == null) {
                return Optional.empty();
            }
        }
        ChunkSet[] chunks = new ChunkSet[known.length];
        List<Kept> pieces = new ArrayList<>();
        for (int i = 0; i < known.length; i++) {
            if (chunks[i] == null) {
                Optional<Kept> best = pieces.size() == PIECES ? Optional.empty() : covering(known, chunks, i, fresh);
                if (best.isEmpty()) {
                    return Optional.empty();
                }
                pieces.add(best.get());
                take(best.get(), known, chunks);
            }
        }
        return Optional.of(new Found(pieces, List.of(chunks)));
    }

    /** The plan for the first open block that has most of the others too, an exact one rather than a greedy one. */
    private Optional<Kept> covering(Part[][] known, ChunkSet[] chunks, int first, Predicate<Kept> fresh) {
        Kept best = null;
        int bestCovers = 0;
        for (Part part : known[first]) {
            int covers = part.plan.exact ? 1 : 0;
            for (int i = first; i < known.length; i++) {
                covers += chunks[i] == null && of(part.plan, known[i]) != null ? 2 : 0;
            }
            if (covers > bestCovers && !part.plan.dropped) {
                if (fresh.test(part.plan)) {
                    bestCovers = covers;
                    best = part.plan;
                } else {
                    drop(part.plan);
                }
            }
        }
        if (best != null) {
            plans.get(best); // it is used
        }
        return Optional.ofNullable(best);
    }

    private static void take(Kept plan, Part[][] known, ChunkSet[] chunks) {
        for (int i = 0; i < known.length; i++) {
            chunks[i] = chunks[i] == null ? of(plan, known[i]) : chunks[i];
        }
    }

    /** @return null when the plan is none of these */
    private static ChunkSet of(Kept plan, Part[] parts) {
        for (Part part : parts) {
            if (part.plan == plan) {
                return part.chunks;
            }
        }
        return null;
    }

    private void drop(Kept plan) {
        if (plans.remove(plan) == null) {
            return;
        }
        plan.dropped = true;
        blocks -= plan.blocks.length;
        for (BlockKey block : plan.blocks) {
            byBlock.computeIfPresent(block, (key, parts) -> without(parts, plan));
        }
    }

    /** @return null when none is left */
    private static Part[] without(Part[] parts, Kept plan) {
        int left = 0;
        Part[] others = new Part[parts.length];
        for (Part part : parts) {
            if (part.plan != plan) {
                others[left++] = part;
            }
        }
        return left == 0 ? null : Arrays.copyOf(others, left);
    }
}
