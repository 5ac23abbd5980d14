package io.ecfs.advise;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.CodeSpec;
import io.ecfs.code.RepairReads;
import io.ecfs.code.construction.ErasureCodes;
import io.ecfs.code.kernel.Kernels;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What repairs of single chunks read, by code. Planning the repairs of some families takes longer than all the rest of
 * an advice, and files, machines and most goals do not change it. Any thread may ask.
 */
public final class ReadCosts {
    /** More codes than {@link Candidates} have for several numbers of losses; beyond it all are computed anew. */
    private static final int MOST_CODES = 1000;

    private final Map<CodeSpec, Double> perByte = new ConcurrentHashMap<>();

    /** Bytes that a repair reads for each byte of a single lost chunk, on average over all chunks. */
    public double perByte(CodeSpec code) {
        Double known = perByte.get(code);
        if (known != null) {
            return known;
        }
        double computed =
                RepairReads.perByte(ErasureCodes.create(code, Kernels.java()), ChunkSet.range(0, code.chunks()));
        if (perByte.size() >= MOST_CODES) {
            perByte.clear();
        }
        perByte.put(code, computed);
        return computed;
    }
}
