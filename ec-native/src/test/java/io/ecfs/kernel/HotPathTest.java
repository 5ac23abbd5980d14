package io.ecfs.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.ecfs.code.ChunkSet;
import io.ecfs.code.CodeSpec;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import io.ecfs.code.construction.ErasureCodes;
import io.ecfs.code.kernel.Kernels;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the client does for every stripe leaves nothing to the garbage collector. */
class HotPathTest {
    private static final int RUNS = 300;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @ParameterizedTest
    @CsvSource({
        "rs-6-3, native",
        "rs-6-3, isal",
        "rs-6-3, java",
        "rs-20-4, native",
        "lrc-6-2-2, native",
        "clay-4-2-5, native",
        "clay-4-2-5, java",
        "liberation-4-2, isal"
    })
    void encodeRepairAndUpdateAllocateNothing(String spec, String kernel) {
        ErasureCode code = ErasureCodes.create(CodeSpec.parse(spec), Kernels.choose(kernel));
        int bytes = 64 * code.subChunks();
        ByteBuffer[] data = cells(code.dataChunks(), bytes);
        ByteBuffer[] parity = cells(code.parityChunks(), bytes);
        RepairPlan plan = (RepairPlan) code.plan(ChunkSet.of(0), ChunkSet.range(1, code.chunks()));
        Map<Integer, ByteBuffer> reads = new TreeMap<>();
        plan.sources()
                .forEach(index -> reads.put(index, ByteBuffer.allocateDirect((int) plan.bytesRead(index, bytes))));
        Map<Integer, ByteBuffer> outputs = new TreeMap<>(Map.of(0, ByteBuffer.allocateDirect(bytes)));

        assertAllocatesNothing("encode", () -> code.encode(data, parity));
        assertAllocatesNothing("repair", () -> code.repair(plan, reads, outputs));
        assertAllocatesNothing("update", () -> code.update(0, data[0], parity));
    }

    private static ByteBuffer[] cells(int count, int bytes) {
        ByteBuffer[] cells = new ByteBuffer[count];
        Arrays.setAll(cells, i -> ByteBuffer.allocateDirect(bytes));
        return cells;
    }

    /**
     * What is made once (a call site, a thread's workspace) shows in one round at most; what is made by each run in
     * all.
     */
    private void assertAllocatesNothing(String what, Runnable run) {
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 4; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < RUNS; i++) {
                run.run();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).as("bytes allocated by %s runs of %s", RUNS, what).isZero();
    }
}
