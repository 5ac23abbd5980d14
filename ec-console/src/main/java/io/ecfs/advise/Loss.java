package io.ecfs.advise;

/**
 * What one datanode had.
 *
 * @param bytes of its chunks
 * @param chunks mean number of them, of datanodes that hold equally much
 * @param readPerByte bytes that are read for each byte that is rebuilt
 * @param runsPerChunk contiguous runs that are read of all sources together for each chunk
 * @param sources that each chunk is computed from
 * @param cpuSecondsPerByte processor time of all datanodes together for each byte that is rebuilt
 */
record Loss(
        double bytes,
        double chunks,
        double readPerByte,
        double runsPerChunk,
        double sources,
        double cpuSecondsPerByte) {
    Loss {
        if (!(bytes > 0) || !(chunks > 0) || !(readPerByte > 0) || !(cpuSecondsPerByte >= 0)) {
            throw new IllegalArgumentException("a loss has bytes and chunks that are read for, got " + bytes + " in "
                    + chunks + " with " + readPerByte + " and " + cpuSecondsPerByte + " s a byte");
        }
        if (!(sources >= 1) || !(runsPerChunk >= sources)) {
            throw new IllegalArgumentException("a chunk is read from a source and in a run of each at least, got "
                    + runsPerChunk + " runs of " + sources);
        }
    }
}
