package io.ecfs.datanode.repair;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import io.ecfs.code.SubChunkRange;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Computation of a chunk from those that can be read, and, for a cross-check, a second one from others, so that the two
 * can be compared: a byte that is wrong on a disk with a checksum that matches, or in the wrong chunk, shows.
 *
 * <p>A chunk that is only moved is copied: its plan reads the chunk itself, whole.
 *
 * @param check reads the same of the same chunks, but for one left out and one more; empty when there is no such plan
 */
record Recipe(RepairPlan plan, Optional<RepairPlan> check) {

    /** Takes the bytes of the chunk that is replaced as they are. */
    static Recipe copy(ErasureCode code, int index) {
        List<SubChunkRange> whole = List.of(new SubChunkRange(0, code.subChunks()));
        return new Recipe(
                new RepairPlan(code.spec(), ChunkSet.empty(), Map.of(index, whole), code.subChunks()),
                Optional.empty());
    }

    /** Nothing is computed: what is read is what is written. */
    boolean copies() {
        return plan.lost().isEmpty();
    }

    /** With a second way, if there is one; empty when these chunks do not determine the lost one. */
    static Optional<Recipe> of(ErasureCode code, int lost, ChunkSet available) {
        if (!(code.plan(ChunkSet.of(lost), available) instanceof RepairPlan plan)) {
            return Optional.empty();
        }
        return Optional.of(new Recipe(plan, check(code, plan, available)));
    }

    /** Everything to read for both. */
    ChunkSet sources() {
        return check.map(second -> plan.sources().union(second.sources())).orElse(plan.sources());
    }

    /** The plan that says what to read of a source. */
    RepairPlan planOf(int source) {
        return plan.sources().contains(source) ? plan : check.orElseThrow();
    }

    private static Optional<RepairPlan> check(ErasureCode code, RepairPlan plan, ChunkSet available) {
        for (int left : plan.sources()) {
            if (code.plan(plan.lost(), available.without(left)) instanceof RepairPlan other
                    && other.sources().minus(plan.sources()).size() == 1
                    && plan.sources().intersection(other.sources()).stream()
                            .allMatch(index ->
                                    other.reads().get(index).equals(plan.reads().get(index)))) {
                return Optional.of(other);
            }
        }
        return Optional.empty();
    }
}
