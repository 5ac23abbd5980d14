package io.ecfs.bench.exstorus;

import io.ecfs.bench.bed.hardware.Torus;
import io.ecfs.layout.WriteSide;
import io.ecfs.plan.write.WriteConstants;
import java.util.List;
import java.util.Optional;

/**
 * What all tables of one run share, validated by the constructor.
 *
 * @param constants of our hardware
 * @param side that encodes in our runs of the paper's tables; the paper's is the master
 * @param latencyNanos of one way
 * @param window stripes under way of the rates with pipelining
 * @param threads of figures 6 and 7
 * @param gigabits of {@code combos}
 * @param kernels by name; those that do not load are left out
 * @param quick fewer stripes and shorter measurements
 */
public record ExstorusPlan(
        WriteConstants constants,
        WriteSide side,
        long latencyNanos,
        int window,
        int threads,
        double gigabits,
        Optional<Torus.Size> torus,
        List<String> kernels,
        boolean quick,
        long seed) {
    private static final int MOST_WINDOW = 1000;

    public ExstorusPlan {
        kernels = List.copyOf(kernels);
        require("--window", window);
        require("--threads", threads);
    }

    private static void require(String option, int value) {
        if (value < 1 || value > MOST_WINDOW) {
            throw new IllegalArgumentException(option + " must be from 1 to " + MOST_WINDOW + ", got " + value
                    + "; nearest is " + Math.max(1, Math.min(MOST_WINDOW, value)));
        }
    }
}
