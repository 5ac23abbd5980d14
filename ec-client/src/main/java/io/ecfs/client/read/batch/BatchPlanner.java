package io.ecfs.client.read.batch;

import io.ecfs.client.access.AccessRecorder;
import io.ecfs.client.access.BlockKey;
import io.ecfs.client.access.CostSnapshot;
import io.ecfs.client.access.MeasuredCosts;
import io.ecfs.client.access.ReadPlans;
import io.ecfs.client.health.DatanodeHealth;
import io.ecfs.client.location.Segment;
import io.ecfs.client.read.batch.WantedRanges.Piece;
import io.ecfs.client.read.span.ReadTimes;
import io.ecfs.client.read.span.SpanNeed;
import io.ecfs.code.ChunkSet;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.construction.Codes;
import io.ecfs.layout.GroupId;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.plan.BlockNeed;
import io.ecfs.plan.JointPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/** Joint choice of the chunks of many spans. Used on the client's owner thread, but for {@link #parityChunks}. */
public final class BatchPlanner {
    /** More blocks in one plan than that, and the solver takes longer than the plan is worth (SCIP: 50 ms at 50). */
    public static final int SPANS_A_PLAN = 64;

    private final Codes codes;
    private final DatanodeHealth health;
    private final MeasuredCosts costs;
    private final ReadPlans plans;
    private final AccessRecorder accesses;
    private final ReadTimes times;

    /** @param accesses records which groups are read together */
    public BatchPlanner(
            Codes codes,
            DatanodeHealth health,
            MeasuredCosts costs,
            ReadPlans plans,
            AccessRecorder accesses,
            ReadTimes times) {
        this.codes = codes;
        this.health = health;
        this.costs = costs;
        this.plans = plans;
        this.accesses = accesses;
        this.times = times;
    }

    int parityChunks(LocatedGroup group) {
        return codes.of(group.policy().code()).parityChunks();
    }

    /** Measures the costs of all volumes that have chunks of these pieces. */
    CompletableFuture<Void> measure(List<Piece> pieces) {
        return costs.measure(pieces.stream()
                .flatMap(piece -> piece.segment().group().chunks().stream())
                .distinct()
                .toList());
    }

    /** The plan that costs least for a batch, at the costs that it was planned with. */
    CompletableFuture<Optional<JointPlan>> exactly(SpanBatch batch) {
        return plans.exactly(batch.planBlocks(), batch.costs());
    }

    private SpanBatch unplanned(List<Piece> pieces) {
        return new SpanBatch(pieces.stream().map(SpanPlan::none).toList(), Optional.empty(), plans.costs());
    }

    /** @param purpose when they are to be read, the groups are recorded as read together */
    SpanBatch plan(List<Piece> pieces, int delta, Purpose purpose) {
        if (purpose == Purpose.COPY) {
            return unplanned(pieces);
        }
        long began = times.now();
        List<Optional<ReadPlans.Block>> blocks = new ArrayList<>();
        Set<GroupId> groups = new TreeSet<>();
        for (Piece piece : pieces) {
            if (!piece.segment().hole()) {
                groups.add(piece.segment().group().group());
            }
            costs.considered(piece.segment().group().chunks());
            blocks.add(block(piece, delta));
        }
        if (purpose == Purpose.READ) {
            accesses.accessed(groups);
        }
        CostSnapshot now = plans.costs();
        List<ReadPlans.Block> known = blocks.stream().flatMap(Optional::stream).toList();
        Optional<ReadPlans.Planned> planned = plans.plan(known, delta);
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
        SpanBatch batch = new SpanBatch(spans, planned, now);
        times.plannedSince(began);
        return batch;
    }

    /** Empty for what is not in cells of chunks, and for a span that no plan could read. */
    private Optional<ReadPlans.Block> block(Piece piece, int delta) {
        Segment segment = piece.segment();
        if (segment.source().isPresent()) {
            return Optional.empty();
        }
        LocatedGroup group = segment.group();
        ErasureCode code = codes.of(group.policy().code());
        return SpanNeed.of(
                        segment,
                        piece.from(),
                        piece.to(),
                        code,
                        health.sources(group),
                        delta > 0,
                        plans.plannedBeyond(delta))
                .filter(BlockNeed::feasible)
                .map(need -> new ReadPlans.Block(BlockKey.of(group.group(), need), need));
    }
}
