package io.ecfs.datanode.store.ring;

import java.util.Map;

/**
 * A staged volume in numbers.
 *
 * @param stagedBytes that the device has not
 * @param journalBytes used by the journal, and {@code journalBound} at most
 * @param acceptedBytes written since the start, staged or not
 * @param drainedBytes since the start
 * @param deviceRate bytes a second that the device takes while it writes
 * @param spills writes while the volume only reads
 * @param lateSwitches times that the device was not at rest when the volume should have begun to read
 * @param lostFiles files that are missing because their journal was damaged, or the device had lost what was synced
 */
public record StagedCounts(
        VolumeRole role,
        long stagedBytes,
        long journalBytes,
        long journalBound,
        long acceptedBytes,
        long drainedBytes,
        long deviceRate,
        Map<SpillReason, Long> spills,
        long lateSwitches,
        long lostFiles) {
    public StagedCounts {
        spills = Map.copyOf(spills);
    }

    /** Spills of all reasons. */
    public long allSpills() {
        return spills.values().stream().mapToLong(n -> n).sum();
    }
}
