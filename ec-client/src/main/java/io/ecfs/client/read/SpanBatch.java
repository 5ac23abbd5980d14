package io.ecfs.client.read;

import io.ecfs.client.access.BlockKey;
import io.ecfs.client.access.CostSnapshot;
import io.ecfs.client.access.ReadPlans;
import io.ecfs.client.read.WantedRanges.Piece;
import io.ecfs.code.ChunkSet;
import io.ecfs.code.ErasureCode;
import io.ecfs.layout.GroupId;
import io.ecfs.plan.BlockNeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Spans of a joint read that are planned together.
 *
 * @param planned the plan of all blocks; empty when there is none
 * @param costs of the moment
 */
record SpanBatch(List<SpanPlan> spans, Optional<ReadPlans.Planned> planned, CostSnapshot costs) {
    List<ReadPlans.Block> planBlocks() {
        return spans.stream().flatMap(span -> span.block().stream()).toList();
    }

    /** @param reading whether they are to be read: then the namenode is told what is read together */
    static SpanBatch planned(ReadServices services, List<Piece> pieces, int delta, boolean reading) {
        long began = services.times().now();
        List<Optional<ReadPlans.Block>> blocks = new ArrayList<>();
        Set<GroupId> groups = new TreeSet<>();
        for (Piece piece : pieces) {
            groups.add(piece.segment().group().group());
            services.costs().considered(piece.segment().group().chunks());
            blocks.add(block(services, piece, delta));
        }
        if (reading) {
            services.accesses().accessed(groups);
        }
        CostSnapshot costs = services.plans().costs();
        List<ReadPlans.Block> known = blocks.stream().flatMap(Optional::stream).toList();
        Optional<ReadPlans.Planned> planned = services.plans().plan(known, delta);
        List<SpanPlan> spans = new ArrayList<>();
        int next = 0;
        for (int i = 0; i < pieces.size(); i++) {
            Optional<ChunkSet> chosen = Optional.empty();
            ChunkSet spares = ChunkSet.empty();
            if (blocks.get(i).isPresent() && planned.isPresent()) {
                chosen = Optional.of(planned.get().plan().chunks().get(next));
                spares = planned.get().spares().get(next);
                next++;
            }
            spans.add(new SpanPlan(pieces.get(i), blocks.get(i), chosen, spares, new SpanTrace()));
        }
        SpanBatch batch = new SpanBatch(spans, planned, costs);
        services.times().plannedSince(began);
        return batch;
    }

    /** None of a tail, and of what no plan could read. */
    private static Optional<ReadPlans.Block> block(ReadServices services, Piece piece, int delta) {
        Segment segment = piece.segment();
        if (segment.tail().isPresent()) {
            return Optional.empty();
        }
        ErasureCode code = services.codes().of(segment.group().policy().code());
        Span span = new Span(segment.layout(), piece.from() + segment.shift(), piece.to() + segment.shift());
        return SpanNeed.of(
                        span,
                        segment.group(),
                        code,
                        new SourceStates(services, segment.group()),
                        delta > 0,
                        services.plans().plannedBeyond(delta))
                .filter(BlockNeed::feasible)
                .map(need -> new ReadPlans.Block(BlockKey.of(segment.group().group(), need), need));
    }
}
