package io.ecfs.plan;

import io.ecfs.code.ChunkSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A small instance from a seed: blocks of a few chunks over a few sites of unlike speed, some chunks missing, some
 * reads partial.
 *
 * @param costs in about the proportion of the paper: o = 5 for m z = 1
 */
public record RandomNeeds(List<BlockNeed> blocks, SiteCosts costs) {
    /** @param feasible every block has enough candidates */
    public static RandomNeeds of(Random random, boolean feasible) {
        int sites = 3 + random.nextInt(6);
        double[] access = random.doubles(sites, 1, 10).toArray();
        double[] perByte = random.doubles(sites, 0.0005, 0.002).toArray();
        List<BlockNeed> blocks = new ArrayList<>();
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            blocks.add(block(random, sites, feasible));
        }
        return new RandomNeeds(blocks, new SiteCosts() {
            @Override
            public double access(int site) {
                return access[site];
            }

            @Override
            public double perByte(int site) {
                return perByte[site];
            }
        });
    }

    private static BlockNeed block(Random random, int sites, boolean feasible) {
        int k = 1 + random.nextInt(2);
        int chunks = Math.min(sites, k + random.nextInt(3));
        long bytes = 200L + random.nextInt(2000);
        List<Integer> places = new ArrayList<>(IntStream.range(0, sites).boxed().toList());
        Collections.shuffle(places, random);
        List<Candidate> candidates = new ArrayList<>();
        for (int index = 0; index < chunks; index++) {
            if (feasible ? chunks - index <= k - candidates.size() || random.nextInt(5) > 0 : random.nextInt(3) > 0) {
                candidates.add(new Candidate(index, places.get(index), bytes, index < k ? 0 : 0.1));
            }
        }
        return new BlockNeed(k, random.nextInt(4) == 0 ? ChunkSet.of(0) : ChunkSet.empty(), candidates);
    }
}
