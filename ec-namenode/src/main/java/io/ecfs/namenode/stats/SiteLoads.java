package io.ecfs.namenode.stats;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.datanode.DatanodeLoad;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** The loads of all datanodes at one moment, compared with their mean. Pure; never changes. */
public final class SiteLoads {
    private static final double PERCENT = 100;

    private final Map<DatanodeId, DatanodeLoad> reported;
    private final long usualServiceMicros;
    private final double meanBytes; // a second
    private final double meanCpuPermille; // 0: some do not know theirs

    /** @param reported by the datanodes that reported lately */
    public SiteLoads(Map<DatanodeId, DatanodeLoad> reported) {
        this.reported = Collections.unmodifiableMap(new TreeMap<>(reported));
        this.usualServiceMicros = usual(reported);
        this.meanBytes = mean(DatanodeLoad::bytesPerSecond);
        boolean cpus = reported.values().stream().allMatch(load -> load.cpuPermille() >= 0);
        this.meanCpuPermille = cpus ? mean(DatanodeLoad::cpuPermille) : 0;
    }

    /** Loads of the datanodes that reported lately. */
    public Map<DatanodeId, DatanodeLoad> reported() {
        return reported;
    }

    /** The median of those whose volumes were read; 0: none was. */
    public long usualServiceMicros() {
        return usualServiceMicros;
    }

    /**
     * omega(S_j) over its mean: the I/O of a datanode and the CPU of its machine, each compared with the mean of all,
     * half and half (ec-store paper, IV-C); 1 is the mean. Without known CPU I/O decides alone. Empty while the
     * datanode reports no load.
     */
    public Optional<Double> share(DatanodeId datanode) {
        DatanodeLoad load = reported.get(datanode);
        if (load == null) {
            return Optional.empty();
        }
        double ioShare = meanBytes > 0 ? load.bytesPerSecond() / meanBytes : 1;
        double cpuShare = meanCpuPermille > 0 ? load.cpuPermille() / meanCpuPermille : ioShare;
        return Optional.of((ioShare + cpuShare) / 2);
    }

    private static long usual(Map<DatanodeId, DatanodeLoad> reported) {
        long[] known = reported.values().stream()
                .mapToLong(DatanodeLoad::serviceMicros)
                .filter(micros -> micros > 0)
                .sorted()
                .toArray();
        return known.length == 0 ? 0 : known[(known.length - 1) / 2];
    }

    /** (max - avg) / avg x 100 of bytes read a second (ec-store paper: lambda of table II); 0 while nothing is read. */
    public double imbalance() {
        double mean = mean(DatanodeLoad::readBytesPerSecond);
        double most = reported.values().stream()
                .mapToDouble(DatanodeLoad::readBytesPerSecond)
                .max()
                .orElse(0);
        return mean > 0 ? (most - mean) / mean * PERCENT : 0;
    }

    /** Mean over all that reported. */
    public double mean(ToDoubleFunction<DatanodeLoad> value) {
        return reported.values().stream().mapToDouble(value).average().orElse(0);
    }
}
