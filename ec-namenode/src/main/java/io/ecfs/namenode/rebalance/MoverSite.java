package io.ecfs.namenode.rebalance;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.datanode.DatanodeLoad;
import io.ecfs.namenode.stats.SiteLoads;
import java.util.Optional;

/**
 * A datanode as the mover sees it (ec-store paper: S_j).
 *
 * @param rack its failure domain
 * @param takes whether it may be given chunks now
 * @param overheadNanos what turning to it costs: o_j
 * @param load omega over the mean of all datanodes; 1 is average
 * @param bytesPerSecond read from and written to it
 */
public record MoverSite(
        DatanodeId datanode, String rack, boolean takes, double overheadNanos, double load, double bytesPerSecond) {
    private static final double NANOS_OF_MICROS = 1000;

    /** Reads differ in size: a volume is slow when one takes more than so many times what is usual. */
    private static final long SLOW = 2;

    /**
     * As the datanode and all others tell it; empty while it tells nothing.
     *
     * @param overheadNanos what asking it costs beside its queues
     */
    public static Optional<MoverSite> told(
            DatanodeId datanode, String rack, boolean takes, SiteLoads loads, long overheadNanos) {
        DatanodeLoad load = loads.told().get(datanode);
        return loads.share(datanode)
                .map(share -> new MoverSite(
                        datanode,
                        rack,
                        takes,
                        overheadNanos + NANOS_OF_MICROS * (load.waitMicros() + slowMicros(load, loads)),
                        share,
                        load.bytesPerSecond()));
    }

    /** Readers avoid a slow volume, and then nobody waits there: it would look like the best of all. */
    private static long slowMicros(DatanodeLoad load, SiteLoads loads) {
        return Math.max(0, load.serviceMicros() - SLOW * loads.usualServiceMicros());
    }

    MoverSite withLoad(double changed) {
        return new MoverSite(datanode, rack, takes, overheadNanos, Math.max(0, changed), bytesPerSecond);
    }
}
