package io.ecfs.bench.koh;

import io.ecfs.layout.Policy;
import java.util.List;

/**
 * Parameters of a run, validated by the constructor.
 *
 * @param policies take turns
 * @param sizes of requests, for figures that have none of their own
 * @param depths requests under way; empty: those of each figure
 * @param states of the image when writing, for figures that need none of their own
 * @param fileBytes of the file that requests go to
 * @param seconds of one stage
 * @param repetitions of all stages
 */
public record KohOptions(
        List<Policy> policies,
        List<Integer> sizes,
        List<Integer> depths,
        List<ImageState> states,
        long fileBytes,
        double seconds,
        int repetitions) {
    private static final int MOST_DEPTH = 4096;
    private static final long MOST_FILE = 1L << 40;
    private static final int MOST_REPETITIONS = 1000;
    private static final int MOST_SECONDS = 86_400;

    public KohOptions {
        policies = policies.stream().distinct().toList();
        sizes = sizes.stream().distinct().toList();
        depths = depths.stream().distinct().toList();
        states = states.stream().distinct().toList();
        if (policies.isEmpty() || sizes.isEmpty() || states.isEmpty()) {
            throw new IllegalArgumentException("--policies, --sizes and --state need at least one value each");
        }
        if (!ImageState.WRITTEN.containsAll(states)) {
            throw new IllegalArgumentException("--state is pristine or overwrite: others are those of some figures");
        }
        sizes.forEach(RequestSizes::check);
        depths.forEach(depth -> requireRange("--depth", depth, MOST_DEPTH));
        requireRange("--size", fileBytes, MOST_FILE);
        requireRange("--reps", repetitions, MOST_REPETITIONS);
        if (!(seconds > 0 && seconds <= MOST_SECONDS)) {
            throw new IllegalArgumentException("--seconds must be above 0 and at most 86400, got " + seconds);
        }
    }

    private static void requireRange(String option, long value, long most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(option + " must be from 1 to " + most + ", got " + value
                    + "; nearest is " + Math.max(1, Math.min(most, value)));
        }
    }

    /** RS(6,3), RS(4,2) and three copies in cells of 64 KiB; 1 KiB to 1 MiB; both states; 4 GiB, 30 s, 3 times. */
    public static KohOptions usual() {
        return new KohOptions(
                List.of(Policy.parse("rs-6-3-64k"), Policy.parse("rs-4-2-64k"), Policy.parse("replication-3-64k")),
                RequestSizes.parse("1k..1m"),
                List.of(),
                ImageState.WRITTEN,
                4L << 30,
                30,
                3);
    }
}
