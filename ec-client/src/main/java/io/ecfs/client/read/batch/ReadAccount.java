package io.ecfs.client.read.batch;

import io.ecfs.client.access.CostSnapshot;
import io.ecfs.client.access.ReadPlans;
import io.ecfs.code.ChunkSet;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.plan.AccessCost;
import io.ecfs.plan.BlockNeed;
import io.ecfs.plan.Candidate;
import io.ecfs.plan.GreedyPlanner;
import io.ecfs.plan.JointPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** Adds up an {@link Explanation} from the parts of a request that were planned together. */
final class ReadAccount {
    private final List<Explanation.Part> parts = new ArrayList<>();
    private Optional<ReadPlans.Origin> origin = Optional.empty();
    private double planCost;
    private OptionalDouble dataChunks = OptionalDouble.of(0);
    private OptionalDouble greedy = OptionalDouble.of(0);
    private OptionalDouble exact = OptionalDouble.of(0);
    private double predicted;
    private long planningNanos;

    /** @param best the plan that costs least; empty when it is not known */
    void add(SpanBatch batch, Optional<JointPlan> best) {
        batch.planned().ifPresent(planned -> add(batch, planned, best));
        batch.spans().forEach(span -> parts.add(part(span, batch.costs())));
    }

    private void add(SpanBatch batch, ReadPlans.Planned planned, Optional<JointPlan> best) {
        List<BlockNeed> needs =
                batch.planBlocks().stream().map(ReadPlans.Block::need).toList();
        CostSnapshot costs = batch.costs();
        if (origin.isEmpty()) {
            origin = Optional.of(planned.origin());
        }
        planCost += AccessCost.of(needs, planned.plan().chunks(), costs);
        planningNanos += planned.nanos();
        dataChunks = plus(dataChunks, costOfDataChunks(needs, costs));
        greedy = plus(greedy, cost(new GreedyPlanner().plan(needs, costs)));
        exact = plus(exact, cost(best));
        predicted += slowestSite(needs, planned.plan().chunks(), costs);
    }

    private static OptionalDouble cost(Optional<JointPlan> plan) {
        return plan.map(p -> OptionalDouble.of(p.cost())).orElse(OptionalDouble.empty());
    }

    private static OptionalDouble plus(OptionalDouble sum, OptionalDouble one) {
        return sum.isPresent() && one.isPresent()
                ? OptionalDouble.of(sum.getAsDouble() + one.getAsDouble())
                : OptionalDouble.empty();
    }

    private static OptionalDouble costOfDataChunks(List<BlockNeed> needs, CostSnapshot costs) {
        List<ChunkSet> first = needs.stream()
                .map(need -> need.direct().isEmpty()
                        ? ChunkSet.of(need.candidates().stream()
                                .limit(need.least())
                                .map(Candidate::index)
                                .toList())
                        : need.direct())
                .toList();
        boolean enough =
                IntStream.range(0, needs.size()).allMatch(i -> needs.get(i).satisfiedBy(first.get(i)));
        return enough ? OptionalDouble.of(AccessCost.of(needs, first, costs)) : OptionalDouble.empty();
    }

    /** A site answers its chunks one after the other, the sites side by side. */
    private static double slowestSite(List<BlockNeed> needs, List<ChunkSet> chunks, CostSnapshot costs) {
        Map<Integer, Double> bySite = new HashMap<>();
        for (int i = 0; i < needs.size(); i++) {
            for (Candidate candidate : needs.get(i).candidates()) {
                if (chunks.get(i).contains(candidate.index())) {
                    bySite.merge(
                            candidate.site(),
                            costs.access(candidate.site()) + costs.read(candidate),
                            (before, more) -> before + more - costs.access(candidate.site()));
                }
            }
        }
        return bySite.values().stream().mapToDouble(nanos -> nanos).max().orElse(0);
    }

    private static Explanation.Part part(SpanPlan span, CostSnapshot costs) {
        LocatedGroup group = span.piece().segment().group();
        return new Explanation.Part(
                span.piece().target().range().path(),
                span.piece().from(),
                span.piece().to(),
                group.group(),
                group.policy(),
                span.chosen().isPresent(),
                span.trace().decoded(),
                group.chunks().stream()
                        .map(location -> chunk(span, location, costs))
                        .toList());
    }

    private static Explanation.Chunk chunk(SpanPlan span, ChunkLocation location, CostSnapshot costs) {
        int index = location.chunk().index();
        Optional<Candidate> candidate = span.block().stream()
                .flatMap(block -> block.need().candidates().stream())
                .filter(c -> c.index() == index)
                .findFirst();
        boolean taken = span.chosen().stream().anyMatch(chosen -> chosen.contains(index));
        SpanTrace.Seen seen = span.trace().of(index);
        return new Explanation.Chunk(
                index,
                location.datanode(),
                location.volume(),
                taken,
                seen.fate(),
                seen.bytes() == 0 && taken ? candidate.orElseThrow().bytes() : seen.bytes(),
                costs.access(
                        candidate.map(Candidate::site).orElse(location.volume().value())),
                candidate.map(costs::read).orElse(0.0),
                seen.micros());
    }

    Explanation explanation(boolean read, long readNanos) {
        return new Explanation(
                parts,
                origin.orElse(ReadPlans.Origin.NONE),
                planCost,
                dataChunks,
                greedy,
                exact,
                predicted,
                planningNanos,
                read ? OptionalLong.of(readNanos) : OptionalLong.empty());
    }
}
