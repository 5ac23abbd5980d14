package io.ecfs.transfer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.OptionalInt;
import java.util.SplittableRandom;
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

/** The CRC32Cs of one cell that stays in cache: written in front of its bytes, and compared with them. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public class ChecksumBenchmark {
    @Param({"64", "1024"})
    public int cellKib;

    private int bytes;
    private ByteBuf payload;

    @Setup
    public void prepare() {
        bytes = cellKib << 10;
        byte[] content = new byte[ChunkPayload.payloadBytes(bytes)];
        new SplittableRandom(1).nextBytes(content);
        payload = Unpooled.directBuffer(content.length).writeBytes(content);
        seal();
        if (verify().isPresent()) {
            throw new IllegalStateException("a sealed cell does not match its own checksums");
        }
    }

    @TearDown
    public void release() {
        payload.release();
    }

    @Benchmark
    public ByteBuf seal() {
        ChunkPayload.seal(payload, bytes);
        return payload;
    }

    @Benchmark
    public OptionalInt verify() {
        return ChunkPayload.firstMismatch(payload, bytes);
    }
}
