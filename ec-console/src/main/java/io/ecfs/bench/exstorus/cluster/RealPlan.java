package io.ecfs.bench.exstorus.cluster;

import io.ecfs.console.forecast.NetworkSpeed;
import io.ecfs.layout.WriteSide;
import io.ecfs.plan.write.Network;
import io.ecfs.plan.write.WriteConstants;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Writes on a cluster, validated by the constructor.
 *
 * @param constants of the bed in virtual time, and of the model
 * @param gigabits of links, one run for each
 * @param latencyNanos of one way
 * @param recordSizes of the paper's table
 * @param records of each run; empty: as many as make a run of about a second
 * @param sides that encode
 * @param window stripes under way of the rates with pipelining, the one being filled counted
 * @param fixedMaster the first chunk's datanode encodes, as in the paper
 * @param repetitions of each measurement, of which the median counts
 * @param parent of the cluster's directory; empty: the system's directory of temporary files
 * @param overrides {@code client.key=value}, {@code namenode.key=value} and {@code datanode.key=value}
 */
public record RealPlan(
        WriteConstants constants,
        List<Double> gigabits,
        long latencyNanos,
        List<Long> recordSizes,
        OptionalInt records,
        List<WriteSide> sides,
        int window,
        boolean fixedMaster,
        int repetitions,
        boolean quick,
        Optional<Path> parent,
        List<String> overrides) {
    /** This machine's processors do not carry more. */
    private static final double FASTEST = 2.5;

    private static final int LEAST_RECORD = 4096;
    private static final long LONGEST_RECORD = 4L << 20;
    private static final int MOST_RECORDS = 50_000;
    private static final int MOST_WINDOW = 1000;
    private static final long RUN_BYTES = 96L << 20;
    private static final long QUICK_RUN_BYTES = 8L << 20;

    public RealPlan {
        gigabits = List.copyOf(gigabits);
        recordSizes = List.copyOf(recordSizes);
        sides = List.copyOf(sides);
        overrides = List.copyOf(overrides);
        for (double one : gigabits) {
            if (one > FASTEST) {
                throw new IllegalArgumentException(
                        "--network of a cluster is at most 2.5g, since its daemons share this"
                                + " machine's processors, got " + NetworkSpeed.text(one)
                                + "; nearest is 2.5g, or --bed sim");
            }
        }
        for (long one : recordSizes) {
            if (one < LEAST_RECORD || one > LONGEST_RECORD || Long.bitCount(one) != 1) {
                long nearest = Math.max(LEAST_RECORD, Math.min(LONGEST_RECORD, Long.highestOneBit(one)));
                throw new IllegalArgumentException("--record of a cluster must be a power of two from 4k to 4m, got "
                        + one + " bytes; nearest is " + nearest / 1024 + "k");
            }
        }
        if (records.isPresent() && (records.getAsInt() < 1 || records.getAsInt() > MOST_RECORDS)) {
            throw new IllegalArgumentException("--records must be from 1 to " + MOST_RECORDS + ", got "
                    + records.getAsInt() + "; nearest is " + Math.max(1, Math.min(MOST_RECORDS, records.getAsInt())));
        }
        if (window < 1 || window > MOST_WINDOW) {
            throw new IllegalArgumentException("--window must be from 1 to " + MOST_WINDOW + ", got " + window
                    + "; nearest is " + Math.max(1, Math.min(MOST_WINDOW, window)));
        }
    }

    Network network(double speed) {
        return Network.ofGigabits(speed, latencyNanos);
    }

    /** Records of a run. */
    int records(long recordBytes) {
        return records.orElse((int) Math.max(1, runBytes() / recordBytes));
    }

    /** User bytes of a run whose records nothing counts. */
    long runBytes() {
        return quick ? QUICK_RUN_BYTES : RUN_BYTES;
    }
}
