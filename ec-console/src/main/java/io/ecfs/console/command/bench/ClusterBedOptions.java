package io.ecfs.console.command.bench;

import io.ecfs.bench.bed.cluster.ClusterSetting;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of the clusters of {@code --bed cluster}. */
final class ClusterBedOptions {
    @Mixin
    private OwnClusterOptions cluster = new OwnClusterOptions();

    @Option(
            names = "--slower",
            paramLabel = "N",
            defaultValue = "8",
            description =
                    "Of a cluster: how many times slower than the paper's disks the modelled ones are, so that this"
                            + " machine's processors keep up with all of them (default: ${DEFAULT-VALUE}).")
    private int slower;

    @Option(
            names = "--namenodes",
            paramLabel = "N",
            defaultValue = "1",
            description = "Of a cluster (default: ${DEFAULT-VALUE}).")
    private int namenodes;

    @Option(
            names = "--hedge",
            description = "On a cluster, clients ask others for chunks that are late, as they usually do (default: they"
                    + " wait, as the paper's do).")
    private boolean hedges;

    ClusterSetting setting() {
        return new ClusterSetting(cluster.parent(), namenodes, slower, hedges, cluster.overrides());
    }

    /** With disks as they are. */
    ClusterSetting realSetting() {
        return new ClusterSetting(cluster.parent(), namenodes, 1, hedges, cluster.overrides());
    }

    /** The part of it that the figures depend on. */
    String describe() {
        return "a cluster with disks " + slower + " times slower than the paper's";
    }
}
