package io.ecfs.advise;

import io.ecfs.code.CodeSpec;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What repairs of single chunks read, by code. Planning the repairs of some families takes longer than all the rest of
 * an advice, and files, machines and most goals do not change it. Any thread may ask.
 */
public final class ReadCosts {
    /** More codes than {@link Candidates} have for several numbers of losses; beyond it all are computed anew. */
    private static final int MOST_CODES = 1000;

    private final Map<CodeSpec, RepairReading> readings = new ConcurrentHashMap<>();

    RepairReading of(CodeSpec code) {
        RepairReading known = readings.get(code);
        if (known != null) {
            return known;
        }
        RepairReading computed = RepairReading.of(code);
        if (readings.size() >= MOST_CODES) {
            readings.clear();
        }
        readings.put(code, computed);
        return computed;
    }
}
