package io.ecfs.sim.cluster;

import io.ecfs.layout.Policy;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * How a file will be written: pieces, each acknowledged before the next is begun.
 *
 * @param ends where each piece ends, ascending; the last is the file's length
 */
record WritePlan(long tag, List<Integer> ends) {
    private static final int MOST_PIECES = 5;
    private static final int MOST_STRIPES = 4;

    WritePlan {
        ends = List.copyOf(ends);
    }

    /** Lengths around the edges of windows, cells and stripes, and between them; a quarter in one piece of a stripe. */
    static WritePlan choose(long tag, Policy policy, SplittableRandom random) {
        TreeSet<Integer> ends = new TreeSet<>();
        if (random.nextInt(4) == 0) {
            return new WritePlan(tag, List.of(1 + random.nextInt((int) policy.stripeBytes())));
        }
        int pieces = 1 + random.nextInt(MOST_PIECES);
        for (int piece = 0; piece < pieces; piece++) {
            int stripe = (int) policy.stripeBytes();
            int edge = random.nextInt(MOST_STRIPES + 1) * stripe + random.nextInt(3) * policy.cellBytes();
            int end = random.nextBoolean() ? edge + random.nextInt(3) - 1 : random.nextInt(MOST_STRIPES * stripe);
            ends.add(Math.max(0, end));
        }
        return new WritePlan(tag, List.copyOf(ends));
    }

    /** One stripe in one piece: the chunks of two such files are as long as each other. */
    static WritePlan oneStripe(long tag, Policy policy) {
        return new WritePlan(tag, List.of((int) policy.stripeBytes()));
    }

    int pieces() {
        return ends.size();
    }

    int length() {
        return ends.get(ends.size() - 1);
    }

    int end(int piece) {
        return ends.get(piece);
    }

    byte[] bytes(int piece) {
        return Contents.of(tag, piece == 0 ? 0 : ends.get(piece - 1), ends.get(piece));
    }
}
