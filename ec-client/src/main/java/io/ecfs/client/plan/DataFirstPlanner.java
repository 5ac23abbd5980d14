package io.ecfs.client.plan;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Reads the wanted data chunks themselves and decodes only what cannot be had from chunks in good standing. Worse
 * standings are let in one after the other until a plan is found; of chunks on volumes that write, and of those on
 * volumes that are about to, as few as possible.
 */
public final class DataFirstPlanner implements AccessPlanner {
    private static final List<Standing> READABLE = List.of(
            Standing.LIVE,
            Standing.PASSED_OVER,
            Standing.TURNING,
            Standing.WRITING,
            Standing.SLOW,
            Standing.SUSPECTED,
            Standing.DOUBTFUL,
            Standing.LATE);

    /** Choices of writers that are tried, of codes that do not decode from any k; then all may be read. */
    private static final int MOST_TRIES = 512;

    @Override
    public Optional<AccessPlan> plan(AccessQuestion question) {
        for (Standing worst : READABLE) {
            Optional<AccessPlan> plan = worst == Standing.TURNING || worst == Standing.WRITING
                    ? planWithFewest(question, question.at(worst), question.upTo(worst))
                    : planWith(question, question.upTo(worst));
            if (plan.isPresent()) {
                return plan;
            }
        }
        return Optional.empty();
    }

    /**
     * Lets in as few chunks of a standing as lead to a plan, wanted ones first: each is a read that waits for writes.
     *
     * @param standing chunks of that standing; without them there is no plan
     * @param usable these and the better ones
     */
    private static Optional<AccessPlan> planWithFewest(AccessQuestion question, ChunkSet standing, ChunkSet usable) {
        if (standing.isEmpty()) {
            return Optional.empty();
        }
        ChunkSet better = usable.minus(standing);
        ChunkSet wanted = question.wanted().intersection(standing);
        List<Integer> order = new ArrayList<>();
        wanted.forEach(order::add);
        standing.minus(wanted).forEach(order::add);
        if (question.code().spec().decodesFromAny()) {
            int toDecode = question.code().dataChunks() - better.size();
            int toRead = usable.containsAll(question.wanted()) ? wanted.size() : order.size();
            int fewest = Math.min(order.size(), Math.min(toDecode, toRead));
            return planWith(question, better.union(ChunkSet.of(order.subList(0, fewest))));
        }
        int tries = 0;
        for (int size = 1; size < order.size(); size++) {
            int[] chosen = IntStream.range(0, size).toArray();
            do {
                ChunkSet some =
                        ChunkSet.of(Arrays.stream(chosen).map(order::get).toArray());
                Optional<AccessPlan> plan = planWith(question, better.union(some));
                if (plan.isPresent()) {
                    return plan;
                }
            } while (++tries < MOST_TRIES && next(chosen, order.size()));
        }
        return planWith(question, usable);
    }

    /**
     * Replaces positions below {@code limit}, in growing order, by those that follow.
     *
     * @return whether there are any
     */
    private static boolean next(int[] positions, int limit) {
        for (int i = positions.length - 1; i >= 0; i--) {
            if (positions[i] < limit - positions.length + i) {
                positions[i]++;
                for (int later = i + 1; later < positions.length; later++) {
                    positions[later] = positions[later - 1] + 1;
                }
                return true;
            }
        }
        return false;
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
