package io.ecfs.plan;

import io.ecfs.code.ChunkSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * Late binding (EC-Store, section IV.B.1): the chunks of each block that are requested beside those of a plan, in case
 * some of these are late.
 *
 * <p>The paper plans k + delta chunks as if all were needed, so that requests turn to more sites and read half as much
 * again. Here k are planned, and the others are <em>spares</em>: the cheapest ones beside them. Sites read spares when
 * they have nothing else to do, so the sum that a plan minimises is that of what is needed.
 */
public final class Spares {
    private Spares() {}

    /**
     * The spares of each block, in the order of the blocks.
     *
     * @param chunks of each block that are read, as planned
     * @param delta of each block; fewer where fewer candidates are left
     */
    public static List<ChunkSet> beside(List<BlockNeed> blocks, List<ChunkSet> chunks, int delta, SiteCosts costs) {
        if (delta == 0) {
            return Collections.nCopies(blocks.size(), ChunkSet.empty());
        }
        List<ChunkSet> spares = new ArrayList<>(blocks.size());
        for (int i = 0; i < blocks.size(); i++) {
            ChunkSet read = chunks.get(i);
            spares.add(ChunkSet.of(blocks.get(i).candidates().stream()
                    .filter(candidate -> !read.contains(candidate.index()))
                    .sorted(Comparator.comparingDouble(
                            candidate -> costs.access(candidate.site()) + costs.read(candidate)))
                    .limit(delta)
                    .map(Candidate::index)
                    .toList()));
        }
        return spares;
    }
}
