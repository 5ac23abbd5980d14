package io.ecfs.client.access;

import io.ecfs.plan.SiteCosts;
import io.netty.util.collection.IntObjectMap;

/**
 * The costs of volumes at one moment, in nanoseconds. Each volume is a site, since requests wait for volumes.
 * Unmeasured volumes have the median cost.
 */
public final class CostSnapshot implements SiteCosts {
    record Cost(double accessNanos, double nanosPerByte) {}

    private final IntObjectMap<Cost> byVolume;
    private final Cost usual;
    private final boolean uneven;

    /** @param byVolume not changed any more */
    CostSnapshot(IntObjectMap<Cost> byVolume, Cost usual, boolean uneven) {
        this.byVolume = byVolume;
        this.usual = usual;
        this.uneven = uneven;
    }

    @Override
    public double access(int site) {
        return of(site).accessNanos();
    }

    @Override
    public double perByte(int site) {
        return of(site).nanosPerByte();
    }

    private Cost of(int volume) {
        Cost known = byVolume.get(volume);
        return known == null ? usual : known;
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
