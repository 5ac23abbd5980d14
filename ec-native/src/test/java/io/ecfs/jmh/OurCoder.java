package io.ecfs.jmh;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import io.ecfs.code.construction.ErasureCodes;
import io.ecfs.code.kernel.Kernels;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** A code of ours on one of our kernels, called as the client and the datanodes call it. */
final class OurCoder implements Coder {
    /** The buffers of one stripe, as callers hold them. */
    private record Stripe(
            ByteBuffer[] data,
            ByteBuffer[] parity,
            Map<Integer, ByteBuffer> decodeReads,
            Map<Integer, ByteBuffer> decodeOutputs,
            Map<Integer, ByteBuffer> repairReads,
            Map<Integer, ByteBuffer> repairOutputs) {}

    private final Workload workload;
    private final ErasureCode code;
    private final RepairPlan decode;
    private final RepairPlan repair;
    private final Stripe[] stripes;

    OurCoder(String kernel, Workload workload) {
        this.workload = workload;
        this.code = ErasureCodes.create(workload.spec(), Kernels.choose(kernel));
        this.decode = decodePlan(code);
        this.repair = (RepairPlan) code.plan(ChunkSet.of(0), ChunkSet.range(1, code.chunks()));
        this.stripes = new Stripe[workload.stripes()];
        Arrays.setAll(stripes, s -> stripe(workload.stripe(s)));
    }

    /** For the first m data chunks, or as many as can be computed together. */
    static RepairPlan decodePlan(ErasureCode code) {
        ChunkSet all = ChunkSet.range(0, code.chunks());
        for (int lost = Math.min(code.parityChunks(), code.dataChunks()); ; lost--) {
            ChunkSet first = ChunkSet.range(0, lost);
            if (code.plan(first, all.minus(first)) instanceof RepairPlan plan) {
                return plan;
            }
        }
    }

    private Stripe stripe(ByteBuffer[] cells) {
        int k = code.dataChunks();
        return new Stripe(
                Arrays.copyOf(cells, k),
                Arrays.copyOfRange(cells, k, cells.length),
                reads(decode, cells),
                outputs(decode, cells),
                reads(repair, cells),
                outputs(repair, cells));
    }

    /** As many bytes as the plan reads of each chunk; which ones is nothing to the speed. */
    private Map<Integer, ByteBuffer> reads(RepairPlan plan, ByteBuffer[] cells) {
        int bytes = workload.cellBytes();
        return map(plan.sources(), index -> cells[index].slice(0, (int) plan.bytesRead(index, bytes)));
    }

    private static Map<Integer, ByteBuffer> outputs(RepairPlan plan, ByteBuffer[] cells) {
        return map(plan.lost(), index -> cells[index]);
    }

    private static Map<Integer, ByteBuffer> map(ChunkSet chunks, Function<Integer, ByteBuffer> buffer) {
        Map<Integer, ByteBuffer> map = new TreeMap<>();
        List.copyOf(chunks.stream().boxed().toList()).forEach(index -> map.put(index, buffer.apply(index)));
        return map;
    }

    /** Bytes that a repair of the first chunk reads, for each byte that it computes. */
    static double readsPerByte(ErasureCode code) {
        RepairPlan plan = (RepairPlan) code.plan(ChunkSet.of(0), ChunkSet.range(1, code.chunks()));
        return plan.bytesRead(code.subChunks()) / (double) code.subChunks();
    }

    @Override
    public void encode() {
        for (int i = 0; i < workload.batch(); i++) {
            Stripe stripe = stripes[workload.next()];
            code.encode(stripe.data, stripe.parity);
        }
    }

    @Override
    public void decode() {
        for (int i = 0; i < workload.batch(); i++) {
            Stripe stripe = stripes[workload.next()];
            code.repair(decode, stripe.decodeReads, stripe.decodeOutputs);
        }
    }

    @Override
    public void repair() {
        for (int i = 0; i < workload.batch(); i++) {
            Stripe stripe = stripes[workload.next()];
            code.repair(repair, stripe.repairReads, stripe.repairOutputs);
        }
    }

    @Override
    public void update() {
        for (int i = 0; i < workload.batch(); i++) {
            Stripe stripe = stripes[workload.next()];
            code.update(0, stripe.data[0], stripe.parity);
        }
    }
}
