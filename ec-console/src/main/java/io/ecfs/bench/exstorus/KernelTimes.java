package io.ecfs.bench.exstorus;

import io.ecfs.code.ErasureCode;
import io.ecfs.code.construction.ErasureCodes;
import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.layout.Policy;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.LongSupplier;

/** Times of a kernel on this machine: processor nanoseconds of this thread for the parity of one stripe. */
final class KernelTimes {
    private static final int ROUNDS = 7;
    private static final long WARM_NANOS = 200_000_000;
    private static final long QUICK_WARM_NANOS = 30_000_000;
    private static final int BUFFERS_ALIGNED = 64;

    private final LongSupplier processor;
    private final boolean quick;

    /** @param processor nanoseconds that this thread has run */
    KernelTimes(LongSupplier processor, boolean quick) {
        this.processor = processor;
        this.quick = quick;
    }

    /** The median of some rounds, each of many stripes, after a warm-up. */
    double stripeNanos(Policy policy, GaloisKernel kernel) {
        ErasureCode code = ErasureCodes.create(policy.code(), kernel);
        ByteBuffer[] data = cells(policy.dataChunks(), policy.cellBytes());
        ByteBuffer[] parity = cells(policy.parityChunks(), policy.cellBytes());
        long warm = quick ? QUICK_WARM_NANOS : WARM_NANOS;
        int stripes = 0;
        long begun = processor.getAsLong();
        long took;
        do {
            code.encode(data, parity);
            stripes++;
            took = processor.getAsLong() - begun;
        } while (took < warm);
        double[] rounds = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            long from = processor.getAsLong();
            for (int i = 0; i < stripes; i++) {
                code.encode(data, parity);
            }
            rounds[round] = (processor.getAsLong() - from) / (double) stripes;
        }
        Arrays.sort(rounds);
        return rounds[ROUNDS / 2];
    }

    private static ByteBuffer[] cells(int count, int bytes) {
        ByteBuffer[] cells = new ByteBuffer[count];
        for (int i = 0; i < count; i++) {
            cells[i] = ByteBuffer.allocateDirect(bytes + BUFFERS_ALIGNED).alignedSlice(BUFFERS_ALIGNED);
            cells[i].limit(bytes);
            for (int at = 0; at < bytes; at++) {
                cells[i].put(at, (byte) (31 * at + 7 * i));
            }
        }
        return cells;
    }
}
