package io.ecfs.buffer;

import io.ecfs.error.EcfsException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** A buffer lent and given back, with memory that is never touched: what the pool itself costs. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public class BufferPoolBenchmark {
    @Param({"4", "1024"})
    public int kib;

    private final BufferPool pool = new BufferPool("bench", 16L << 20, false);

    @TearDown
    public void close() {
        pool.close();
    }

    @Benchmark
    public boolean lendAndReturn() throws EcfsException {
        return pool.allocate(kib << 10).release();
    }

    @Benchmark
    @Threads(2)
    public boolean lendAndReturnByTwoThreads() throws EcfsException {
        return pool.allocate(kib << 10).release();
    }

    /** As a writer does: by a future, which waits when the budget is used up. */
    @Benchmark
    public boolean acquireAndReturn() {
        return pool.acquire(kib << 10).join().release();
    }
}
