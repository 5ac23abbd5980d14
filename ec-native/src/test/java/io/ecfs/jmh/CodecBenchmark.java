package io.ecfs.jmh;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.CodeSpec;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.construction.ErasureCodes;
import io.ecfs.code.kernel.Kernels;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Time to work through a batch of stripes by one coder; {@link Jmh} turns it into GB/s. Beside JMH's own clock it takes
 * the CPU time of the measuring thread, which other processes of the machine disturb far less.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(0)
@Warmup(iterations = 1, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 2, time = 100, timeUnit = TimeUnit.MILLISECONDS)
public class CodecBenchmark {
    /** Allocated once for all benchmarks of the process. */
    private static final ByteBuffer MEMORY = Workload.memory();

    @Param({
        "rs-6-3",
        "rs-10-4",
        "rs-4-2",
        "lrc-12-2-2",
        "clay-6-3-8",
        "clay-4-2-5",
        "crs-6-3-8",
        "crs-4-2-4",
        "liberation-4-2"
    })
    public String code;

    @Param({"hot-64k", "stream-1024k"})
    public String cells;

    @Param({"isal-loop", "native", "isal", "java", "hadoop", "jerasure"})
    public String coder;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private Coder subject;
    private long calls;
    private long cpuNanosBefore;

    /** CPU time of a call in each iteration of the last benchmark, warm-up included. */
    private static final List<Double> CPU_NANOS_PER_CALL = new CopyOnWriteArrayList<>();

    /** Of the last benchmark: the CPU nanoseconds of a call, as the median of so many iterations. */
    static double cpuNanosPerCall(int iterations) {
        int all = CPU_NANOS_PER_CALL.size();
        return Jmh.median(CPU_NANOS_PER_CALL.subList(Math.max(0, all - iterations), all).stream()
                .mapToDouble(nanos -> nanos));
    }

    @Setup(Level.Iteration)
    public void begin() {
        calls = 0;
        cpuNanosBefore = threads.getCurrentThreadCpuTime();
    }

    @TearDown(Level.Iteration)
    public void end() {
        CPU_NANOS_PER_CALL.add((threads.getCurrentThreadCpuTime() - cpuNanosBefore) / (double) Math.max(1, calls));
    }

    @Setup
    public void prepare() throws IOException {
        CPU_NANOS_PER_CALL.clear();
        CodeSpec spec = CodeSpec.parse(code);
        Workload workload = new Workload(spec, cells, MEMORY);
        subject = Coder.of(coder, workload);
        ErasureCode judge = ErasureCodes.create(spec, Kernels.choose("isal"));
        for (int s = 0; s < workload.stripes(); s++) {
            encode(judge, workload.stripe(s));
        }
        if (!coder.equals("jerasure")) {
            check(workload, judge);
        }
    }

    /** The bytes by which a call of the operation is counted. */
    static double bytes(String operation, CodeSpec spec, String cells, String coder) {
        Workload workload = new Workload(spec, cells, MEMORY);
        double cell = (double) workload.batch() * Coder.cellBytes(coder, workload);
        return switch (operation) {
            case "repair" -> cell * OurCoder.readsPerByte(ErasureCodes.create(spec, Kernels.java()));
            case "update" -> cell;
            default -> cell * spec.dataChunks();
        };
    }

    /** The stripes of a call. */
    static int batch(CodeSpec spec, String cells) {
        return new Workload(spec, cells, MEMORY).batch();
    }

    private static void encode(ErasureCode judge, ByteBuffer[] stripe) {
        int k = judge.dataChunks();
        judge.encode(Arrays.copyOf(stripe, k), Arrays.copyOfRange(stripe, k, stripe.length));
    }

    /** What computes other bytes must not be measured. Jerasure lays packets out in its own way. */
    private void check(Workload workload, ErasureCode judge) throws IOException {
        ByteBuffer[] first = workload.stripe(0);
        ByteBuffer[] before = new ByteBuffer[first.length];
        Arrays.setAll(
                before, c -> ByteBuffer.allocateDirect(workload.cellBytes()).put(0, first[c], 0, workload.cellBytes()));
        ChunkSet lost = OurCoder.decodePlan(judge).lost();
        for (int round = 0; round < 2; round++) {
            for (int c = 0; c < first.length; c++) {
                if (round == 0 ? c >= judge.dataChunks() : lost.contains(c)) {
                    first[c].putLong(0, ~first[c].getLong(0));
                }
            }
            for (int done = 0; done < workload.stripes(); done += workload.batch()) {
                if (round == 0) {
                    subject.encode();
                } else {
                    subject.decode();
                }
            }
            if (!Arrays.equals(first, before)) {
                throw new IllegalStateException(coder + " computes other bytes than ours for " + code);
            }
        }
    }

    @Benchmark
    public void encode() throws IOException {
        subject.encode();
        calls++;
    }

    @Benchmark
    public void decode() throws IOException {
        subject.decode();
        calls++;
    }

    @Benchmark
    public void repair() throws IOException {
        subject.repair();
        calls++;
    }

    @Benchmark
    public void update() throws IOException {
        subject.update();
        calls++;
    }
}
