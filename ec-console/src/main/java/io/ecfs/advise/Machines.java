package io.ecfs.advise;

/**
 * The datanodes of a cluster, all alike.
 *
 * @param datanodes from 1 to {@link #MOST_DATANODES}
 * @param diskBytesPerSecond that the disks of one datanode read, or write
 * @param netBytesPerSecond that one datanode sends, and receives
 * @param cores of one datanode
 */
public record Machines(int datanodes, double diskBytesPerSecond, double netBytesPerSecond, int cores) {
    public static final int MOST_DATANODES = 100_000;

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
    }

    Machines withDatanodes(int number) {
        return new Machines(number, diskBytesPerSecond, netBytesPerSecond, cores);
    }
}
