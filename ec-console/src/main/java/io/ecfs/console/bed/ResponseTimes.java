package io.ecfs.console.bed;

import io.ecfs.plan.SiteCosts;
import java.util.Arrays;

/**
 * The cost of each site as a client sees it: the response time of load-status calls, smoothed, and what its disk takes for a byte
 * (EC-Store, section V.B.3).
 */
final class ResponseTimes implements SiteCosts {
    private static final double NEW = 0.1;

    private final double[] access;
    private final double perByte;

    ResponseTimes(int sites, Device device) {
        access = new double[sites];
        Arrays.fill(access, (double) device.overheadNanos());
        perByte = 1e9 / device.bytesPerSecond();
    }

    /** What a request took beyond the reading of its bytes is what turning to the site costs at the moment. */
    void answered(int site, long bytes, long nanos) {
        access[site] += NEW * (nanos - perByte * bytes - access[site]);
    }

    @Override
    public double access(int site) {
        return access[site];
    }

    @Override
    public double perByte(int site, int volume) {
        return perByte;
    }
}
