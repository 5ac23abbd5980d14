package io.ecfs.bench.exstorus.cluster;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What a cluster's writes are shown for. */
public enum RealShown {
    /** The five steps and the rates beside the paper and the bed in virtual time. */
    STEPS,
    /** {@code auto} beside the better of both sides. */
    AUTO,
    /** Mixes that constants are not calibrated with, predicted and measured. */
    HELDOUT,
    /** Processor time of the client, and what it sends. */
    THIN;

    /** As people write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(RealShown::word).toList();
    }
}
