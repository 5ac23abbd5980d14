package io.ecfs.bench.bed.erails;

import java.time.Duration;
import java.util.OptionalDouble;

/** Devices that a ring is made of. */
public interface RingMedia {
    /** For people, in a word. */
    String word();

    /** Usual time between turns. */
    Duration turn();

    /**
     * A device.
     *
     * @param interference factor by which reads are slower beside writes; empty for the usual one
     * @param bytes of the reads that the factor is true of
     */
    FlashDevice device(OptionalDouble interference, long bytes);
}
