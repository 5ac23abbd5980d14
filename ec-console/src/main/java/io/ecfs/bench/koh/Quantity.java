package io.ecfs.bench.koh;

import java.util.Locale;

/** What a figure shows. */
public enum Quantity {
    THROUGHPUT("MB/s", true),
    /** Median of one request. */
    LATENCY("ms", false),
    /** Of all processes, for each operation. */
    CPU("us/op", false),
    /** Of contexts, for each operation. */
    SWITCHES("switches/op", false),
    /** From disks, for each requested byte. */
    READ("bytes/byte", false),
    /** To disks, for each requested byte. */
    WRITTEN("bytes/byte", false),
    /** For each requested byte: the paper's between OSDs, ours of clients and datanodes. */
    NETWORK("bytes/byte", false),
    /** Between two idle datanodes. */
    HEARTBEATS("KB/s", false),
    /** Throughput of the worst 100 ms beside the median of all. */
    STEADINESS("of the median", true),
    /** Streams that a rate was promised and that came late. */
    LATE("streams", false);

    private final String unit;
    private final boolean moreIsBetter;

    Quantity(String unit, boolean moreIsBetter) {
        this.unit = unit;
        this.moreIsBetter = moreIsBetter;
    }

    static Quantity of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public String unit() {
        return unit;
    }

    public boolean moreIsBetter() {
        return moreIsBetter;
    }
}
