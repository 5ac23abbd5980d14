package io.ecfs.bench.bed;

import java.util.SplittableRandom;

/** Where the clients' requests come from. */
public interface Requests {
    /** Bytes of each block there is. */
    int[] blockBytes();

    /** @return different blocks that are read together, at least one */
    int[] next(SplittableRandom random);

    /** The same blocks, asked for with the skew that is measured after the warm-up. */
    void skew();
}
