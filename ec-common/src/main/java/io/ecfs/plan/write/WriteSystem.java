package io.ecfs.plan.write;

/**
 * Clients and datanodes that writes go through. Clients are alike, each writes one file after the other on one thread;
 * masters are spread evenly over the datanodes.
 *
 * @param window stripes that one client has under way, the one that is being filled counted
 * @param coresOfDatanode that serve and encode
 * @param diskBytesPerSecond that one datanode writes in the long run
 */
public record WriteSystem(int clients, int datanodes, int window, int coresOfDatanode, double diskBytesPerSecond) {
    public WriteSystem {
        if (clients < 1 || datanodes < 1 || window < 1 || coresOfDatanode < 1 || !(diskBytesPerSecond > 0)) {
            throw new IllegalArgumentException("writes take clients, datanodes, a window, cores and disks, got clients="
                    + clients + " datanodes=" + datanodes + " window=" + window + " cores=" + coresOfDatanode
                    + " disk=" + diskBytesPerSecond + " bytes/s");
        }
    }

    /** The same with another number of datanodes. */
    public WriteSystem withDatanodes(int count) {
        return new WriteSystem(clients, count, window, coresOfDatanode, diskBytesPerSecond);
    }
}
