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
            subChunks = Math.addExact(subChunks, subChunks(code, index, all.without(index)));
        }
        return subChunks / (double) Math.multiplyExact((long) code.subChunks(), lost.size());
    }

    /**
     * Bytes that repairs read for each byte of these chunks when all of them are lost at once, and each is rebuilt by
     * itself from the others of {@code available}.
     *
     * @param available chunks left; they determine the lost ones
     */
    public static double perByteTogether(ErasureCode code, ChunkSet lost, ChunkSet available) {
        if (lost.size() == 0) {
            throw new IllegalArgumentException("no lost chunk to repair");
        }
        long subChunks = 0;
        for (int index : lost) {
            subChunks = Math.addExact(subChunks, subChunks(code, index, available));
        }
        return subChunks / (double) Math.multiplyExact((long) code.subChunks(), lost.size());
    }

    private static long subChunks(ErasureCode code, int index, ChunkSet available) {
        if (!(code.plan(ChunkSet.of(index), available) instanceof RepairPlan plan)) {
            throw new IllegalStateException(
                    "chunks " + available + " of " + code.spec() + " do not determine chunk " + index);
        }
        return plan.bytesRead(code.subChunks());
    }
}
