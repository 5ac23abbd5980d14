package io.ecfs.bench.koh;

import java.time.Duration;

/**
 * One kind of process of a mix.
 *
 * @param weight of its operations among those of all components
 * @param data share of operations that read or write; the others are metadata
 * @param reads share of reads among those
 * @param sequential share of those, reads and writes alike
 * @param mainBytes the most frequent block size
 * @param main share of that size; its half and its double have equal parts of the rest
 * @param bitsPerSecond rate that a process keeps; 0: as fast as it can
 */
public record MixComponent(
        String name,
        double weight,
        double data,
        double reads,
        double sequential,
        int mainBytes,
        double main,
        long bitsPerSecond) {
    private static final double BITS_PER_BYTE = 8;
    private static final double NANOS = 1e9;

    public MixComponent {
        if (!(weight > 0) || mainBytes < 2 || bitsPerSecond < 0) {
            throw new IllegalArgumentException("component " + name + " needs a share above 0 and blocks, got " + weight
                    + " and " + mainBytes + " bytes");
        }
        for (double share : new double[] {data, reads, sequential, main}) {
            if (!(share >= 0 && share <= 1)) {
                throw new IllegalArgumentException("a share of component " + name + " must be from 0 to 100 %");
            }
        }
    }

    public int leastBytes() {
        return main < 1 ? mainBytes / 2 : mainBytes;
    }

    public int mostBytes() {
        return main < 1 ? mainBytes * 2 : mainBytes;
    }

    public boolean isRateLimited() {
        return bitsPerSecond > 0;
    }

    /** Time from one block's due start to the next one's; zero without a rate. */
    public Duration interval(int bytes) {
        return isRateLimited()
                ? Duration.ofNanos(Math.round(bytes * BITS_PER_BYTE * NANOS / bitsPerSecond))
                : Duration.ZERO;
    }

    /** The block size at a number in [0, 1). */
    int bytes(double number) {
        if (number < main) {
            return mainBytes;
        }
        return number < main + (1 - main) / 2 ? mainBytes / 2 : mainBytes * 2;
    }
}
