package io.ecfs.bench.bed.recovery;

import io.ecfs.bench.bed.Device;

/**
 * Hardware of each datanode; what several have in common, such as the link of a host, is divided among them.
 *
 * @param disk its overhead is that of each contiguous run that is read, and of a sync
 * @param linkBytesPerSecond in each direction
 * @param cores of the speed on which {@link io.ecfs.advise.RepairCpu} was measured
 * @param visits how a source reads the runs of a slice
 * @param warm sources have their chunks in the page cache: reading them takes no time of the disk
 */
public record DatanodeHardware(Device disk, long linkBytesPerSecond, int cores, Visits visits, boolean warm) {
    /** How a source reads the runs of a slice, which a vector code may have many of. */
    public enum Visits {
        /** Each run is a read of its own: that is what datanodes do. */
        EACH_RUN,
        /** All of them in one, the bytes between them too, where that is faster. */
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
        long each = Math.multiplyExact(disk.overheadNanos(), (long) reads.runs()) + disk.readNanos(reads.bytes());
        return visits == Visits.EACH_RUN
                ? each
                : Math.min(each, disk.overheadNanos() + disk.readNanos(reads.spanBytes()));
    }

    long sendNanos(long bytes) {
        return Math.round(bytes * 1e9 / linkBytesPerSecond);
    }
}
