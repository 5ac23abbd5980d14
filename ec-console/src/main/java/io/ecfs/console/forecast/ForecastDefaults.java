package io.ecfs.console.forecast;

import io.ecfs.client.base.ClientConfig;
import java.util.concurrent.TimeUnit;

/**
 * Values that a forecast of writes takes where none is given, the same for the command, the console and the benchmarks.
 * Texts are those that options of the command line read.
 */
public final class ForecastDefaults {
    private static final int LATENCY_MICROS = 20;
    private static final int DISK_MEBIBYTES_PER_SECOND = 500;
    private static final int FILE_GIBIBYTES = 1;

    /** Of a datanode. */
    public static final int CORES = 4;

    public static final String CORES_TEXT = CORES + "";

    /** Of the network, one way. */
    public static final long LATENCY_NANOS = TimeUnit.MICROSECONDS.toNanos(LATENCY_MICROS);

    public static final String LATENCY_TEXT = LATENCY_MICROS + "us";

    /** Of the disks of one datanode. */
    public static final long DISK_BYTES_PER_SECOND = (long) DISK_MEBIBYTES_PER_SECOND << 20;

    public static final String DISK_TEXT = DISK_MEBIBYTES_PER_SECOND + "m";

    /** Of each file. */
    public static final long FILE_BYTES = (long) FILE_GIBIBYTES << 30;

    public static final String FILE_TEXT = FILE_GIBIBYTES + "g";

    private ForecastDefaults() {}

    /** Stripes that a client has under way, the one that is being filled counted. */
    public static int window() {
        return ClientConfig.defaults().writeWindowStripes() + 1;
    }
}
