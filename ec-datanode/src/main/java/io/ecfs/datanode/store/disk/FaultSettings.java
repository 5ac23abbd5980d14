package io.ecfs.datanode.store.disk;

/**
 * Faults that {@code ecfs fault} may inject into this datanode's disks.
 *
 * @param on whether {@link FaultFile} is read; never on a datanode whose data is wanted
 */
public record FaultSettings(boolean on) {
    public static FaultSettings defaults() {
        return new FaultSettings(false);
    }
}
