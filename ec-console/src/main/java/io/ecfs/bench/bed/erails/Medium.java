package io.ecfs.bench.bed.erails;

import io.ecfs.bench.bed.Device;
import io.ecfs.config.Nearest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Kinds of devices. Only the two rates of the SSD are the paper's (820/3, 1360/5 MB/s read; 125,000 writes of 128 KB in
 * 200 s over three writers); all other numbers are assumptions, to see what the conclusions depend on.
 */
public enum Medium implements RingMedia {
    /** Intel 510 of the paper, with reads four times as slow beside writes unless another factor is given. */
    SSD(
            Duration.ofSeconds(10),
            4,
            FlashDevice.undisturbed(new Device(0, 272L << 20), new Device(0, 52L << 20)),
            FlashDevice.AFTER_NANOS),
    /** Seeks for each read and write; nothing else disturbs. */
    HDD(
            Duration.ofSeconds(10),
            1,
            FlashDevice.undisturbed(new Device(8_000_000, 175L << 20), new Device(8_000_000, 175L << 20)),
            0),
    /** Shingled disk: cleaning goes on for half a second after writes. */
    SMR(
            Duration.ofSeconds(60),
            3,
            FlashDevice.undisturbed(new Device(8_000_000, 175L << 20), new Device(8_000_000, 60L << 20)),
            500_000_000),
    /** Zoned flash: no garbage is collected by the device, so writes are fast and reads do not stall. */
    ZNS(
            Duration.ofSeconds(10),
            1.5,
            FlashDevice.undisturbed(new Device(0, 272L << 20), new Device(0, 200L << 20)),
            5_000_000);

    private final Duration turn;
    private final double interference;
    private final FlashDevice alone;
    private final long afterNanos;

    Medium(Duration turn, double interference, FlashDevice alone, long afterNanos) {
        this.turn = turn;
        this.interference = interference;
        this.alone = alone;
        this.afterNanos = afterNanos;
    }

    @Override
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(Medium::word).toList();
    }

    /** @throws IllegalArgumentException with the nearest */
    public static Medium of(String word) {
        return Arrays.stream(values())
                .filter(medium -> medium.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no medium '" + word + "', did you mean '"
                        + Nearest.to(word, words()) + "'? There are " + String.join(", ", words())
                        + " and files of 'ecfs bench device'"));
    }

    @Override
    public Duration turn() {
        return turn;
    }

    @Override
    public FlashDevice device(OptionalDouble factor, long bytes) {
        FlashDevice device = new FlashDevice(
                alone.reads(), alone.writes(), 0, 0, alone.leastStallNanos(), alone.mostStallNanos(), afterNanos);
        return device.withInterference(factor.orElse(interference), bytes);
    }
}
