package io.ecfs.advise;

import java.util.Objects;

/**
 * The datanodes of a cluster, all alike.
 *
 * @param datanodes from 1 to {@link #MOST_DATANODES}
 * @param diskBytesPerSecond that the disks of one datanode read, or write
 * @param netBytesPerSecond that one datanode sends, and receives
 * @param cores of one datanode; a part of one where datanodes share a machine
 * @param accessSeconds that a disk takes for each contiguous run that it reads, beside the time of the bytes
 * @param cpu that repairs take of these cores
 */
public record Machines(
        int datanodes,
        double diskBytesPerSecond,
        double netBytesPerSecond,
        double cores,
        double accessSeconds,
        RepairCpu cpu) {
    public static final int MOST_DATANODES = 100_000;

    private static final int MOST_CORES = 1024;

    /** Of flash with 10,000 reads a second: assumed. */
    public static final double USUAL_ACCESS_SECONDS = 1e-4;

    public Machines(int datanodes, double diskBytesPerSecond, double netBytesPerSecond, double cores) {
        this(datanodes, diskBytesPerSecond, netBytesPerSecond, cores, USUAL_ACCESS_SECONDS);
    }

    /** With cores of the speed on which {@link RepairCpu} was measured. */
    public Machines(
            int datanodes, double diskBytesPerSecond, double netBytesPerSecond, double cores, double accessSeconds) {
        this(datanodes, diskBytesPerSecond, netBytesPerSecond, cores, accessSeconds, RepairCpu.USUAL);
    }

    public Machines {
        Objects.requireNonNull(cpu, "cpu");
        if (datanodes < 1 || datanodes > MOST_DATANODES) {
            throw new IllegalArgumentException(
                    "a cluster has 1 to " + MOST_DATANODES + " datanodes, got " + datanodes + ": use --datanodes 30");
        }
        if (!(diskBytesPerSecond > 0) || !(netBytesPerSecond > 0)) {
            throw new IllegalArgumentException("disks and links need a speed, got " + diskBytesPerSecond + " and "
                    + netBytesPerSecond + " bytes/s: use --disk 250MB/s and --net 10Gbit");
        }
        if (!(cores > 0 && cores <= MOST_CORES)) {
            throw new IllegalArgumentException(
                    "a datanode has more than 0 cores, " + MOST_CORES + " at most, got " + cores + ": use --cores 4");
        }
        if (!(accessSeconds >= 0 && accessSeconds <= 1)) {
            throw new IllegalArgumentException(
                    "a disk takes 0 to 1 s for an access, got " + accessSeconds + " s: use --access 100us");
        }
    }

    Machines withDatanodes(int number) {
        return new Machines(number, diskBytesPerSecond, netBytesPerSecond, cores, accessSeconds, cpu);
    }
}
