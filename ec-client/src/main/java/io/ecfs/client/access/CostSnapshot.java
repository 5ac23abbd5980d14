package io.ecfs.client.access;

import io.ecfs.message.VolumeId;
import io.ecfs.plan.SiteCosts;
import io.netty.util.collection.IntObjectMap;

/**
 * The costs of volumes at one moment, in nanoseconds. Each volume is a site, since requests wait for volumes, and
 * another one while it writes, in its ring's turn. Unmeasured volumes have the median cost of their role.
 */
public final class CostSnapshot implements SiteCosts {
    record Cost(double accessNanos, double nanosPerByte) {
        static Cost of(VolumeCost measured) {
            return new Cost(measured.accessNanos(), measured.nanosPerByte());
        }
    }

    private final IntObjectMap<Cost> bySite;
    private final Cost usual;
    private final Cost usualWhileWriting;
    private final boolean uneven;

    /** @param bySite not changed any more */
    CostSnapshot(IntObjectMap<Cost> bySite, Cost usual, Cost usualWhileWriting, boolean uneven) {
        this.bySite = bySite;
        this.usual = usual;
        this.usualWhileWriting = usualWhileWriting;
        this.uneven = uneven;
    }

    /**
     * The site of a volume in one of its roles. Cached plans are found by their sites, so that none is used that was
     * made while a volume had another role.
     */
    public static int site(VolumeId volume, boolean writing) {
        return writing ? ~volume.value() : volume.value();
    }

    @Override
    public double access(int site) {
        return of(site).accessNanos();
    }

    @Override
    public double perByte(int site) {
        return of(site).nanosPerByte();
    }

    private Cost of(int site) {
        Cost known = bySite.get(site);
        return known != null ? known : site < 0 ? usualWhileWriting : usual;
    }

    /**
     * Returns whether some volume costs so much more than the median that even the read of a single block should choose
     * by cost.
     */
    public boolean uneven() {
        return uneven;
    }

    /** The median of the known costs. */
    Cost usual() {
        return usual;
    }
}
