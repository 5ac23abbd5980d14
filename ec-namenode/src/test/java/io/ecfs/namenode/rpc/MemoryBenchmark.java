package io.ecfs.namenode.rpc;

import io.ecfs.layout.Policy;
import io.ecfs.namenode.settings.NamenodeSettings;
import io.ecfs.namenode.store.rocks.RocksSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
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
 * What a namenode keeps in memory for each file with one group. The heap is
 * fixed and touched before, so what the process gains in resident memory beside it lies outside the heap. The HDFS
 * peer's {@code nnheap} counts the live heap, which is all that its namenode has.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 1,
        jvmArgs = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC"})
@Warmup(iterations = 0)
@Measurement(iterations = 1)
@State(Scope.Thread)
public class MemoryBenchmark {
    /** Bytes for each file. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Bytes {
        public double heap;
        public double outsideTheHeap;
        public double resident;
        public double onDisk;
    }

    @Param("50000")
    public int files;

    @Param("rs-6-3-1024k")
    public String policy;

    /** Lengths of the files: all alike, or anything from a byte to a full group. */
    @Param({"alike", "any"})
    public String lengths;

    /** Bounds of RocksDB's memory: what {@code store.writeBufferBytes} and {@code store.blockCacheBytes} set. */
    @Param("64")
    public int writeBufferMiB;

    @Param("128")
    public int blockCacheMiB;

    private LoadedNamenode namenode;

    @Setup
    public void open() throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        namenode = new LoadedNamenode(
                NamenodeSettings.defaults(Policy.parse(policy), "root"),
                new RocksSettings((long) writeBufferMiB << 20, (long) blockCacheMiB << 20),
                of -> lengths.equals("alike") ? of.groupBytes() : random.nextLong(1, of.groupBytes() + 1));
    }

    @TearDown
    public void close() throws IOException {
        namenode.close();
    }

    @Benchmark
    public void fill(Bytes bytes) throws Exception {
        long heap = LoadedNamenode.liveHeapBytes();
        long outside = outsideTheHeap();
        namenode.fill("files", files);
        bytes.heap = (LoadedNamenode.liveHeapBytes() - heap) / (double) files;
        bytes.outsideTheHeap = (outsideTheHeap() - outside) / (double) files;
        bytes.resident = bytes.heap + bytes.outsideTheHeap;
        bytes.onDisk = namenode.onDisk() / (double) files;
    }

    /** Resident memory that no file backs; the heap is in it, but does not change. */
    private static long outsideTheHeap() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("RssAnon:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                .findFirst()
                .orElseThrow();
    }
}
