package io.ecfs.namenode.group;

import io.ecfs.code.CodeSpec;
import io.ecfs.layout.Ring;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Whether there are colours for the chunks of a group without a place with which it tolerates the writers, in bounded
 * time, since the log is applied with it. The bound counts steps, so that all namenodes answer alike. Pure; used once.
 */
public final class RingCompletion {
    /** Chunks that are compared with their role, of all positions together: some milliseconds. */
    private static final int MOST_WORK = 400_000;

    private final Ring ring;
    private final CodeSpec code;
    private final List<Integer> colourOf;
    private final List<Integer> order;
    private int stepsLeft;

    private RingCompletion(Ring ring, CodeSpec code, List<Integer> colourOf) {
        this.ring = ring;
        this.code = code;
        this.colourOf = new ArrayList<>(colourOf);
        this.stepsLeft = Math.max(1, MOST_WORK / (ring.colours() * code.chunks()));
        Map<Integer, Long> used =
                colourOf.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        this.order = IntStream.range(0, ring.colours())
                .boxed()
                .sorted(Comparator.comparingLong((Integer colour) -> used.getOrDefault(colour, 0L)))
                .toList();
    }

    /**
     * @param colourOf of each chunk's volume in index order, or {@link Ring#ABSENT}
     * @return true also when that is not known in time: the rule costs latency alone when it is broken
     */
    public static boolean possible(Ring ring, CodeSpec code, List<Integer> colourOf) {
        return new RingCompletion(ring, code, colourOf).completable(0);
    }

    /**
     * Colours with few chunks first.
     *
     * @param from position in the order: where any chunks decode, it does not matter which of them has which colour
     */
    private boolean completable(int from) {
        if (stepsLeft-- <= 0) {
            return true;
        }
        if (!ring.toleratedBy(code, colourOf)) {
            return false;
        }
        int absent = colourOf.indexOf(Ring.ABSENT);
        if (absent < 0) {
            return true;
        }
        for (int next = from; next < order.size(); next++) {
            colourOf.set(absent, order.get(next));
            if (completable(code.decodesFromAny() ? next : 0)) {
                return true;
            }
        }
        colourOf.set(absent, Ring.ABSENT);
        return false;
    }
}
