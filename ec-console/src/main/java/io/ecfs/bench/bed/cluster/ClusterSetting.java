package io.ecfs.bench.bed.cluster;

import io.ecfs.bench.bed.Device;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Settings of a cluster beside the plan, validated by the constructor.
 *
 * @param parent of its directory; empty: the system's directory of temporary files
 * @param namenodes 1, or 3 as on real machines
 * @param slower factor by which disks are slower than the paper's, so that this machine's processors keep up with all of
 *     them
 * @param hedges clients hedge late chunks, as usual; the paper's do not
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
