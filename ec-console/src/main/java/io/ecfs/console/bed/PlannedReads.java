package io.ecfs.console.bed;

import io.ecfs.code.ChunkSet;
import io.ecfs.plan.BlockNeed;
import io.ecfs.plan.Candidate;
import io.ecfs.plan.JointPlanner;
import java.util.ArrayList;
import java.util.List;

/** The chunks that a planner chooses for the whole request. */
final class PlannedReads implements ReadStrategy {
    private final ChunkMap map;
    private final List<QueuedSite> sites;
    private final int wanted;
    private final JointPlanner planner;
    private final ResponseTimes costs;

    /** @param wanted chunks of each block, fewer where fewer are left */
    PlannedReads(ChunkMap map, List<QueuedSite> sites, int wanted, JointPlanner planner, ResponseTimes costs) {
        this.map = map;
        this.sites = sites;
        this.wanted = wanted;
        this.planner = planner;
        this.costs = costs;
    }

    @Override
    public List<ChunkSet> choose(int[] blocks) {
        List<BlockNeed> needs = new ArrayList<>(blocks.length);
        for (int block : blocks) {
            List<Candidate> candidates = candidates(block);
            needs.add(BlockNeed.anyOf(Math.min(wanted, candidates.size()), candidates));
        }
        return planner.plan(needs, costs).orElseThrow().chunks();
    }

    @Override
    public void answered(int site, long bytes, long nanos) {
        costs.answered(site, bytes, nanos);
    }

    private List<Candidate> candidates(int block) {
        List<Candidate> candidates = new ArrayList<>(map.chunks());
        for (int chunk = 0; chunk < map.chunks(); chunk++) {
            int site = map.site(block, chunk);
            if (!sites.get(site).failed()) {
                candidates.add(new Candidate(chunk, site, site, map.chunkBytes(block)));
            }
        }
        return candidates;
    }
}
