package io.ecfs.advise;

import io.ecfs.code.CodeFamily;
import io.ecfs.code.CodeSpec;

/**
 * Processor time of a repair, as measured (docs/benchmarks.md), in seconds for each byte.
 *
 * <p>The recovery of a datanode with RS(6,3) took 14.7 seconds of all processes together for each GB rebuilt, of which
 * six were received and one written. Arithmetic has a small part in that; all the rest is taken to be in proportion to
 * the bytes received and written.
 */
public final class RepairCpu {
    private static final double GIGA = 1e9;

    /** Recovery, a JVM for each daemon: data path beside HDFS. */
    private static final double MEASURED_SECONDS = 14.7 / GIGA;

    private static final double MEASURED_READ_PER_BYTE = 6;

    /** Repair of one chunk by bytes read, {@code native}, {@code stream-1024k}: rs-6-3; lrc-12-2-2 is about alike. */
    private static final double SECONDS_PER_BYTE_READ = 1 / (11.0 * GIGA);

    /** The same of clay-6-3-8. */
    private static final double CLAY_SECONDS_PER_BYTE_READ = 1 / (5.9 * GIGA);

    private static final double SECONDS_PER_BYTE_MOVED =
            (MEASURED_SECONDS - MEASURED_READ_PER_BYTE * SECONDS_PER_BYTE_READ) / (MEASURED_READ_PER_BYTE + 1);

    private RepairCpu() {}

    /** For each byte that is rebuilt. */
    static double secondsPerByte(CodeSpec code, double readPerByte) {
        return seconds(code, readPerByte, 1);
    }

    /** For so many bytes. */
    public static double seconds(CodeSpec code, double bytesRead, double bytesRepaired) {
        double computing = code.family() == CodeFamily.CLAY ? CLAY_SECONDS_PER_BYTE_READ : SECONDS_PER_BYTE_READ;
        return bytesRead * computing + (bytesRead + bytesRepaired) * SECONDS_PER_BYTE_MOVED;
    }
}
