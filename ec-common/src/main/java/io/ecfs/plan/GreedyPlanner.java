package io.ecfs.plan;

import io.ecfs.code.ChunkSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The plan that is there at once (EC-Store, section V.B): block after block takes chunks at sites that are accessed anyway first. Where the
 * paper then takes others at random, this takes the cheapest. A site that several blocks could use counts with its share of
 * their number, and in the end each block chooses again, knowing the choice of all others, as long as that helps; both bring the plan
 * nearer to the best one.
 *
 * <pre>
 *   blocks, those with the least choice first --> cheapest chunks, o_j shared     --+
 *                                             `-> cheapest chunks, o_j in full    --+--> each block again, 3 rounds --> the cheaper
 * </pre>
 */
public final class GreedyPlanner implements JointPlanner {
    private static final int ROUNDS = 3;

    @Override
    public Optional<JointPlan> plan(List<BlockNeed> blocks, SiteCosts costs) {
        if (!blocks.stream().allMatch(BlockNeed::feasible)) {
            return Optional.empty();
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
            int[] known = blocks.stream()
                    .flatMapToInt(b -> b.candidates().stream().mapToInt(Candidate::site))
                    .sorted()
                    .distinct()
                    .toArray();
            access = Arrays.stream(known).mapToDouble(costs::access).toArray();
            blocksAt = new int[known.length];
            siteOf = new int[blocks.size()][];
            readCost = new double[blocks.size()][];
            for (int i = 0; i < blocks.size(); i++) {
                List<Candidate> candidates = blocks.get(i).candidates();
                siteOf[i] = candidates.stream()
                        .mapToInt(c -> Arrays.binarySearch(known, c.site()))
                        .toArray();
                readCost[i] = candidates.stream().mapToDouble(costs::read).toArray();
                Arrays.stream(siteOf[i]).distinct().forEach(site -> blocksAt[site]++);
            }
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
            IntStream.range(0, blocks.size())
                    .boxed()
                    .sorted(Comparator.comparingInt(i ->
                            blocks.get(i).candidates().size() - blocks.get(i).least()))
                    .forEach(i -> take(i, cheapest(i, share)));
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
            int[] direct = IntStream.range(0, need.candidates().size())
                    .filter(c -> need.direct().contains(need.candidates().get(c).index()))
                    .toArray();
            return any != null && costOf(block, any, share) < costOf(block, direct, share) ? any : direct;
        }

        private int[] anyOf(int block, boolean share) {
            int count = sites.siteOf[block].length;
            double[] price = new double[count];
            List<Integer> order = new ArrayList<>(count);
            for (int c = 0; c < count; c++) {
                price[c] = price(block, c, share);
                order.add(c);
            }
            order.sort(Comparator.comparingDouble(c -> price[c])); // stable: equal ones by their order in the request
            return order.stream()
                    .limit(blocks.get(block).least())
                    .mapToInt(c -> c)
                    .toArray();
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
                chunks.add(ChunkSet.of(Arrays.stream(chosen[i])
                        .map(c -> candidates.get(c).index())
                        .toArray()));
            }
            return new JointPlan(chunks, cost());
        }
    }
}
