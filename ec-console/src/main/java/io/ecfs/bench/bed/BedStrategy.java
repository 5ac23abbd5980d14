package io.ecfs.bench.bed;

import io.ecfs.code.ChunkSet;
import java.util.List;
import java.util.Optional;

/** Strategy by which a client chooses the chunks it reads. */
interface BedStrategy {
    /**
     * Requested chunks of one block.
     *
     * @param chunks that sites read in the order of arrival
     * @param spares that sites read when idle
     */
    record Choice(ChunkSet chunks, ChunkSet spares) {}

    /**
     * @param blocks of one request
     * @return for each of them the chunks to ask for, none of them at a failed site
     */
    List<Choice> choose(int[] blocks);

    /**
     * A chunk, no spare one, was answered.
     *
     * @param through bytes that the site had to read of this request by then
     * @param nanos since the request began
     */
    default void answered(int site, long through, long nanos) {}

    /** Such a chunk is not needed any more and was not answered; see {@link #answered}. */
    default void calledOff(int site, long through, long nanos) {}

    /** Starts the measurement of planning. */
    default void measure() {}

    /** Of what was planned since; empty where nothing is. */
    default Optional<CacheUse> cacheUse() {
        return Optional.empty();
    }

    /** Of what was planned since; empty where that is not timed. */
    default Optional<PlanningTimes> planningTimes() {
        return Optional.empty();
    }
}
