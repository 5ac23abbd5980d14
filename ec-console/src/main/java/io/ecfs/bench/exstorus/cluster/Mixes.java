package io.ecfs.bench.exstorus.cluster;

import java.util.ArrayList;
import java.util.List;

/** Mixes to calibrate constants with, and others to hold their predictions against. */
final class Mixes {
    /** k, m, KiB of a cell; a record is a stripe. */
    private static final int[][] CALIBRATED = {
        {2, 1, 64}, {4, 2, 4}, {4, 2, 16}, {4, 2, 64}, {4, 2, 256}, {6, 3, 64}, {8, 4, 32}, {8, 2, 128}
    };

    private static final int[][] HELD_OUT = {
        {2, 2, 32}, {3, 1, 16}, {3, 2, 128}, {4, 2, 8}, {4, 2, 32}, {5, 3, 64}, {6, 2, 16}, {7, 3, 32}, {9, 3, 64}
    };

    private Mixes() {}

    static List<WriteMix> calibrated(RealPlan plan) {
        return of(CALIBRATED, plan);
    }

    static List<WriteMix> heldOut(RealPlan plan) {
        return of(HELD_OUT, plan);
    }

    private static List<WriteMix> of(int[][] mixes, RealPlan plan) {
        List<WriteMix> all = new ArrayList<>();
        for (int[] mix : mixes) {
            long cell = mix[2] * 1024L;
            long record = mix[0] * cell;
            all.add(new WriteMix(mix[0], mix[1], cell, record, plan.records(record), 1));
        }
        return all;
    }

    /** Datanodes that the widest of them needs. */
    static int datanodes() {
        int most = 0;
        for (int[][] mixes : List.of(CALIBRATED, HELD_OUT)) {
            for (int[] mix : mixes) {
                most = Math.max(most, mix[0] + mix[1]);
            }
        }
        return most;
    }
}
