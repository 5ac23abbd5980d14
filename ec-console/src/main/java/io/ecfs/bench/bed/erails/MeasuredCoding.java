package io.ecfs.bench.bed.erails;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.CodeSpec;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import io.ecfs.code.construction.ErasureCodes;
import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.error.Invariant;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Coding as measured with our codec on this machine: processor time of this thread, the median of some rounds, each
 * code and size once. Decoding of fewer than all data chunks costs its share.
 */
public final class MeasuredCoding implements CodingTimes {
    private static final int ROUNDS = 5;
    private static final int ALIGNED = 64;

    private final GaloisKernel kernel;
    private final LongSupplier processor;
    private final long warmNanos;
    private final Map<Measured, Double> decoded = new HashMap<>();
    private final Map<Measured, Double> encoded = new HashMap<>();

    private record Measured(CodeSpec code, long chunkBytes) {}

    /**
     * @param processor nanoseconds that this thread has run
     * @param warmNanos of work before each measurement, and in each round
     */
    public MeasuredCoding(GaloisKernel kernel, LongSupplier processor, long warmNanos) {
        this.kernel = kernel;
        this.processor = processor;
        this.warmNanos = warmNanos;
    }

    @Override
    public long decodeNanos(CodeSpec code, int lost, long chunkBytes) {
        int most = Math.min(code.dataChunks(), code.parityChunks());
        return Math.round(decodeAllNanos(code, chunkBytes) * lost / most);
    }

    @Override
    public long encodeNanos(CodeSpec code, long chunkBytes) {
        return Math.round(encoded.computeIfAbsent(new Measured(code, chunkBytes), this::measureEncoding));
    }

    /** To compute as many data chunks as there are parity chunks, or all of them if those are fewer. */
    double decodeAllNanos(CodeSpec code, long chunkBytes) {
        return decoded.computeIfAbsent(new Measured(code, chunkBytes), this::measureDecoding);
    }

    private double measureDecoding(Measured what) {
        ErasureCode code = ErasureCodes.create(what.code, kernel);
        ByteBuffer[] data = cells(code.dataChunks(), what.chunkBytes);
        ByteBuffer[] parity = cells(code.parityChunks(), what.chunkBytes);
        code.encode(data, parity);
        int lost = Math.min(code.dataChunks(), code.parityChunks());
        ChunkSet missing = ChunkSet.range(0, lost);
        RepairPlan plan = (RepairPlan) code.plan(missing, ChunkSet.range(lost, code.chunks()));
        Map<Integer, ByteBuffer> reads = new TreeMap<>();
        for (int index : plan.sources()) {
            reads.put(index, index < code.dataChunks() ? data[index] : parity[index - code.dataChunks()]);
        }
        Map<Integer, ByteBuffer> outputs = new TreeMap<>();
        ByteBuffer[] computed = cells(lost, what.chunkBytes);
        for (int index = 0; index < lost; index++) {
            outputs.put(index, computed[index]);
        }
        double nanos = median(() -> code.repair(plan, reads, outputs));
        for (int index = 0; index < lost; index++) {
            Invariant.check(computed[index].equals(data[index]), "chunk " + index + " of " + what + " decoded wrongly");
        }
        return nanos;
    }

    private double measureEncoding(Measured what) {
        ErasureCode code = ErasureCodes.create(what.code, kernel);
        ByteBuffer[] data = cells(code.dataChunks(), what.chunkBytes);
        ByteBuffer[] parity = cells(code.parityChunks(), what.chunkBytes);
        return median(() -> code.encode(data, parity));
    }

    private double median(Runnable work) {
        int times = 0;
        long begun = processor.getAsLong();
        do {
            work.run();
            times++;
        } while (processor.getAsLong() - begun < warmNanos);
        double[] rounds = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            long from = processor.getAsLong();
            for (int i = 0; i < times; i++) {
                work.run();
            }
            rounds[round] = (double) (processor.getAsLong() - from) / times;
        }
        Arrays.sort(rounds);
        return rounds[ROUNDS / 2];
    }

    private static ByteBuffer[] cells(int count, long bytes) {
        ByteBuffer[] cells = new ByteBuffer[count];
        for (int i = 0; i < count; i++) {
            cells[i] = ByteBuffer.allocateDirect(Math.toIntExact(bytes) + ALIGNED)
                    .alignedSlice(ALIGNED)
                    .limit(Math.toIntExact(bytes));
            for (int at = 0; at < bytes; at++) {
                cells[i].put(at, (byte) (31 * at + 7 * i));
            }
        }
        return cells;
    }
}
