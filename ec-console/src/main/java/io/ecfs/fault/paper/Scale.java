package io.ecfs.fault.paper;

import io.ecfs.fault.profile.LabCluster;
import java.util.Objects;

/**
 * Size of the experiments.
 *
 * @param shape processes of the clusters
 * @param bytes of user data
 * @param repetitions of each setting; medians are shown
 * @param all whether all settings of a figure are run, or only those that decide it
 */
public record Scale(LabCluster.Shape shape, long bytes, int repetitions, boolean all) {
    private static final long USUAL_BYTES = 1100L << 20;
    private static final long QUICK_BYTES = 64L << 20;
    private static final int USUAL_REPETITIONS = 3;

    public Scale {
        Objects.requireNonNull(shape, "shape");
        if (bytes < 1 || repetitions < 1) {
            throw new IllegalArgumentException(
                    "bytes and repetitions must be at least 1, got " + bytes + " and " + repetitions);
        }
    }

    public static Scale usual(LabCluster.Shape shape) {
        return new Scale(shape, USUAL_BYTES, USUAL_REPETITIONS, true);
    }

    /** Shows that all of it works, not how fast. */
    public static Scale quick() {
        return new Scale(LabCluster.Shape.ONE, QUICK_BYTES, 1, false);
    }

    /** Rounds before those that count: the first recoveries of a JVM are interpreted. */
    int warmUps() {
        return all && shape == LabCluster.Shape.ONE ? 1 : 0;
    }
}
