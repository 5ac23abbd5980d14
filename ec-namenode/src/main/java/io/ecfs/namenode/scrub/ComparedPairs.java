package io.ecfs.namenode.scrub;

import io.ecfs.namenode.group.ChunkOnVolume;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * State of pairs that were to be compared, by the old chunk. At most {@value #MOST}: another one evicts the first in
 * the order of the chunks, which is compared again. Owner thread: the namenode's event thread.
 */
final class ComparedPairs<V> {
    static final int MOST = 20_000;

    private final TreeMap<ChunkOnVolume, V> byOld = new TreeMap<>();

    Optional<V> find(ChunkOnVolume old) {
        return Optional.ofNullable(byOld.get(old));
    }

    void put(ChunkOnVolume old, V known) {
        if (byOld.size() >= MOST && !byOld.containsKey(old)) {
            byOld.pollFirstEntry();
        }
        byOld.put(old, known);
    }

    void remove(ChunkOnVolume old) {
        byOld.remove(old);
    }

    void removeIf(BiPredicate<ChunkOnVolume, V> over) {
        byOld.entrySet().removeIf(pair -> over.test(pair.getKey(), pair.getValue()));
    }

    int size() {
        return byOld.size();
    }
}
