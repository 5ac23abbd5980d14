package io.ecfs.plan;

import io.ecfs.code.ChunkSet;
import java.util.Arrays;
import java.util.List;

/** The cost of a choice: sum over sites of o_j a_j, and over chunks of s_ij m_j z_i (EC-Store, equation 1). */
public final class AccessCost {
    private static final int FEW_SITES = 32;

    private AccessCost() {}

    /**
     * Cost of reading these chunks.
     *
     * @param chunks for each block those that are read, all of them candidates
     * @throws IllegalArgumentException when they are not enough, or not candidates
     */
    public static double of(List<BlockNeed> blocks, List<ChunkSet> chunks, SiteCosts costs) {
        if (blocks.size() != chunks.size()) {
            throw new IllegalArgumentException(chunks.size() + " choices for " + blocks.size() + " blocks");
        }
        double cost = 0;
        int[] accessed = new int[FEW_SITES];
        int sites = 0;
        for (int i = 0; i < blocks.size(); i++) {
            BlockNeed block = blocks.get(i);
            int found = 0;
            for (Candidate candidate : block.candidates()) {
                if (chunks.get(i).contains(candidate.index())) {
                    found++;
                    cost += costs.read(candidate);
                    if (!contains(accessed, sites, candidate.site())) {
                        accessed = sites < accessed.length ? accessed : Arrays.copyOf(accessed, 2 * sites);
                        accessed[sites++] = candidate.site();
                        cost += costs.access(candidate.site());
                    }
                }
            }
            if (found != chunks.get(i).size() || !block.satisfiedBy(chunks.get(i))) {
                throw new IllegalArgumentException("chunks " + chunks.get(i) + " do not give a block that needs "
                        + block.least() + " of " + block.candidates());
            }
        }
        return cost;
    }

    /** Plans turn to a few dozen sites: looking through them takes less than a set. */
    private static boolean contains(int[] sites, int count, int site) {
        for (int i = 0; i < count; i++) {
            if (sites[i] == site) {
                return true;
            }
        }
        return false;
    }
}
