package io.ecfs.bench.bed.recovery;

import io.ecfs.bench.bed.Device;

/**
 * Hardware of each datanode; what several have in common, such as the link of a host, is divided among them.
 *
 * @param disk its overhead is that of each access, and of a sync
 * @param linkBytesPerSecond in each direction
 * @param cores of the speed on which {@link io.ecfs.advise.RepairCpu} was measured
 * @param visits how a source reads the runs of a slice
 * @param warm sources have their chunks in the page cache: reading them takes no time of the disk
 */
public record DatanodeHardware(Device disk, long linkBytesPerSecond, int cores, Visits visits, boolean warm) {
    /** How a source reads the runs of a slice, which a vector code may have many of. */
    public enum Visits {
        /** Each run is an access of its own. */
        EACH_RUN,
        /**
         * Neighbours in one, the bytes between them too, where that is faster by {@link io.ecfs.transfer.ReadVisits}:
         * that is what datanodes do. They do not know their disks; of slower ones they read more runs than is best.
         */
        ONE_WHERE_FASTER
    }

    /** With sources that read from their disks. */
    public DatanodeHardware(Device disk, long linkBytesPerSecond, int cores, Visits visits) {
        this(disk, linkBytesPerSecond, cores, visits, false);
    }

    public DatanodeHardware {
        if (linkBytesPerSecond < 1 || cores < 1) {
            throw new IllegalArgumentException(
                    "a datanode has a link and a core, got " + linkBytesPerSecond + " bytes/s and " + cores + " cores");
        }
    }

    public DatanodeHardware with(Visits other) {
        return new DatanodeHardware(disk, linkBytesPerSecond, cores, other, warm);
    }

    public DatanodeHardware with(Device other) {
        return new DatanodeHardware(other, linkBytesPerSecond, cores, visits, warm);
    }

    public DatanodeHardware with(boolean sourcesWarm) {
        return new DatanodeHardware(disk, linkBytesPerSecond, cores, visits, sourcesWarm);
    }

    /** Time of the disk for the reads of a slice. */
    long readNanos(SourceReads reads) {
        boolean each = visits == Visits.EACH_RUN;
        long accesses = each ? reads.runs() : reads.visits();
        return Math.multiplyExact(disk.overheadNanos(), accesses)
                + disk.readNanos(each ? reads.bytes() : reads.visitedBytes());
    }

    long sendNanos(long bytes) {
        return Math.round(bytes * 1e9 / linkBytesPerSecond);
    }
}
