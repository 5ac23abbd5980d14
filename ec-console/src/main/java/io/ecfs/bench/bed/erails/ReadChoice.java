package io.ecfs.bench.bed.erails;

import io.ecfs.client.plan.AccessPlan;
import io.ecfs.client.plan.AccessPlanner;
import io.ecfs.client.plan.AccessQuestion;
import io.ecfs.client.plan.DataFirstPlanner;
import io.ecfs.client.plan.Standing;
import io.ecfs.code.ChunkSet;
import io.ecfs.code.CodeSpec;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import io.ecfs.code.construction.ErasureCodes;
import io.ecfs.code.kernel.Kernels;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/**
 * Which chunks of a group a read takes: the client's planner, offered the k reading volumes with the fewest waiting
 * reads as live ones, the other readers as passed over, and those that write last. Plans are kept by what was offered.
 */
final class ReadChoice {
    private final AccessPlanner planner = new DataFirstPlanner();
    private final ErasureCode code;
    private final Map<List<Standing>, Optional<Chosen>> plans = new HashMap<>();

    /**
     * @param chunks to read
     * @param lost data chunks to compute from them
     */
    record Chosen(int[] chunks, int lost) {}

    ReadChoice(CodeSpec spec) {
        this.code = ErasureCodes.create(spec, Kernels.java());
    }

    /**
     * @param reads of a volume: whether it only reads
     * @param failed of a volume
     * @param waiting reads of a volume
     * @return empty when too few are left
     */
    Optional<Chosen> of(RingGroup group, IntPredicate reads, IntPredicate failed, IntUnaryOperator waiting) {
        List<Integer> volumes = group.volumes();
        List<Standing> standings = new ArrayList<>(volumes.size());
        List<Integer> readers = new ArrayList<>();
        for (int index = 0; index < volumes.size(); index++) {
            int volume = volumes.get(index);
            if (failed.test(volume)) {
                standings.add(Standing.FAILED);
            } else if (reads.test(volume)) {
                standings.add(Standing.LIVE);
                readers.add(index);
            } else {
                standings.add(Standing.WRITING);
            }
        }
        if (readers.size() > code.dataChunks()) {
            readers.sort(Comparator.comparingInt((Integer index) -> waiting.applyAsInt(volumes.get(index)))
                    .thenComparing(Comparator.naturalOrder()));
            readers.subList(code.dataChunks(), readers.size())
                    .forEach(index -> standings.set(index, Standing.PASSED_OVER));
        }
        return plans.computeIfAbsent(standings, this::plan);
    }

    private Optional<Chosen> plan(List<Standing> standings) {
        SortedMap<Integer, Standing> sources = new TreeMap<>();
        for (int index = 0; index < standings.size(); index++) {
            sources.put(index, standings.get(index));
        }
        ChunkSet wanted = ChunkSet.range(0, code.dataChunks());
        return planner.plan(new AccessQuestion(code, wanted, sources)).map(this::chosen);
    }

    private Chosen chosen(AccessPlan plan) {
        ChunkSet chunks =
                plan.repair().map(RepairPlan::sources).orElse(ChunkSet.empty()).union(plan.direct());
        List<Integer> indexes = new ArrayList<>();
        chunks.forEach(indexes::add);
        return new Chosen(
                indexes.stream().mapToInt(Integer::intValue).toArray(),
                code.dataChunks() - plan.direct().size());
    }
}
