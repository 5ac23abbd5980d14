package io.ecfs.bench.bed;

import java.util.SplittableRandom;

/** Source of the clients' requests. */
public interface Requests {
    /** Bytes of each block there is. */
    int[] blockBytes();

    /** @return different blocks that are read together, at least one */
    int[] next(SplittableRandom random);

    /** Switches to the skew that is measured after the warm-up; the blocks stay the same. */
    void skew();
}
