package io.ecfs.code.construction;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.CodeSpec;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import io.ecfs.code.RepairPlanning;
import io.ecfs.code.SubChunkRange;
import io.ecfs.code.Unrecoverable;
import io.ecfs.code.kernel.Program;
import io.ecfs.code.kernel.Regions;
import io.ecfs.code.kernel.Schedule;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A code of any family: checks the schedules of its {@link Construction}, prepares each for a kernel once and caches
 * it.
 */
final class ScheduledCode implements ErasureCode {
    private static final int MOST_PATTERNS = 1024;
    private static final int FEWEST_PATTERNS = 2;

    /** Approximate bound of the memory of one code's programs. */
    private static final long PROGRAM_BYTES = 64L * 1024 * 1024;

    /** Approximate memory of one coefficient in a kernel's program. */
    private static final int BYTES_PER_COEFFICIENT = 64;

    private record Question(ChunkSet lost, ChunkSet available) {}

    private final CodeSpec spec;
    private final Construction construction;
    private final int subChunks;
    private final Supplier<Program> encodingProgram;
    private final Function<RepairPlan, Program> repairProgram;
    private final Function<Integer, Program> updateProgram;
    private final PatternCache<Question, RepairPlanning> plans = new PatternCache<>(MOST_PATTERNS);
    private final PatternCache<RepairPlan, Program> repairs;
    private final PatternCache<Integer, Program> updates;
    private final BufferArrays arrays = new BufferArrays();

    /** Made by the first that encodes, as programs of repairs are: most codes of a process only plan or repair. */
    private volatile Program encoding;

    /** @param kernel prepares schedules */
    ScheduledCode(CodeSpec spec, Construction construction, Function<Schedule, Program> kernel) {
        this.spec = spec;
        this.construction = construction;
        this.subChunks = spec.subChunks();
        this.encodingProgram = () -> kernel.apply(construction.encode());
        this.repairProgram = plan -> kernel.apply(construction.repair(plan));
        this.updateProgram = index -> kernel.apply(construction.update(index));
        int patterns = patterns(spec);
        this.repairs = new PatternCache<>(patterns);
        this.updates = new PatternCache<>(patterns);
    }

    /** Approximate memory of one program. */
    static long programBytes(CodeSpec spec) {
        return (long) BYTES_PER_COEFFICIENT * spec.subChunks() * spec.dataChunks() * spec.parityChunks();
    }

    /** Number of repair programs that are cached, and of update programs as many. */
    static int patterns(CodeSpec spec) {
        return (int) Math.max(FEWEST_PATTERNS, Math.min(MOST_PATTERNS, PROGRAM_BYTES / programBytes(spec)));
    }

    @Override
    public CodeSpec spec() {
        return spec;
    }

    @Override
    public int subChunks() {
        return subChunks;
    }

    @Override
    public void encode(ByteBuffer[] data, ByteBuffer[] parity) {
        int bytes = Regions.length(data);
        Regions.checkInputs("data cell", data, dataChunks(), bytes);
        Regions.checkOutputs("parity cell", parity, parityChunks(), bytes);
        checkDivides(bytes);
        encoding().run(data, parity);
    }

    /** Threads that are first together may both make it; both get an equally good one. */
    private Program encoding() {
        Program made = encoding;
        if (made == null) {
            made = encodingProgram.get();
            encoding = made;
        }
        return made;
    }

    private void checkDivides(int cellBytes) {
        if (cellBytes % subChunks != 0) {
            int nearest = Math.max(1, Math.round(cellBytes / (float) subChunks)) * subChunks;
            throw new IllegalArgumentException("cells of " + cellBytes + " bytes do not divide into " + subChunks
                    + " sub-chunks for " + spec + "; nearest valid is " + nearest);
        }
    }

    @Override
    public RepairPlanning plan(ChunkSet lost, ChunkSet available) {
        if (!lost.intersection(available).isEmpty()) {
            throw new IllegalArgumentException(
                    "chunks " + lost.intersection(available) + " are both lost and available");
        }
        int beyond = lost.union(available).next(chunks());
        if (beyond >= 0) {
            throw new IllegalArgumentException(
                    "chunk " + beyond + " does not exist in " + spec + ", which has " + chunks() + " chunks");
        }
        return plans.get(new Question(lost, available), this::answer);
    }

    private RepairPlanning answer(Question question) {
        ChunkSet lost = question.lost();
        Optional<Map<Integer, List<SubChunkRange>>> reads =
                lost.isEmpty() ? Optional.of(Map.of()) : construction.reads(lost, question.available());
        return reads.<RepairPlanning>map(ranges -> new RepairPlan(spec, lost, ranges, subChunks))
                .orElseGet(() -> new Unrecoverable(lost, question.available()));
    }

    @Override
    public void repair(RepairPlan plan, Map<Integer, ByteBuffer> reads, Map<Integer, ByteBuffer> outputs) {
        if (!plan.spec().equals(spec)) {
            throw new IllegalArgumentException("a plan of " + plan.spec() + " cannot be run by " + spec);
        }
        checkKeys("read of chunk", plan.sources(), reads);
        checkKeys("output of chunk", plan.lost(), outputs);
        if (plan.lost().isEmpty()) {
            return;
        }
        ByteBuffer first = outputs.get(plan.lost().next(0));
        int bytes = first == null ? 0 : first.remaining();
        checkDivides(bytes);
        for (int index = plan.sources().next(0);
                index >= 0;
                index = plan.sources().next(index + 1)) {
            Regions.checkInput("read of chunk", index, reads.get(index), plan.bytesRead(index, bytes));
        }
        for (int index = plan.lost().next(0); index >= 0; index = plan.lost().next(index + 1)) {
            Regions.checkOutput("output of chunk", index, outputs.get(index), bytes);
        }
        arrays.run(repairs.get(plan, repairProgram), plan.sources(), reads, plan.lost(), outputs);
    }

    private static void checkKeys(String role, ChunkSet wanted, Map<Integer, ByteBuffer> buffers) {
        boolean same = buffers.size() == wanted.size();
        for (int index = wanted.next(0); same && index >= 0; index = wanted.next(index + 1)) {
            same = buffers.containsKey(index);
        }
        if (!same) {
            throw new IllegalArgumentException(
                    role + ": buffers given for " + buffers.keySet() + ", the plan has " + wanted);
        }
    }

    @Override
    public void update(int index, ByteBuffer delta, ByteBuffer[] parity) {
        if (index < 0 || index >= dataChunks()) {
            throw new IllegalArgumentException("chunk " + index + " is no data chunk of " + spec);
        }
        int bytes = delta.remaining();
        Regions.checkInput("delta of chunk", index, delta, bytes);
        Regions.checkOutputs("parity cell", parity, parityChunks(), bytes);
        checkDivides(bytes);
        arrays.run(updates.get(index, updateProgram), delta, parity);
    }
}
