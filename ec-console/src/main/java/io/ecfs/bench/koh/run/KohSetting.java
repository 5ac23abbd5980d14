package io.ecfs.bench.koh.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Cluster and durability of a run, validated by the constructor.
 *
 * @param datanodes dealt over four racks
 * @param processes one JVM for each daemon; volumes are not counted then
 * @param updates how files are written
 * @param quiet disks are flushed and garbage is collected before each stage, and files that it overwrites are fresh
 * @param trace directory for the calls of each volume; empty: none
 * @param parent of the cluster's directory; empty: the system's directory of temporary files
 * @param overrides {@code client.key=value}, {@code namenode.key=value} and {@code datanode.key=value}
 */
public record KohSetting(
        int datanodes,
        boolean processes,
        UpdateSetting updates,
        boolean quiet,
        Optional<Path> trace,
        Optional<Path> parent,
        List<String> overrides) {
    static final int RACKS = 4;
    private static final int MOST_DATANODES = 96;

    public KohSetting {
        overrides = List.copyOf(overrides);
        if (datanodes < 1 || datanodes > MOST_DATANODES) {
            throw new IllegalArgumentException("--datanodes must be from 1 to " + MOST_DATANODES + ", got " + datanodes
                    + "; nearest is " + Math.max(1, Math.min(MOST_DATANODES, datanodes)));
        }
        if (processes && trace.isPresent()) {
            throw new IllegalArgumentException(
                    "--trace sees the volumes of this process: leave out --trace or --processes");
        }
    }

    int racks() {
        return Math.min(RACKS, datanodes);
    }
}
