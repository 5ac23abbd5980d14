package io.ecfs.namenode.rebalance;

import io.ecfs.message.DatanodeId;
import java.util.Arrays;
import java.util.Collection;
import java.util.function.ToDoubleFunction;

/**
 * Least cost(C, {B_b, B_i}) of the ec-store paper (equation 1), where a byte costs the same everywhere. A read takes
 * any {@code least} chunks of each block and pays for every datanode once. Of the datanodes that have a chunk of both,
 * the best plan uses the cheapest few for both; how many is found by trial, and the rest of each block comes from the
 * cheapest others. A mover evaluates some two thousand pairs a second on the namenode's event thread: 2 us each once
 * compiled, where the greedy plan of readers takes 9.
 */
final class PairCost {
    private PairCost() {}

    /**
     * Cost of reading both, in nanoseconds; infinite when one of them has too few places.
     * @param access cost of a request to a datanode; infinite for one that cannot be read
     */
    static double of(Block one, Block other, ToDoubleFunction<DatanodeId> access, double perByteNanos) {
        Collection<DatanodeId> ofOne = one.places().values();
        Collection<DatanodeId> ofOther = other.places().values();
        double[] shared = sorted(
                ofOne.stream().filter(ofOther::contains).mapToDouble(access).toArray());
        double[] first = sorted(ofOne.stream()
                .filter(d -> !ofOther.contains(d))
                .mapToDouble(access)
                .toArray());
        double[] second = sorted(ofOther.stream()
                .filter(d -> !ofOne.contains(d))
                .mapToDouble(access)
                .toArray());
        double least = Double.POSITIVE_INFINITY;
        double both = 0;
        for (int used = 0; ; used++) {
            double cost = both
                    + cheapest(one.least() - used, first, shared, used)
                    + cheapest(other.least() - used, second, shared, used);
            least = Math.min(least, cost);
            if (used == shared.length || used == Math.min(one.least(), other.least())) {
                return least
                        + perByteNanos
                                * ((double) one.least() * one.chunkBytes()
                                        + (double) other.least() * other.chunkBytes());
            }
            both += shared[used];
        }
    }

    private static double[] sorted(double[] costs) {
        Arrays.sort(costs);
        return costs;
    }

    /** The sum of the {@code count} least among all of {@code own} and {@code shared} from {@code from} on. */
    private static double cheapest(int count, double[] own, double[] shared, int from) {
        double sum = 0;
        int a = 0;
        int b = from;
        for (int i = 0; i < count; i++) {
            if (a < own.length && (b == shared.length || own[a] <= shared[b])) {
                sum += own[a++];
            } else if (b < shared.length) {
                sum += shared[b++];
            } else {
                return Double.POSITIVE_INFINITY;
            }
        }
        return sum;
    }
}
