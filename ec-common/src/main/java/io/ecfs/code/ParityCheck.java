package io.ecfs.code;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * Whether the cells of a stripe belong together, and which does not. A single wrong cell is told when only leaving out that one makes the
 * others agree, which takes two parities that cover it; with one parity every cell may be to blame (Singleton bound: distance m + 1
 * corrects m / 2 errors). Pure; for any threads.
 */
public final class ParityCheck {
    private final ErasureCode code;

    public ParityCheck(ErasureCode code) {
        this.code = Objects.requireNonNull(code, "code");
    }

    /** What a stripe shows. */
    public enum Finding {
        /** The parity is that of the data. */
        ALIKE,
        /** It is not, and one cell alone explains that. */
        ONE_WRONG,
        /** It is not, and nobody can tell which. */
        UNCLEAR
    }

    /** @param index the wrong cell's, with {@code ONE_WRONG} */
    public record Verdict(Finding finding, OptionalInt index) {
        public static final Verdict ALIKE = new Verdict(Finding.ALIKE, OptionalInt.empty());
        public static final Verdict UNCLEAR = new Verdict(Finding.UNCLEAR, OptionalInt.empty());
    }

    /**
     * @param cells n direct buffers of one length, in the order of their indexes; read from their positions, left as they are
     * @throws IllegalArgumentException as {@link ErasureCode#encode}
     */
    public Verdict judge(ByteBuffer[] cells) {
        if (alike(cells)) {
            return Verdict.ALIKE;
        }
        OptionalInt wrong = OptionalInt.empty();
        for (int index = 0; index < cells.length; index++) {
            if (explains(cells, index)) {
                if (wrong.isPresent()) {
                    return Verdict.UNCLEAR;
                }
                wrong = OptionalInt.of(index);
            }
        }
        return wrong.isPresent() ? new Verdict(Finding.ONE_WRONG, wrong) : Verdict.UNCLEAR;
    }

    private boolean alike(ByteBuffer[] cells) {
        int k = code.dataChunks();
        ByteBuffer[] parity = new ByteBuffer[code.parityChunks()];
        Arrays.setAll(parity, i -> ByteBuffer.allocateDirect(cells[k + i].remaining()));
        code.encode(views(cells, 0, k), parity);
        for (int i = 0; i < parity.length; i++) {
            if (!parity[i].rewind().equals(cells[k + i])) {
                return false;
            }
        }
        return true;
    }

    /** Whether all others agree on what this cell should be. */
    private boolean explains(ByteBuffer[] cells, int index) {
        ChunkSet others = ChunkSet.range(0, cells.length).minus(ChunkSet.of(index));
        if (!(code.plan(ChunkSet.of(index), others) instanceof RepairPlan plan)) {
            return false;
        }
        ByteBuffer computed = ByteBuffer.allocateDirect(cells[index].remaining());
        code.repair(plan, reads(cells, plan), Map.of(index, computed));
        ByteBuffer[] mended = views(cells, 0, cells.length);
        mended[index] = computed.rewind();
        return alike(mended);
    }

    private Map<Integer, ByteBuffer> reads(ByteBuffer[] cells, RepairPlan plan) {
        Map<Integer, ByteBuffer> reads = new HashMap<>();
        plan.reads().forEach((source, ranges) -> {
            int subChunk = cells[source].remaining() / code.subChunks();
            int bytes = Math.toIntExact(plan.bytesRead(source, cells[source].remaining()));
            ByteBuffer gathered = ByteBuffer.allocateDirect(bytes);
            for (SubChunkRange range : ranges) {
                gathered.put(cells[source].slice(
                        cells[source].position() + range.from() * subChunk, range.count() * subChunk));
            }
            reads.put(source, gathered.flip());
        });
        return reads;
    }

    private static ByteBuffer[] views(ByteBuffer[] cells, int from, int to) {
        ByteBuffer[] views = new ByteBuffer[to - from];
        Arrays.setAll(views, i -> cells[from + i].duplicate());
        return views;
    }
}
