package io.ecfs.client.access;

import io.ecfs.plan.SiteCosts;
import java.util.Arrays;
import java.util.Map;

/**
 * The costs of volumes at one moment, in nanoseconds. A volume is a site of its own: it is what a request waits for. Those that were never
 * measured cost what is usual.
 */
public final class CostSnapshot implements SiteCosts {
    record Cost(double accessNanos, double nanosPerByte) {}

    private final int[] volumes; // in growing order
    private final double[] accessNanos;
    private final double[] nanosPerByte;
    private final Cost usual;
    private final boolean uneven;

    CostSnapshot(Map<Integer, Cost> byVolume, Cost usual, boolean uneven) {
        volumes = byVolume.keySet().stream().mapToInt(v -> v).sorted().toArray();
        accessNanos = new double[volumes.length];
        nanosPerByte = new double[volumes.length];
        for (int i = 0; i < volumes.length; i++) {
            Cost cost = byVolume.get(volumes[i]);
            accessNanos[i] = cost.accessNanos();
            nanosPerByte[i] = cost.nanosPerByte();
        }
        this.usual = usual;
        this.uneven = uneven;
    }

    @Override
    public double access(int site) {
        int found = Arrays.binarySearch(volumes, site);
        return found < 0 ? usual.accessNanos() : accessNanos[found];
    }

    @Override
    public double perByte(int site, int volume) {
        int found = Arrays.binarySearch(volumes, volume);
        return found < 0 ? usual.nanosPerByte() : nanosPerByte[found];
    }

    /** Whether some volume costs so much more than is usual that even the read of a single block should look. */
    public boolean uneven() {
        return uneven;
    }

    /** The median of what is known. */
    Cost usual() {
        return usual;
    }
}
