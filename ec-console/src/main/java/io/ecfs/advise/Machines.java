package io.ecfs.advise;

/**
 * The datanodes of a cluster, all alike.
 *
 * @param datanodes from 1 to {@link #MOST_DATANODES}
 * @param diskBytesPerSecond that the disks of one datanode read, or write
 * @param netBytesPerSecond that one datanode sends, and receives
 * @param cores of one datanode
 * @param accessSeconds that a disk takes for each contiguous run that it reads, beside the time of the bytes
 */
public record Machines(
        int datanodes, double diskBytesPerSecond, double netBytesPerSecond, int cores, double accessSeconds) {
    public static final int MOST_DATANODES = 100_000;

    /** Of flash with 10,000 reads a second: assumed. */
    public static final double USUAL_ACCESS_SECONDS = 1e-4;

    public Machines(int datanodes, double diskBytesPerSecond, double netBytesPerSecond, int cores) {
        this(datanodes, diskBytesPerSecond, netBytesPerSecond, cores, USUAL_ACCESS_SECONDS);
    }

    public Machines {
        if (datanodes < 1 || datanodes > MOST_DATANODES) {
            throw new IllegalArgumentException(
                    "a cluster has 1 to " + MOST_DATANODES + " datanodes, got " + datanodes + ": use --datanodes 30");
        }
        if (!(diskBytesPerSecond > 0) || !(netBytesPerSecond > 0)) {
            throw new IllegalArgumentException("disks and links need a speed, got " + diskBytesPerSecond + " and "
                    + netBytesPerSecond + " bytes/s: use --disk 250MB/s and --net 10Gbit");
        }
        if (cores < 1) {
            throw new IllegalArgumentException("a datanode has at least 1 core, got " + cores + ": use --cores 4");
        }
        if (!(accessSeconds >= 0)) {
            throw new IllegalArgumentException("a disk takes 0 s or more for a read, got " + accessSeconds);
        }
    }

    Machines withDatanodes(int number) {
        return new Machines(number, diskBytesPerSecond, netBytesPerSecond, cores, accessSeconds);
    }
}
