package io.ecfs.datanode.scrub;

import io.ecfs.transfer.ChunkPayload;
import java.time.Duration;

/**
 * Settings of the scrub; HDFS calls similar ones {@code dfs.block.scanner.volume.bytes.per.second} and
 * {@code dfs.datanode.scan.period.hours}.
 *
 * @param on whether volumes are scrubbed
 * @param bytesPerSecond read of one volume
 * @param sliceBytes read at a time; a multiple of the checksum window
 * @param every from the beginning of a round over a volume to that of the next; one that takes longer is followed at
 *     once
 * @param noteEvery how often the place is noted on the volume; so much is read again after a crash
 */
public record ScrubSettings(boolean on, long bytesPerSecond, int sliceBytes, Duration every, Duration noteEvery) {
    private static final int WINDOW_BYTES = ChunkPayload.WINDOW_BYTES;

    public ScrubSettings {
        if (bytesPerSecond < 1 || sliceBytes < WINDOW_BYTES || sliceBytes % WINDOW_BYTES != 0) {
            throw new IllegalArgumentException(
                    "scrub.bytesPerSecond must be at least 1 and scrub.sliceBytes a multiple of " + WINDOW_BYTES
                            + ", got " + bytesPerSecond + " and " + sliceBytes);
        }
        if (every.isNegative() || noteEvery.isNegative()) {
            throw new IllegalArgumentException(
                    "scrub.every and scrub.noteEvery must not be negative, got " + every + " and " + noteEvery);
        }
    }

    public static ScrubSettings defaults() {
        return new ScrubSettings(true, 4 << 20, 1 << 20, Duration.ofDays(14), Duration.ofMinutes(1));
    }
}
