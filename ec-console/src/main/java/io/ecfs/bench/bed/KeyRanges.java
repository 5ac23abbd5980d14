package io.ecfs.bench.bed;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * YCSB's workload E: scans of ranges of keys. The first key is drawn uniformly, later by a power law over ranks; the
 * length uniformly. The key of a rank is the rank itself, so that hot keys are neighbours, or ranks are scattered over
 * the keys.
 */
final class KeyRanges implements Requests {
    private final int[] blockBytes;
    private final int longest;
    private final int[] keyOfRank;
    private final double exponent;
    private PowerLaw ranks;

    /**
     * @param longest scan, in keys
     * @param scattered whether hot keys are anywhere; otherwise they are neighbours
     */
    KeyRanges(int keys, int bytes, int longest, double exponent, boolean scattered, SplittableRandom random) {
        this.blockBytes = new int[keys];
        Arrays.fill(blockBytes, bytes);
        this.longest = Math.min(longest, keys);
        this.exponent = exponent;
        this.ranks = new PowerLaw(keys, 0);
        this.keyOfRank =
                scattered ? shuffled(keys, random) : IntStream.range(0, keys).toArray();
    }

    @Override
    public int[] blockBytes() {
        return blockBytes;
    }

    @Override
    public int[] next(SplittableRandom random) {
        int first = keyOfRank[ranks.draw(random)];
        int length = Math.min(1 + random.nextInt(longest), blockBytes.length - first);
        int[] blocks = new int[length];
        for (int i = 0; i < length; i++) {
            blocks[i] = first + i;
        }
        return blocks;
    }

    @Override
    public void skew() {
        ranks = new PowerLaw(blockBytes.length, exponent);
    }

    private static int[] shuffled(int count, SplittableRandom random) {
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            int other = random.nextInt(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        return order;
    }
}
