package io.ecfs.code.construction;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.ClayGrid;
import io.ecfs.code.CodeSpec;
import io.ecfs.code.RepairPlan;
import io.ecfs.code.SubChunkRange;
import io.ecfs.code.kernel.Schedule;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The coupled-layer code of Vajha et al., Clay Codes: Moulding MDS Codes to Yield an MSR Code (FAST 2018), on a
 * {@link ClayGrid}.
 *
 * <p>Chunks store coupled symbols C. Each has an uncoupled symbol U: U = C for a dot of the plane, else U = C + 2 C'
 * with the partner's C'. In every plane the U of all nodes are a word of one MDS code with m parities. So from C of all
 * but m nodes follow the other U plane by plane, and from pairs of them the other C. One lost chunk needs less: in the
 * planes of which it is a dot, the m unknown U are those of its row of the grid and of the nodes that do not help, and
 * each pair of a lost symbol with a mate of its row has its U solved and the mate's C read.
 */
final class ClayConstruction implements Construction {
    private final CodeSpec spec;
    private final ClayGrid grid;

    ClayConstruction(CodeSpec spec) {
        this.spec = spec;
        this.grid = spec.grid();
    }

    /**
     * Helpers read alpha / q sub-chunks each if that is less than k whole chunks, and if all mates of the lost chunk's
     * row help.
     */
    @Override
    public Optional<Map<Integer, List<SubChunkRange>>> reads(ChunkSet lost, ChunkSet available) {
        if (available.size() < grid.k()) {
            return Optional.empty();
        }
        ChunkSet sources = available.lowest(grid.k());
        List<SubChunkRange> ranges = List.of(new SubChunkRange(0, grid.subChunks()));
        if (lost.size() == 1 && grid.d() < grid.k() * grid.q()) {
            int node = grid.node(lost.next(0));
            ChunkSet mates = mates(node);
            if (available.size() >= grid.d() && available.containsAll(mates)) {
                ranges = grid.repairRuns(node);
                sources = mates.union(available.minus(mates).lowest(grid.d() - mates.size()));
            }
        }
        Map<Integer, List<SubChunkRange>> reads = new TreeMap<>();
        for (int source : sources) {
            reads.put(source, ranges);
        }
        return Optional.of(reads);
    }

    private ChunkSet mates(int node) {
        return ChunkSet.of(IntStream.range(0, spec.chunks())
                .filter(chunk -> grid.node(chunk) != node && grid.y(grid.node(chunk)) == grid.y(node))
                .toArray());
    }

    @Override
    public Schedule encode() {
        return ClaySchedule.ofWhole(grid, ChunkSet.range(0, grid.k()), ChunkSet.range(grid.k(), spec.chunks()));
    }

    @Override
    public Schedule repair(RepairPlan plan) {
        return plan.readsWhole(plan.sources().next(0))
                ? ClaySchedule.ofWhole(grid, plan.sources(), plan.lost())
                : ClaySchedule.ofOne(grid, plan.sources(), plan.lost().next(0));
    }

    @Override
    public Schedule update(int index) {
        return ClaySchedule.ofUpdate(grid, index);
    }
}
