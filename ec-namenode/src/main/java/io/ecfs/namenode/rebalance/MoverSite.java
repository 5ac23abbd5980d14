package io.ecfs.namenode.rebalance;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.datanode.DatanodeLoad;
import io.ecfs.namenode.stats.SiteLoads;
import java.util.Optional;

/**
 * A datanode in the mover's model (ec-store paper: S_j).
 * @param rack its failure domain
 * @param takes whether it may receive chunks now
 * @param overheadNanos cost of a request to it: o_j
 * @param load omega over the mean of all datanodes; 1 is average
 * @param bytesPerSecond read from and written to it
 */
public record MoverSite(
        DatanodeId datanode, String rack, boolean takes, double overheadNanos, double load, double bytesPerSecond) {
    private static final double NANOS_OF_MICROS = 1000;

    /** A volume is slow when a read takes more than this multiple of the usual time: reads differ in size. */
    private static final long SLOW = 2;

    /**
     * Derives a site from the loads that it and all others reported; empty while it reports none.
     * @param overheadNanos cost of a request to it beside its queues
     */
    public static Optional<MoverSite> of(
            DatanodeId datanode, String rack, boolean takes, SiteLoads loads, long overheadNanos) {
        DatanodeLoad load = loads.reported().get(datanode);
        return loads.share(datanode)
                .map(share -> new MoverSite(
                        datanode,
                        rack,
                        takes,
                        overheadNanos + NANOS_OF_MICROS * (load.waitMicros() + slowMicros(load, loads)),
                        share,
                        load.bytesPerSecond()));
    }

    /** Readers avoid a slow volume, so it has no queue: by its queue alone it would seem the best target of all. */
    private static long slowMicros(DatanodeLoad load, SiteLoads loads) {
        return Math.max(0, load.serviceMicros() - SLOW * loads.usualServiceMicros());
    }

    MoverSite withLoad(double changed) {
        return new MoverSite(datanode, rack, takes, overheadNanos, Math.max(0, changed), bytesPerSecond);
    }
}
