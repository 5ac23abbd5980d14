package io.ecfs.client.read.span;

import io.ecfs.client.health.SourceStates;
import io.ecfs.client.plan.Standing;
import io.ecfs.client.read.span.Span.Range;
import io.ecfs.code.ChunkSet;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The chunks that a read with late binding asks first.
 *
 * @param needed enough for the wanted bytes
 * @param spares the others, which are wanted only if some of those are late
 */
record InitialSelection(ChunkSet needed, ChunkSet spares) {
    /**
     * The best k + delta chunks; of codes that do not decode from any k as many more as make one of them superfluous.
     * The least preferred delta are spare, as far as the others suffice without them and no plan needs them. Chunks
     * that store nothing in the columns are zeros: they are among the k, and are not requested. Volumes that write are
     * not asked beyond what suffices.
     *
     * @param wanted chunks whose bytes are wanted
     * @param columns that are asked of all of them
     */
    static InitialSelection of(
            ErasureCode code, Span span, ChunkSet wanted, Range columns, SourceStates sources, ReadStrategy way) {
        ChunkSet zeros = ChunkSet.of(IntStream.range(0, code.chunks())
                .filter(index -> !span.hasStored(index, columns))
                .boxed()
                .toList());
        List<Integer> bound = new ArrayList<>();
        ChunkSet needed = ChunkSet.empty();
        for (int index : byPreference(code, sources, way)) {
            if (zeros.contains(index)) {
                continue;
            }
            if (writes(sources.of(index)) && suffice(needed.union(zeros), code, wanted)) {
                continue;
            }
            if (bound.size() >= code.dataChunks() - zeros.size() + way.delta()
                    && (code.spec().decodesFromAny() || code.spec().redundant(needed.union(zeros)))) {
                break;
            }
            bound.add(index);
            needed = needed.with(index);
        }
        ChunkSet spares = ChunkSet.empty();
        for (int i = bound.size() - 1; i >= 0 && spares.size() < way.delta(); i--) {
            int index = bound.get(i);
            boolean planned = way.planned().isPresent() && way.planned().get().contains(index);
            if (!planned && suffice(needed.without(index).union(zeros), code, wanted)) {
                needed = needed.without(index);
                spares = spares.with(index);
            }
        }
        return new InitialSelection(needed, spares);
    }

    private static boolean writes(Standing standing) {
        return standing == Standing.TURNING || standing == Standing.WRITING;
    }

    private static List<Integer> byPreference(ErasureCode code, SourceStates sources, ReadStrategy way) {
        return IntStream.range(0, code.chunks())
                .filter(index -> sources.of(index) != Standing.FAILED)
                .boxed()
                .sorted(Comparator.<Integer, Standing>comparing(sources::of)
                        .thenComparing(index -> !way.spares().contains(index))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private static boolean suffice(ChunkSet available, ErasureCode code, ChunkSet wanted) {
        ChunkSet lost = wanted.minus(available);
        return lost.isEmpty() || code.plan(lost, available) instanceof RepairPlan;
    }
}
