package io.ecfs.code;

/** What repairs of single losses read, by {@link ErasureCode#plan}. */
public final class RepairReads {
    private RepairReads() {}

    /**
     * Bytes that a repair reads for each byte that it rebuilds when one chunk is lost, on average over the given ones.
     *
     * @param lost at least one chunk of the code; each is lost alone, and all others are there
     */
    public static double perByte(ErasureCode code, ChunkSet lost) {
        if (lost.size() == 0) {
            throw new IllegalArgumentException("no lost chunk to repair");
        }
        ChunkSet all = ChunkSet.range(0, code.chunks());
        long subChunks = 0;
        for (int index : lost) {
            if (!(code.plan(ChunkSet.of(index), all.without(index)) instanceof RepairPlan plan)) {
                throw new IllegalStateException(code + " does not repair chunk " + index + " alone");
            }
            subChunks = Math.addExact(subChunks, plan.bytesRead(code.subChunks()));
        }
        return subChunks / (double) Math.multiplyExact((long) code.subChunks(), lost.size());
    }
}
