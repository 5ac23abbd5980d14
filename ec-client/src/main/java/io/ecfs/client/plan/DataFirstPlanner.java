package io.ecfs.client.plan;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Reads the wanted data chunks themselves and decodes only what cannot be had from chunks in good standing. Worse
 * standings are let in one after the other until a plan is found.
 */
public final class DataFirstPlanner implements AccessPlanner {
    private static final List<Standing> READABLE = List.of(
            Standing.LIVE, Standing.PASSED_OVER, Standing.SLOW, Standing.SUSPECTED, Standing.DOUBTFUL, Standing.LATE);

    @Override
    public Optional<AccessPlan> plan(AccessQuestion question) {
        for (Standing worst : READABLE) {
            Optional<AccessPlan> plan = planWith(question, question.upTo(worst));
            if (plan.isPresent()) {
                return plan;
            }
        }
        return Optional.empty();
    }

    private static Optional<AccessPlan> planWith(AccessQuestion question, ChunkSet usable) {
        ChunkSet direct = question.wanted().intersection(usable);
        ChunkSet lost = question.wanted().minus(usable);
        if (lost.isEmpty()) {
            return Optional.of(new AccessPlan(direct, Optional.empty()));
        }
        return cheapest(question, lost, usable, direct).map(repair -> new AccessPlan(direct, Optional.of(repair)));
    }

    /**
     * Offers the code what costs least: chunks at hand, then those that are read anyway, then the others by standing
     * and index, until they determine what is lost. Where all usable chunks together allow a repair that fetches fewer
     * (a local group), that is taken.
     */
    private static Optional<RepairPlan> cheapest(
            AccessQuestion question, ChunkSet lost, ChunkSet usable, ChunkSet direct) {
        List<Integer> order = new ArrayList<>();
        usable.forEach(order::add);
        order.sort(Comparator.<Integer, Boolean>comparing(i -> question.standing(i) != Standing.AT_HAND)
                .thenComparing(i -> !direct.contains(i))
                .thenComparing(question::standing)
                .thenComparing(Comparator.naturalOrder()));
        ErasureCode code = question.code();
        ChunkSet offered = ChunkSet.empty();
        for (int index : order) {
            offered = offered.with(index);
            if (code.plan(lost, offered) instanceof RepairPlan first) {
                ChunkSet free = question.upTo(Standing.AT_HAND).union(direct);
                return code.plan(lost, usable) instanceof RepairPlan other
                                && other.sources().minus(free).size()
                                        < first.sources().minus(free).size()
                        ? Optional.of(other)
                        : Optional.of(first);
            }
        }
        return Optional.empty();
    }
}
