package io.ecfs.client.access;

import io.ecfs.code.ChunkSet;
import io.ecfs.plan.BlockNeed;
import io.ecfs.plan.Candidate;
import java.util.Arrays;
import java.util.List;

/**
 * Work of a plan at its sites, and its quality when it was made: its cost relative to that of the same work at sites of
 * median cost. A plan remains good while that ratio has not grown by more than a factor, and the cost by more than a
 * noticeable time. So it survives load that affects every site alike, and fluctuating costs; it is dropped when its
 * sites become expensive, or the others cheap.
 */
final class PlanWork {
    /** Least increase of the cost that counts. */
    private static final double NOTICED_NANOS = 1_000_000;

    private final int[] sites;
    private final long[] bytes; // read at each site
    private final double extra;
    private final double atFirst;

    /** @param chunks for each block the chunks that the plan reads */
    PlanWork(List<BlockNeed> blocks, List<ChunkSet> chunks, CostSnapshot costs) {
        int most = chunks.stream().mapToInt(ChunkSet::size).sum();
        int[] readSites = new int[most];
        long[] readBytes = new long[most];
        int reads = 0;
        double special = 0;
        for (int i = 0; i < blocks.size(); i++) {
            for (Candidate candidate : blocks.get(i).candidates()) {
                if (chunks.get(i).contains(candidate.index())) {
                    int at = 0;
                    while (at < reads && readSites[at] != candidate.site()) {
                        at++;
                    }
                    reads += at == reads ? 1 : 0;
                    readSites[at] = candidate.site();
                    readBytes[at] += candidate.bytes();
                    special += candidate.extra();
                }
            }
        }
        sites = Arrays.copyOf(readSites, reads);
        bytes = Arrays.copyOf(readBytes, reads);
        extra = special;
        atFirst = cost(costs) / usual(costs);
    }

    /** @param change factor by which it may have become worse */
    boolean asGood(CostSnapshot now, double change) {
        return cost(now) <= change * atFirst * usual(now) + NOTICED_NANOS;
    }

    private double cost(CostSnapshot costs) {
        double cost = extra;
        for (int i = 0; i < sites.length; i++) {
            cost += costs.access(sites[i]) + bytes[i] * costs.perByte(sites[i]);
        }
        return cost;
    }

    /** Cost of the work at sites of median cost; at least one nanosecond. */
    private double usual(CostSnapshot costs) {
        double cost = extra + sites.length * costs.usual().accessNanos();
        for (long some : bytes) {
            cost += some * costs.usual().nanosPerByte();
        }
        return Math.max(1, cost);
    }
}
