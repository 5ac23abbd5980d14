package io.ecfs.bench.exstorus;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Tables and figures of the paper, and the combinations of k and m that it supports and does not measure. */
public enum Shown {
    TABLE1,
    TABLE2,
    TABLE3,
    /** Throughput by code, one thread. */
    FIG4,
    /** Processor time by code, one thread. */
    FIG5,
    /** Throughput by code, several threads. */
    FIG6,
    /** Processor time by code, several threads. */
    FIG7,
    /** Times of table 1 by record. */
    FIG9,
    /** Shares of table 1. */
    FIG10,
    /** Times of table 2 by record. */
    FIG11,
    /** Shares of table 2. */
    FIG12,
    /** 1 G beside 10 G. */
    FIG13,
    /** Shares of table 3. */
    FIG14,
    /** Data distribution on faster networks. */
    FIG15,
    /** Shares on 100 G. */
    FIG16,
    COMBOS;

    /** As people write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(Shown::word).toList();
    }
}
