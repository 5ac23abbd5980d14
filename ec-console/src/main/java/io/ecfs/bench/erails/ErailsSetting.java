package io.ecfs.bench.erails;

import io.ecfs.bench.bed.erails.CodingTimes;
import io.ecfs.bench.bed.erails.FlashDevice;
import io.ecfs.bench.bed.erails.Load;
import io.ecfs.bench.bed.erails.MeasuredCoding;
import io.ecfs.bench.bed.erails.RingMedia;
import io.ecfs.message.ring.RingClock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * What is common to all runs.
 *
 * @param turn between turns; empty for the media's usual one
 * @param guard before a turn; empty for as long as reads suffer from writes, and a quarter of a second at least
 * @param writers empty for as many as the figure has
 * @param interference factor by which reads are slower beside writes; empty for the media's usual one
 * @param journalBytes of a volume; empty for twice what is staged at most
 * @param chunkRequests whether a request is of 128 KiB for each volume, not for the object
 * @param coding of the model's processors
 * @param codec for the figures of coding itself
 * @param quick short runs with frequent turns
 */
public record ErailsSetting(
        RingMedia media,
        Optional<Duration> turn,
        Optional<Duration> guard,
        OptionalInt writers,
        OptionalDouble interference,
        OptionalLong journalBytes,
        int failed,
        Duration skew,
        Load.Mix mix,
        boolean chunkRequests,
        boolean alwaysDecodes,
        CodingTimes coding,
        MeasuredCoding codec,
        boolean quick,
        long seed) {
    static final long REQUEST_BYTES = 128L << 10;
    static final Duration LEAST_GUARD = Duration.ofMillis(RingClock.GUARD_MILLIS);

    private static final Duration QUICK_TURN = Duration.ofSeconds(2);
    private static final int MOST_GUARDS = 4;

    public ErailsSetting {
        Objects.requireNonNull(media, "media");
        Objects.requireNonNull(coding, "coding");
        Objects.requireNonNull(codec, "codec");
        if (skew.isNegative()) {
            throw new IllegalArgumentException("a skew of clocks is 0 or more, got " + skew.toMillis() + " ms");
        }
    }

    /** Between turns. */
    Duration turn(FlashDevice device) {
        Duration quickest = guard(device).multipliedBy(2L * MOST_GUARDS);
        return turn.orElse(!quick ? media.turn() : quickest.compareTo(QUICK_TURN) > 0 ? quickest : QUICK_TURN);
    }

    /** Before a turn. */
    Duration guard(FlashDevice device) {
        Duration suffering = Duration.ofNanos(device.afterNanos() + device.afterNanos() / 4);
        return guard.orElse(suffering.compareTo(LEAST_GUARD) > 0 ? suffering : LEAST_GUARD);
    }

    ErailsSetting with(RingMedia other) {
        return changed(change -> change.media = other);
    }

    ErailsSetting withTurn(Duration other) {
        return changed(change -> change.turn = Optional.of(other));
    }

    ErailsSetting withWriters(int other) {
        return changed(change -> change.writers = OptionalInt.of(other));
    }

    ErailsSetting withInterference(double other) {
        return changed(change -> change.interference = OptionalDouble.of(other));
    }

    ErailsSetting withJournal(long other) {
        return changed(change -> change.journalBytes = OptionalLong.of(other));
    }

    ErailsSetting withFailed(int other) {
        return changed(change -> change.failed = other);
    }

    ErailsSetting withSkew(Duration other) {
        return changed(change -> change.skew = other);
    }

    ErailsSetting withCoding(CodingTimes other) {
        return changed(change -> change.coding = other);
    }

    ErailsSetting alwaysDecoding() {
        return changed(change -> change.alwaysDecodes = true);
    }

    private ErailsSetting changed(Consumer<Change> by) {
        Change change = new Change();
        by.accept(change);
        return new ErailsSetting(
                change.media,
                change.turn,
                guard,
                change.writers,
                change.interference,
                change.journalBytes,
                change.failed,
                change.skew,
                mix,
                chunkRequests,
                change.alwaysDecodes,
                change.coding,
                codec,
                quick,
                seed);
    }

    /** What a figure varies. */
    private final class Change {
        RingMedia media = ErailsSetting.this.media;
        Optional<Duration> turn = ErailsSetting.this.turn;
        OptionalInt writers = ErailsSetting.this.writers;
        OptionalDouble interference = ErailsSetting.this.interference;
        OptionalLong journalBytes = ErailsSetting.this.journalBytes;
        int failed = ErailsSetting.this.failed;
        Duration skew = ErailsSetting.this.skew;
        boolean alwaysDecodes = ErailsSetting.this.alwaysDecodes;
        CodingTimes coding = ErailsSetting.this.coding;
    }
}
