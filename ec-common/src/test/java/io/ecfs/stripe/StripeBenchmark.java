package io.ecfs.stripe;

import io.ecfs.buffer.BufferPool;
import io.ecfs.layout.Policy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
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
 * User bytes copied into the data cells of one stripe, whose memory is lent and given back each time; without parity
 * and checksums.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public class StripeBenchmark {
    @Param({"rs-6-3-64k", "rs-6-3-1024k"})
    public String policy;

    /** How much one write call brings. */
    @Param({"4", "1024"})
    public int writeKib;

    private Policy parsed;
    private ByteBuffer user;
    private BufferPool pool;

    @Setup
    public void prepare() {
        parsed = Policy.parse(policy);
        user = ByteBuffer.allocate(writeKib << 10);
        pool = new BufferPool("bench", Stripe.memoryBytes(parsed), false);
    }

    @TearDown
    public void close() {
        pool.close();
    }

    @Benchmark
    public long fill() throws IOException {
        try (Stripe stripe = new Stripe(parsed, pool, () -> {})) {
            while (!stripe.full()) {
                stripe.fill(user.clear());
            }
            return stripe.bytes();
        }
    }
}
