package io.ecfs.namenode.scrub;

import io.ecfs.namenode.group.ChunkOnVolume;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * What is known of pairs that were to be compared, by the old chunk. Of at most {@value #MOST}: for another one the
 * first in the order of the chunks is forgotten, which has it compared again. Owner thread: the namenode's event
 * thread.
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
