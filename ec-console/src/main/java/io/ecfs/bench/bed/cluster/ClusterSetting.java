package io.ecfs.bench.bed.cluster;

import io.ecfs.bench.bed.Device;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a cluster needs beside a plan. Values check themselves.
 *
 * @param parent where its directory is made; empty: where the system has temporary files
 * @param namenodes 1, or 3 as on real machines
 * @param slower how many times slower than the paper's disks are, so that this machine's processors keep up with all of
 *     them
 * @param hedges whether clients ask others for chunks that are late, as they usually do; the paper's do not
 * @param overrides {@code client.key=value}, {@code namenode.key=value} and {@code datanode.key=value}
 */
public record ClusterSetting(Optional<Path> parent, int namenodes, int slower, boolean hedges, List<String> overrides) {
    private static final int SLOWEST = 1000;

    public ClusterSetting {
        overrides = List.copyOf(overrides);
        if (slower < 1 || slower > SLOWEST) {
            throw new IllegalArgumentException("--slower must be from 1 to " + SLOWEST + ", got " + slower);
        }
    }

    Device device() {
        return Device.OF_THE_PAPER.slower(slower);
    }
}
