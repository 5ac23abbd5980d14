package io.ecfs.plan;

import io.ecfs.code.ChunkSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The plan that is there at once (EC-Store, section V.B): block after block takes chunks at sites that are accessed
 * anyway first. Where the paper then takes others at random, this takes the cheapest. A site that several blocks could
 * use counts with its share of their number, and in the end each block chooses again, knowing the choice of all others,
 * as long as that helps; both bring the plan nearer to the best one.
 *
 * <pre>
 *   blocks, those with the least choice first --> cheapest chunks, o_j shared   --+
 *                                             `-> cheapest chunks, o_j in full  --+--> each block again, 3 rounds
 *                                                                                      `--> the cheaper plan
 * </pre>
 */
public final class GreedyPlanner implements JointPlanner {
    private static final int ROUNDS = 3;

    @Override
    public Optional<JointPlan> plan(List<BlockNeed> blocks, SiteCosts costs) {
        for (BlockNeed block : blocks) {
            if (!block.feasible()) {
                return Optional.empty();
            }
        }
        Sites sites = new Sites(blocks, costs);
        Choice shared = new Choice(blocks, sites, true);
        if (blocks.size() == 1) {
            return Optional.of(shared.plan());
        }
        Choice alone = new Choice(blocks, sites, false);
        return Optional.of(shared.cost() <= alone.cost() ? shared.plan() : alone.plan());
    }

    /** The problem with its sites numbered from 0, and every candidate's cost looked up once. */
    private static final class Sites {
        final int[][] siteOf; // of block, of candidate
        final double[][] readCost;
        final double[] access;
        final int[] blocksAt;

        Sites(List<BlockNeed> blocks, SiteCosts costs) {
            int[] known = known(blocks);
            access = new double[known.length];
            for (int site = 0; site < known.length; site++) {
                access[site] = costs.access(known[site]);
            }
            blocksAt = new int[known.length];
            siteOf = new int[blocks.size()][];
            readCost = new double[blocks.size()][];
            int[] lastBlockAt = new int[known.length]; // counted from 1
            for (int i = 0; i < blocks.size(); i++) {
                List<Candidate> candidates = blocks.get(i).candidates();
                siteOf[i] = new int[candidates.size()];
                readCost[i] = new double[candidates.size()];
                for (int c = 0; c < candidates.size(); c++) {
                    int site = Arrays.binarySearch(known, candidates.get(c).site());
                    siteOf[i][c] = site;
                    readCost[i][c] = costs.read(candidates.get(c));
                    blocksAt[site] += lastBlockAt[site] == i + 1 ? 0 : 1;
                    lastBlockAt[site] = i + 1;
                }
            }
        }

        /** In growing order. */
        private static int[] known(List<BlockNeed> blocks) {
            int count = 0;
            for (BlockNeed block : blocks) {
                count += block.candidates().size();
            }
            int[] sites = new int[count];
            int at = 0;
            for (BlockNeed block : blocks) {
                for (Candidate candidate : block.candidates()) {
                    sites[at++] = candidate.site();
                }
            }
            Arrays.sort(sites);
            int known = 0;
            for (int site : sites) {
                if (known == 0 || sites[known - 1] != site) {
                    sites[known++] = site;
                }
            }
            return Arrays.copyOf(sites, known);
        }
    }

    /** Chunks by block, and how many chunks are read at each site. */
    private static final class Choice {
        private final List<BlockNeed> blocks;
        private final Sites sites;
        private final int[][] chosen; // positions among the candidates
        private final int[] readAt;

        Choice(List<BlockNeed> blocks, Sites sites, boolean share) {
            this.blocks = blocks;
            this.sites = sites;
            chosen = new int[blocks.size()][];
            readAt = new int[sites.access.length];
            double[] freedom = new double[blocks.size()];
            for (int i = 0; i < freedom.length; i++) {
                freedom[i] = blocks.get(i).candidates().size() - blocks.get(i).least();
            }
            for (int i : ascending(freedom)) {
                take(i, cheapest(i, share));
            }
            boolean better = blocks.size() > 1;
            for (int round = 0; round < ROUNDS && better; round++) {
                better = false;
                for (int i = 0; i < blocks.size(); i++) {
                    better |= chooseAgain(i);
                }
            }
        }

        private boolean chooseAgain(int block) {
            int[] before = chosen[block];
            drop(block);
            double was = costOf(block, before, false);
            int[] now = cheapest(block, false);
            boolean better = costOf(block, now, false) < was;
            take(block, better ? now : before);
            return better;
        }

        private int[] cheapest(int block, boolean share) {
            BlockNeed need = blocks.get(block);
            int[] any = need.candidates().size() >= need.least() ? anyOf(block, share) : null;
            if (need.direct().isEmpty()) {
                return any;
            }
            int[] direct = new int[need.direct().size()];
            int found = 0;
            for (int c = 0; c < need.candidates().size(); c++) {
                if (need.direct().contains(need.candidates().get(c).index())) {
                    direct[found++] = c;
                }
            }
            return any != null && costOf(block, any, share) < costOf(block, direct, share) ? any : direct;
        }

        private int[] anyOf(int block, boolean share) {
            int count = sites.siteOf[block].length;
            double[] price = new double[count];
            for (int c = 0; c < count; c++) {
                price[c] = price(block, c, share);
            }
            return Arrays.copyOf(ascending(price), blocks.get(block).least());
        }

        /** The positions of a few values in growing order of these; equal ones by their order in the request. */
        private static int[] ascending(double[] values) {
            int[] order = new int[values.length];
            for (int i = 0; i < values.length; i++) {
                int at = i;
                while (at > 0 && values[order[at - 1]] > values[i]) {
                    order[at] = order[at - 1];
                    at--;
                }
                order[at] = i;
            }
            return order;
        }

        private double price(int block, int candidate, boolean share) {
            int site = sites.siteOf[block][candidate];
            double access = readAt[site] > 0 ? 0 : sites.access[site] / (share ? sites.blocksAt[site] : 1);
            return access + sites.readCost[block][candidate];
        }

        private double costOf(int block, int[] candidates, boolean share) {
            double cost = 0;
            for (int c : candidates) {
                cost += price(block, c, share);
            }
            return cost;
        }

        private void take(int block, int[] candidates) {
            chosen[block] = candidates;
            for (int c : candidates) {
                readAt[sites.siteOf[block][c]]++;
            }
        }

        private void drop(int block) {
            for (int c : chosen[block]) {
                readAt[sites.siteOf[block][c]]--;
            }
        }

        double cost() {
            double cost = 0;
            for (int site = 0; site < readAt.length; site++) {
                cost += readAt[site] > 0 ? sites.access[site] : 0;
            }
            for (int i = 0; i < chosen.length; i++) {
                for (int c : chosen[i]) {
                    cost += sites.readCost[i][c];
                }
            }
            return cost;
        }

        JointPlan plan() {
            List<ChunkSet> chunks = new ArrayList<>(chosen.length);
            for (int i = 0; i < chosen.length; i++) {
                List<Candidate> candidates = blocks.get(i).candidates();
                int[] indexes = new int[chosen[i].length];
                for (int c = 0; c < indexes.length; c++) {
                    indexes[c] = candidates.get(chosen[i][c]).index();
                }
                chunks.add(ChunkSet.of(indexes));
            }
            return new JointPlan(chunks, cost());
        }
    }
}
