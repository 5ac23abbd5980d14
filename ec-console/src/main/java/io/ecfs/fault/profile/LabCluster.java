package io.ecfs.fault.profile;

import io.ecfs.layout.Policy;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The cluster of an experiment, which it starts and removes.
 *
 * @param volumes of each datanode
 * @param racks that the datanodes are dealt over; of a simulation too
 * @param disks what the volumes lie on
 * @param set {@code namenode.key=value} and {@code datanode.key=value}
 */
public record LabCluster(
        Shape shape, int namenodes, int datanodes, int volumes, int racks, DiskKind disks, List<String> set) {
    private static final int MOST_DATANODES = 500;
    private static final int MOST_VOLUMES = 64;
    private static final int USUAL_DATANODES = 10;
    private static final List<Integer> NAMENODES = List.of(1, 3, 5, 7, 9);

    /** Processes of the cluster. */
    public enum Shape {
        /** One JVM for each daemon. */
        PROCESSES,
        /** All in this process: it starts in a second, and a kill is an orderly stop. */
        ONE,
        /** In virtual time, on disks in memory. */
        SIM
    }

    /** What volumes lie on. */
    public enum DiskKind {
        /** Directories. */
        DIR,
        /** File systems in memory, a GiB each: they can be filled and mounted read-only. Needs root. */
        TMPFS,
        /** Device-mapper targets over files. Needs root, and the kernel's device-mapper. */
        DM
    }

    public LabCluster {
        Objects.requireNonNull(shape, "shape");
        Objects.requireNonNull(disks, "disks");
        set = List.copyOf(set);
        if (!NAMENODES.contains(namenodes)) {
            int nearest = Math.max(1, Math.min(9, namenodes % 2 == 0 ? namenodes + 1 : namenodes));
            throw new IllegalArgumentException("namenodes must be 1, 3, 5, 7 or 9, so that a majority is clear; got "
                    + namenodes + "; nearest valid is " + nearest);
        }
        requireRange("datanodes", datanodes, 1, MOST_DATANODES);
        requireRange("volumes", volumes, 1, MOST_VOLUMES);
        requireRange("racks", racks, 1, datanodes);
        for (String setting : set) {
            if (!setting.matches("(namenode|datanode|client)\\.[A-Za-z.]+=.*")) {
                throw new IllegalArgumentException("set takes namenode.KEY=VALUE, datanode.KEY=VALUE and"
                        + " client.KEY=VALUE, got '" + setting + "'; nearest valid is 'datanode." + setting + "'");
            }
        }
    }

    public static LabCluster defaults() {
        return new LabCluster(Shape.PROCESSES, 1, USUAL_DATANODES, 1, 1, DiskKind.DIR, List.of());
    }

    /** The same with more settings of daemons, which replace those of the same keys. */
    public LabCluster with(List<String> more) {
        return new LabCluster(
                shape,
                namenodes,
                datanodes,
                volumes,
                racks,
                disks,
                Stream.concat(set.stream(), more.stream()).toList());
    }

    /** @throws IllegalArgumentException when a group of the policy has no place in it */
    void requirePlaceFor(Policy policy) {
        if (datanodes < policy.chunks()) {
            throw new IllegalArgumentException("policy " + policy + " needs a datanode for each of its "
                    + policy.chunks() + " chunks, cluster.datanodes is " + datanodes + "; nearest valid is "
                    + policy.chunks());
        }
    }

    private static void requireRange(String key, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(key + " must be from " + least + " to " + most + ", got " + value
                    + "; nearest valid is " + Math.max(least, Math.min(most, value)));
        }
    }
}
