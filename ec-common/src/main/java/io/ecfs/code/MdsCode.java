package io.ecfs.code;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A scalar, systematic, linear code with the greatest distance its size allows (MDS): any k chunks determine all others,
 * so a repair reads any k. Reed-Solomon, XOR and replication differ in nothing but the parity matrix.
 */
final class MdsCode implements ErasureCode {
    /** Repair programs kept per code; k x lost x 32 bytes each, so a few hundred KiB at the most in practice. */
    private static final int PATTERNS = 1024;

    private static final List<SubChunkRange> WHOLE = List.of(new SubChunkRange(0, 1));

    private final CodeSpec spec;
    private final GaloisKernel kernel;
    /** n x k; row i gives chunk i from the data, so the first k rows are the identity. */
    private final Matrix generator;

    private final Program encoding;
    private final PatternCache<RepairPlan, Program> repairs = new PatternCache<>(PATTERNS);
    private final PatternCache<Integer, Program> updates = new PatternCache<>(ChunkSet.LIMIT);

    /**
     * A code with the given parity rows.
     *
     * @param parity m x k, such that every square part of it is invertible
     */
    MdsCode(CodeSpec spec, Matrix parity, GaloisKernel kernel) {
        this.spec = spec;
        this.kernel = kernel;
        this.generator = Matrix.identity(parity.columns()).above(parity);
        this.encoding = kernel.prepare(Schedule.of(parity.toBytes(), parity.rows(), parity.columns()));
    }

    @Override
    public CodeSpec spec() {
        return spec;
    }

    @Override
    public int subChunks() {
        return 1;
    }

    @Override
    public int cellAlignmentBytes() {
        return 1;
    }

    @Override
    public void encode(ByteBuffer[] data, ByteBuffer[] parity) {
        int bytes = Regions.length(data);
        Regions.checkInputs("data cell", data, dataChunks(), bytes);
        Regions.checkOutputs("parity cell", parity, parityChunks(), bytes);
        encoding.run(data, parity);
    }

    @Override
    public RepairOutcome plan(ChunkSet lost, ChunkSet available) {
        if (!lost.intersection(available).isEmpty()) {
            throw new IllegalArgumentException(
                    "chunks " + lost.intersection(available) + " are both lost and available");
        }
        int beyond = lost.union(available).next(chunks());
        if (beyond >= 0) {
            throw new IllegalArgumentException(
                    "chunk " + beyond + " does not exist in " + spec + ", which has " + chunks() + " chunks");
        }
        TreeMap<Integer, List<SubChunkRange>> reads = new TreeMap<>();
        if (!lost.isEmpty()) {
            if (available.size() < dataChunks()) {
                return new Beyond(lost, available, dataChunks());
            }
            available.stream().limit(dataChunks()).forEach(index -> reads.put(index, WHOLE));
        }
        return new RepairPlan(spec, lost, reads, 1);
    }

    @Override
    public void repair(RepairPlan plan, Map<Integer, ByteBuffer> reads, Map<Integer, ByteBuffer> outputs) {
        if (!plan.spec().equals(spec)) {
            throw new IllegalArgumentException("a plan of " + plan.spec() + " cannot be run by " + spec);
        }
        ByteBuffer[] in = ordered("read of chunk", plan.sources(), reads);
        ByteBuffer[] out = ordered("output of chunk", plan.lost(), outputs);
        if (out.length == 0) {
            return;
        }
        int bytes = Regions.length(in);
        reads.forEach((index, buffer) -> Regions.checkInput("read of chunk", index, buffer, bytes));
        outputs.forEach((index, buffer) -> Regions.checkOutput("output of chunk", index, buffer, bytes));
        repairs.get(plan, this::repairing).run(in, out);
    }

    /** The buffers in the order of their chunk indexes, whatever the order of the map. */
    private static ByteBuffer[] ordered(String role, ChunkSet wanted, Map<Integer, ByteBuffer> buffers) {
        Set<Integer> given = buffers.keySet();
        ByteBuffer[] result = new ByteBuffer[wanted.size()];
        int at = 0;
        for (int index = wanted.next(0); index >= 0; index = wanted.next(index + 1)) {
            result[at++] = buffers.get(index);
        }
        if (given.size() != result.length || !ChunkSet.of(given).equals(wanted)) {
            throw new IllegalArgumentException(role + ": buffers given for " + given + ", the plan has " + wanted);
        }
        return result;
    }

    private Program repairing(RepairPlan plan) {
        Matrix fromData = generator.select(plan.lost().toArray());
        Matrix toData = generator
                .select(plan.sources().toArray())
                .inverse()
                .orElseThrow(() -> new IllegalArgumentException(plan + " does not determine what it computes"));
        Matrix decode = fromData.times(toData);
        return kernel.prepare(Schedule.of(decode.toBytes(), decode.rows(), decode.columns()));
    }

    @Override
    public void update(int index, ByteBuffer delta, ByteBuffer[] parity) {
        if (index < 0 || index >= dataChunks()) {
            throw new IllegalArgumentException("chunk " + index + " is no data chunk of " + spec);
        }
        int bytes = delta.remaining();
        Regions.checkInput("delta of chunk", index, delta, bytes);
        Regions.checkOutputs("parity cell", parity, parityChunks(), bytes);
        updates.get(index, this::updating).run(new ByteBuffer[] {delta}, parity);
    }

    /** Adds the multiples of a change in one data chunk to the parity. */
    private Program updating(int index) {
        int m = parityChunks();
        int[] regions = new int[m];
        Arrays.fill(regions, 1);
        Schedule.Builder builder = new Schedule.Builder(new int[] {1}, regions);
        byte[] column = new byte[m];
        int[] out = new int[m];
        for (int i = 0; i < m; i++) {
            column[i] = (byte) generator.at(dataChunks() + i, index);
            out[i] = builder.output(i, 0);
        }
        return kernel.prepare(
                builder.add(out, new int[] {builder.input(0, 0)}, column).build());
    }
}
