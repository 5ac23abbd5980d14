package io.ecfs.code;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * Checks whether the cells of a stripe are consistent, and locates the wrong one. A single wrong cell is located when
 * only leaving out that one makes the others agree, which takes two parities that cover it; with one parity every cell
 * may be the wrong one (Singleton bound: distance m + 1 corrects m / 2 errors). Pure; for any threads.
 */
public final class ParityCheck {
    private final ErasureCode code;

    public ParityCheck(ErasureCode code) {
        this.code = Objects.requireNonNull(code, "code");
    }

    /** Result of the check of a stripe. */
    public enum Finding {
        /** The parity is that of the data. */
        ALIKE,
        /** It is not, and one cell alone explains that. */
        ONE_WRONG,
        /** It is not, and the wrong cells cannot be located. */
        UNCLEAR
    }

    /** @param index the wrong cell's, with {@code ONE_WRONG} */
    public record Verdict(Finding finding, OptionalInt index) {
        public static final Verdict ALIKE = new Verdict(Finding.ALIKE, OptionalInt.empty());
        public static final Verdict UNCLEAR = new Verdict(Finding.UNCLEAR, OptionalInt.empty());
    }

    /**
     * @param cells n direct buffers of one length, in the order of their indexes; read from their positions, left as
     *     they are
     * @throws IllegalArgumentException as {@link ErasureCode#encode}
     */
    public Verdict judge(ByteBuffer[] cells) {
        return judge(cells, ChunkSet.range(0, cells.length));
    }

    /**
     * Judges a stripe that lacks cells, which are erasures: k + 1 cells of an MDS code show that one of them is wrong,
     * and k + 2 which.
     *
     * @param cells those that are absent are not read
     * @param present determine all others, also without any one of them
     * @throws IllegalArgumentException as {@link ErasureCode#encode}, or when they do not
     */
    public Verdict judge(ByteBuffer[] cells, ChunkSet present) {
        if (!code.spec().redundant(present)) {
            throw new IllegalArgumentException(
                    "of a stripe of " + code.spec() + " the cells " + present + " alone tell nothing of each other");
        }
        if (agree(cells, present)) {
            return Verdict.ALIKE;
        }
        OptionalInt wrong = OptionalInt.empty();
        for (int index : present) {
            if (agree(cells, present.without(index))) {
                if (wrong.isPresent()) {
                    return Verdict.UNCLEAR;
                }
                wrong = OptionalInt.of(index);
            }
        }
        return wrong.isPresent() ? new Verdict(Finding.ONE_WRONG, wrong) : Verdict.UNCLEAR;
    }

    /**
     * Returns whether these cells are of one stripe: the others are computed from them, and then all parity matches the
     * data.
     */
    private boolean agree(ByteBuffer[] cells, ChunkSet present) {
        ChunkSet absent = ChunkSet.range(0, cells.length).minus(present);
        ByteBuffer[] whole = views(cells, 0, cells.length);
        if (!absent.isEmpty()) {
            if (!(code.plan(absent, present) instanceof RepairPlan plan)) {
                return false;
            }
            Map<Integer, ByteBuffer> computed = new HashMap<>();
            int bytes = cells[present.next(0)].remaining();
            absent.forEach(index -> computed.put(index, ByteBuffer.allocateDirect(bytes)));
            code.repair(plan, reads(cells, plan), computed);
            computed.forEach((index, cell) -> whole[index] = cell.rewind());
        }
        int k = code.dataChunks();
        ByteBuffer[] parity = new ByteBuffer[code.parityChunks()];
        Arrays.setAll(parity, i -> ByteBuffer.allocateDirect(whole[k + i].remaining()));
        code.encode(views(whole, 0, k), parity);
        for (int i = 0; i < parity.length; i++) {
            if (!parity[i].rewind().equals(whole[k + i])) {
                return false;
            }
        }
        return true;
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
