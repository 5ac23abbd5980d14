package io.ecfs.message.ring;

import io.ecfs.layout.RingId;
import io.ecfs.message.VolumeId;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A volume of a ring as its datanode sees it, in each heartbeat. Counts are of its process: they begin at 0 with it.
 *
 * @param epoch of the ring's clock that the datanode follows
 * @param position of that clock now
 * @param millisToMove until its next turn
 * @param stagedBytes in the journal and not on the volume yet
 * @param journalBytes in the journal, with what is on the volume already and not freed yet
 * @param journalBound most bytes of the journal
 * @param acceptedBytes written to the volume, through its journal or not
 * @param drainedBytes from the journal to the volume
 * @param lateSwitches windows that ended late
 * @param spills writes to the device while the volume only read, by reason
 * @param reading times of reads while the volume only read
 * @param writing times of reads while it wrote or changed its role
 */
public record RingVolumeStatus(
        VolumeId volume,
        RingId ring,
        long epoch,
        int position,
        long millisToMove,
        RingRole role,
        long stagedBytes,
        long journalBytes,
        long journalBound,
        long acceptedBytes,
        long drainedBytes,
        long lateSwitches,
        Map<String, Long> spills,
        ReadTimes reading,
        ReadTimes writing) {
    /** Used share of a journal from which on acknowledgements are delayed. */
    public static final double NEARLY_FULL = 0.8;

    public RingVolumeStatus {
        Objects.requireNonNull(volume, "volume");
        Objects.requireNonNull(ring, "ring");
        Objects.requireNonNull(role, "role");
        Objects.requireNonNull(reading, "reading");
        Objects.requireNonNull(writing, "writing");
        spills = Collections.unmodifiableMap(new TreeMap<>(spills));
        if (stagedBytes < 0
                || journalBytes < 0
                || journalBound < 0
                || acceptedBytes < 0
                || drainedBytes < 0
                || lateSwitches < 0) {
            throw new IllegalArgumentException("status of " + volume + " is negative: staged=" + stagedBytes
                    + " journal=" + journalBytes + " bound=" + journalBound + " accepted=" + acceptedBytes + " drained="
                    + drainedBytes + " late=" + lateSwitches);
        }
    }

    /** Returns whether the volume delays acknowledgements. */
    public boolean journalNearlyFull() {
        return journalBound > 0 && journalBytes >= NEARLY_FULL * journalBound;
    }
}
