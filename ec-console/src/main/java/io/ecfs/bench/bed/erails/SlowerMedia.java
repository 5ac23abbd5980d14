package io.ecfs.bench.bed.erails;

import java.time.Duration;
import java.util.OptionalDouble;

/**
 * Media with rates so many times slower.
 *
 * @param times at least 1
 */
public record SlowerMedia(RingMedia media, int times) implements RingMedia {
    @Override
    public String word() {
        return times == 1 ? media.word() : media.word() + ", " + times + " times slower";
    }

    @Override
    public Duration turn() {
        return media.turn();
    }

    @Override
    public FlashDevice device(OptionalDouble interference, long bytes) {
        return media.device(interference, bytes).slower(times, bytes);
    }
}
