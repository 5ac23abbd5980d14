package io.ecfs.client.read.span;

import io.ecfs.client.access.MeasuredCosts;
import io.ecfs.client.access.ReadPlans;
import io.ecfs.client.health.SourceStates;
import io.ecfs.client.plan.AccessPlan;
import io.ecfs.client.plan.AccessPlanner;
import io.ecfs.client.plan.AccessQuestion;
import io.ecfs.code.ChunkSet;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.construction.Codes;
import io.ecfs.message.namespace.LocatedGroup;
import java.util.Optional;

/**
 * Choice of the chunks of a span that is read alone. Used on the client's owner thread, but for
 * {@link #costsMattered}.
 */
public final class SpanPlanner {
    private final Codes codes;
    private final AccessPlanner planner;
    private final MeasuredCosts costs;
    private final ReadPlans plans;

    public SpanPlanner(Codes codes, AccessPlanner planner, MeasuredCosts costs, ReadPlans plans) {
        this.codes = codes;
        this.planner = planner;
        this.costs = costs;
        this.plans = plans;
    }

    ErasureCode code(LocatedGroup group) {
        return codes.of(group.policy().code());
    }

    Optional<AccessPlan> plan(AccessQuestion question) {
        return planner.plan(question);
    }

    /** Returns whether some volume is under such load that costs should decide between the chunks of a single span. */
    boolean costsMatter() {
        return costs.snapshot().uneven();
    }

    /** The last answer of {@link #costsMatter}. Safe for use by several threads. */
    boolean costsMattered() {
        return costs.lastSnapshot().uneven();
    }

    /** The chunks that cost least; empty where there is nothing to choose. */
    Optional<ChunkSet> cheapest(
            Span span, LocatedGroup group, ErasureCode code, SourceStates sources, boolean lateBinding) {
        costs.considered(group.chunks());
        return SpanNeed.of(span, group, code, sources, lateBinding, 0)
                .flatMap(plans::alone)
                .map(plan -> plan.chunks().get(0));
    }
}
