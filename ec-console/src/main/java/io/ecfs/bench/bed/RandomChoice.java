package io.ecfs.bench.bed;

import io.ecfs.code.ChunkSet;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Any chunks of each block, every choice as likely as the others: the paper's baseline for replicas and for coded
 * blocks. Late binding asks for more of them, all alike.
 */
final class RandomChoice implements BedStrategy {
    private final ChunkMap map;
    private final List<QueuedSite> sites;
    private final int wanted;
    private final SplittableRandom random;

    /** @param wanted chunks of each block, fewer where fewer are left */
    RandomChoice(ChunkMap map, List<QueuedSite> sites, int wanted, SplittableRandom random) {
        this.map = map;
        this.sites = sites;
        this.wanted = wanted;
        this.random = random;
    }

    @Override
    public List<Choice> choose(int[] blocks) {
        List<Choice> chosen = new ArrayList<>(blocks.length);
        for (int block : blocks) {
            ChunkSet chunks = ChunkSet.empty();
            int seen = 0;
            int left = alive(block);
            for (int chunk = 0; chunk < map.chunks(); chunk++) {
                if (!sites.get(map.site(block, chunk)).failed()
                        && random.nextInt(left - seen++) < wanted - chunks.size()) {
                    chunks = chunks.with(chunk);
                }
            }
            chosen.add(new Choice(chunks, ChunkSet.empty()));
        }
        return chosen;
    }

    private int alive(int block) {
        int alive = 0;
        for (int chunk = 0; chunk < map.chunks(); chunk++) {
            alive += sites.get(map.site(block, chunk)).failed() ? 0 : 1;
        }
        return alive;
    }
}
