package io.ecfs.bench.bed.erails;

import io.ecfs.bench.bed.Device;
import java.time.Duration;
import java.util.OptionalDouble;

/**
 * Media that also write names and short files.
 *
 * @param share of them by bytes of chunks
 */
public record NamingMedia(RingMedia media, double share) implements RingMedia {
    @Override
    public String word() {
        return media.word();
    }

    @Override
    public Duration turn() {
        return media.turn();
    }

    @Override
    public FlashDevice device(OptionalDouble interference, long bytes) {
        FlashDevice device = media.device(interference, bytes);
        Device writes = device.writes();
        return new FlashDevice(
                device.reads(),
                new Device(writes.overheadNanos(), Math.round(writes.bytesPerSecond() / (1 + share))),
                device.lostShare(),
                device.stallShare(),
                device.leastStallNanos(),
                device.mostStallNanos(),
                device.afterNanos());
    }
}
