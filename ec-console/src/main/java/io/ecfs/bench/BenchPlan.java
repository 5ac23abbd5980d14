package io.ecfs.bench;

import io.ecfs.bench.load.Content;
import io.ecfs.bench.load.FileSizes;
import io.ecfs.bench.part.WarmMemory;
import io.ecfs.layout.Policy;
import java.util.Arrays;
import java.util.List;

/**
 * Parameters of a run, validated by the constructor: a plan that exists can run on a suitable cluster.
 *
 * @param policies take turns; the others are compared with the first
 * @param threads instead of each workload's own; empty: its own
 * @param sizeBytes of user data in one sequential run, dealt over its threads
 * @param warmUpBytes written and read before the first repetition
 * @param preadBytes of one positional read
 * @param small sizes of small files
 * @param files small ones in one run
 * @param operations of one kind in one run of metadata
 * @param seconds of one run of positional reads or of mixed work
 * @param stopped datanodes that are stopped for degraded reads, ascending; empty: 1 and m
 * @param lateMillis that the slow datanode's answers take longer
 * @param sync files are on disk when close returns
 * @param warmMemory memory is warmed right before the clock of a write starts, see {@link WarmMemory}
 */
public record BenchPlan(
        List<WorkloadKind> workloads,
        List<Policy> policies,
        List<Integer> threads,
        int repetitions,
        long sizeBytes,
        long warmUpBytes,
        List<Integer> preadBytes,
        FileSizes small,
        int files,
        int operations,
        double seconds,
        List<Integer> stopped,
        int lateMillis,
        boolean sync,
        boolean warmMemory) {
    private static final int MOST_THREADS = 512;
    private static final long MOST_SIZE = 1L << 40;
    private static final int FILE_OVERHEAD = 1024;
    private static final double SLACK = 1.05;

    public BenchPlan {
        workloads = List.copyOf(workloads);
        policies = List.copyOf(policies);
        threads = List.copyOf(threads);
        preadBytes = List.copyOf(preadBytes);
        stopped = stopped.stream().sorted().distinct().toList();
        if (workloads.isEmpty()) {
            throw new IllegalArgumentException("which workload? There are "
                    + String.join(
                            ", ",
                            List.of(WorkloadKind.values()).stream()
                                    .map(WorkloadKind::word)
                                    .toList())
                    + " and all");
        }
        if (policies.isEmpty()) {
            throw new IllegalArgumentException("no policy named");
        }
        threads.forEach(count -> requireRange("--threads", count, 1, MOST_THREADS));
        requireRange("--reps", repetitions, 1, 1000);
        requireRange("--size", sizeBytes, Content.SLICE, MOST_SIZE);
        preadBytes.forEach(bytes -> requireRange("--pread-size", bytes, 1, Math.min(sizeBytes, 64 << 20)));
        requireRange("--number", files, 1, 10_000_000);
        requireRange("--number", operations, 1, 100_000_000);
        requireRange("--late", lateMillis, 1, 60_000);
        if (!(seconds > 0 && seconds <= 86_400)) {
            throw new IllegalArgumentException("--seconds must be above 0 and at most 86400, got " + seconds);
        }
        for (int count : stopped) {
            for (Policy policy : policies) {
                if (workloads.contains(WorkloadKind.DEGRADED)
                        && (count < 1 || count > policy.code().survivedLosses())) {
                    throw new IllegalArgumentException("--stopped " + count + ": " + policy
                            + " survives the loss of 1 to " + policy.code().survivedLosses()
                            + " datanodes, so only as many can be stopped");
                }
            }
        }
    }

    /** The threads of a run: as configured, or the workload's own. */
    List<Integer> threads(int... otherwise) {
        return threads.isEmpty() ? Arrays.stream(otherwise).boxed().toList() : threads;
    }

    /** Numbers of stopped datanodes that are measured in turn for this policy. */
    List<Integer> stopped(Policy policy) {
        if (!stopped.isEmpty()) {
            return stopped;
        }
        int losses = policy.code().survivedLosses();
        return losses == 1 ? List.of(1) : List.of(1, losses);
    }

    /** The datanodes that the widest policy needs. */
    public int chunks() {
        return policies.stream().mapToInt(Policy::chunks).max().orElseThrow();
    }

    /** Most that lies on the datanodes' disks at one time, about. */
    public long storedBytes() {
        double largest = 0;
        double baseFiles = 0;
        for (Policy policy : policies) {
            double perByte = policy.chunks() / (double) policy.dataChunks();
            largest = Math.max(
                    largest, perByte * (sizeBytes + warmUpBytes + (double) files * (small.most() + FILE_OVERHEAD)));
            baseFiles += perByte * sizeBytes; // what is read stays until the workload's end, for each policy
        }
        return (long) (SLACK * (largest + baseFiles));
    }

    /** Bytes that so many bytes of user data take on the datanodes' disks, without checksums. */
    static long onDisk(Policy policy, long bytes) {
        return Math.multiplyExact(bytes, policy.chunks()) / policy.dataChunks();
    }

    private static void requireRange(String option, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(option + " must be from " + least + " to " + most + ", got " + value);
        }
    }
}
