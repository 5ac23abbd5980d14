package io.ecfs.client.access;

import io.ecfs.code.ChunkSet;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Plans that were made, found by the blocks they are for: a plan serves every request whose blocks it has. Owned by one
 * thread.
 *
 * <pre>
 *   hash of a block --> its set:  [used last, ..., unused for longest]  of 16 entries, each one block of a plan
 * </pre>
 *
 * A table in sets, as processors' caches are: memory is what a look waits for, with a hundred thousand blocks, and a
 * set's hashes lie side by side. A request looks for its first block and asks the plans that it finds there for the
 * others. A new entry pushes out the one of its set that was unused for longest. Plans without entries are held no
 * more; should the others still have more than twice as many blocks as the table has entries, some are let go in the
 * table's order.
 */
final class PlanCache {
    private static final int WAYS = 16;

    /** A plan is compared with one of the moment each time it was used so often. */
    private static final int USES_TO_A_LOOK = 16;

    /** A plan as it is kept; each is itself alone. */
    static final class Kept {
        private static final Kept[] NONE = {};

        private BlockKey[] blocks; // none once it is let go
        private int[] hashes; // of the blocks
        private ChunkSet[] chunks;
        private PlanWork work;
        private final boolean exact;
        private int entries; // that lead to it
        private int uses;

        /**
         * @param wanted one that is there twice is kept once
         * @param chosen chunks for each block
         * @param exact whether it is the best one, otherwise greedy
         * @param work that it is, and what that cost when it was made
         */
        Kept(List<BlockKey> wanted, List<ChunkSet> chosen, boolean exact, PlanWork work) {
            this.exact = exact;
            this.work = work;
            blocks = new BlockKey[wanted.size()];
            hashes = new int[wanted.size()];
            chunks = new ChunkSet[wanted.size()];
            int kept = 0;
            for (int i = 0; i < wanted.size(); i++) {
                if (find(wanted.get(i), kept) < 0) {
                    blocks[kept] = wanted.get(i);
                    hashes[kept] = wanted.get(i).hashCode();
                    chunks[kept++] = chosen.get(i);
                }
            }
            cut(kept);
            entries = kept;
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

        /** Whether it still serves; see {@link PlanWork#asGood}. */
        boolean serves(CostSnapshot now, double change) {
            return work.asGood(now, change);
        }

        /** It is used. @return whether it is to be compared with a plan of the moment */
        boolean use() {
            return ++uses % USES_TO_A_LOOK == 0;
        }

        /** Whether nothing is lost with its entry for a block that the other has as well. */
        private boolean replacedBy(Kept other) {
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

        /** @param end of those that are looked at */
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
    record Found(Kept plan, List<ChunkSet> chunks) {}

    private final int ways;
    private final int sets;
    private int[] hashes = {}; // of the entries' blocks; set after set
    private Kept[] plans = Kept.NONE; // where the entries lead, null where there are none yet
    private long held; // blocks of all plans
    private int hand; // where plans are let go next

    /** @param blocks entries that the table has at least; it is made with the first plan that is kept */
    PlanCache(int blocks) {
        ways = Math.min(WAYS, blocks);
        sets = (blocks + ways - 1) / ways;
    }

    /** Keeps a plan; one that is larger than the table is not. */
    void keep(Kept plan) {
        if (plan.blocks.length > ways * sets) {
            return;
        }
        if (plans.length == 0) {
            hashes = new int[ways * sets];
            plans = new Kept[ways * sets];
        }
        held += plan.blocks.length;
        for (int hash : plan.hashes) {
            enter(hash, plan);
        }
        while (held > 2L * plans.length) {
            if (plans[hand] != null) {
                letGo(plans[hand]);
            }
            hand = (hand + 1) % plans.length;
        }
    }

    /** It serves nobody any more. */
    void letGo(Kept plan) {
        held -= plan.blocks.length;
        plan.cut(0);
        plan.work = null;
    }

    private void enter(int hash, Kept plan) {
        int first = set(hash);
        int last = first + ways - 1;
        int place = first;
        while (place < last && plans[place] != null && !(hashes[place] == hash && plans[place].replacedBy(plan))) {
            place++;
        }
        if (plans[place] != null && --plans[place].entries == 0) {
            letGo(plans[place]);
        }
        toFront(first, place, hash, plan);
    }

    /** Those before the place go back by one. */
    private void toFront(int first, int place, int hash, Kept plan) {
        if (place > first) {
            System.arraycopy(hashes, first, hashes, first + 1, place - first);
            System.arraycopy(plans, first, plans, first + 1, place - first);
        }
        hashes[first] = hash;
        plans[first] = plan;
    }

    /** @return where the entries for a block of this hash begin */
    private int set(int hash) {
        long mixed = Integer.toUnsignedLong(hash * 0x9E37_79B9); // the golden ratio's bits, as Fibonacci hashing has it
        return (int) ((mixed * sets) >>> Integer.SIZE) * ways;
    }

    /**
     * The plan used last of those that have all of these blocks, an exact one rather than a greedy one.
     *
     * @param fresh whether a plan still fits the costs; one that does not is let go
     */
    Optional<Found> find(List<BlockKey> wanted, Predicate<Kept> fresh) {
        int hash = wanted.get(0).hashCode();
        int first = set(hash);
        int end = Math.min(plans.length, first + ways);
        int foundAt = -1;
        Found found = null;
        for (int i = first; i < end && plans[i] != null; i++) {
            if (hashes[i] == hash && (found == null || (plans[i].exact && !found.plan().exact))) {
                List<ChunkSet> chunks = plans[i].chunksOf(wanted);
                if (chunks != null && !fresh.test(plans[i])) {
                    letGo(plans[i]);
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
