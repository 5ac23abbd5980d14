package io.ecfs.torture.check;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Configurations that a search has visited. One that used more calls of unknown outcome than another to the same end
 * can do nothing that the other cannot.
 */
final class Visited {
    private final Map<Namespace, Integer> states = new HashMap<>();
    private final Map<Key, List<BitSet>> fewest = new HashMap<>();
    private long size;

    /**
     * The known calls that are done: all before the first that is not, and a few behind it.
     *
     * @param state its number
     * @param open calls of unknown outcome that wait for one that does not commute with them
     * @param last call of unknown outcome that others with which it commutes must not precede
     */
    private record Key(int first, BitSet behind, int state, List<Linearizability.Open> open, int last) {}

    /** @return false when it was visited, or one that can do as much */
    boolean add(BitSet known, BitSet unknown, Namespace state, List<Linearizability.Open> open, int last) {
        int number = states.computeIfAbsent(state, other -> states.size());
        int first = known.nextClearBit(0);
        BitSet behind = known.get(first, Math.max(first, known.length()));
        Key closed = new Key(first, behind, number, List.of(), Linearizability.NONE);
        Key key = open.isEmpty() ? closed : new Key(first, behind, number, open, last);
        if (fewer(closed, unknown) || (!open.isEmpty() && fewer(key, unknown))) {
            return false;
        }
        List<BitSet> all = fewest.computeIfAbsent(key, none -> new ArrayList<>(1));
        all.removeIf(other -> within(unknown, other));
        all.add(unknown.get(0, unknown.length()));
        size++;
        return true;
    }

    private boolean fewer(Key key, BitSet unknown) {
        return fewest.getOrDefault(key, List.of()).stream().anyMatch(other -> within(other, unknown));
    }

    private static boolean within(BitSet part, BitSet whole) {
        for (int bit = part.nextSetBit(0); bit >= 0; bit = part.nextSetBit(bit + 1)) {
            if (!whole.get(bit)) {
                return false;
            }
        }
        return true;
    }

    /** Number of added configurations. */
    long size() {
        return size;
    }
}
