package io.ecfs.bench.erails;

import io.ecfs.bench.bed.Device;
import io.ecfs.bench.bed.erails.FlashDevice;
import io.ecfs.bench.bed.erails.RingMedia;
import java.time.Duration;
import java.util.OptionalDouble;

/**
 * Real devices, as far as bounds need them.
 *
 * @param reads of the volume that reads slowest
 * @param writes of the volume that writes slowest
 */
record CalibratedMedia(String word, Device reads, Device writes) implements RingMedia {
    private static final Duration TURN = Duration.ofSeconds(10);

    @Override
    public Duration turn() {
        return TURN;
    }

    @Override
    public FlashDevice device(OptionalDouble interference, long bytes) {
        return FlashDevice.undisturbed(reads, writes);
    }
}
