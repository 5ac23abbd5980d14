package io.ecfs.client.read;

import io.ecfs.client.read.Span.Range;
import io.ecfs.code.ChunkSet;
import io.ecfs.transfer.ChunkBytes;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The bytes of a span's chunks that are here, a stretch of each. They are owned by this until somebody
 * {@linkplain #take takes} them or they are let go. Owned by the client's owner thread.
 */
final class ChunksAtHand {
    private final Span span;
    private final SortedMap<Integer, ChunkBytes> here = new TreeMap<>();

    ChunksAtHand(Span span) {
        this.span = span;
    }

    boolean has(int index, Range range) {
        ChunkBytes bytes = here.get(index);
        return bytes != null && bytes.covers(range.from(), range.to());
    }

    /** Of what the chunk stores of them: the rest is zeros. */
    boolean hasColumns(int index, Range columns) {
        return !span.hasStored(index, columns) || has(index, span.stored(index, columns));
    }

    /** The chunks of which wanted bytes are not here. */
    ChunkSet missing() {
        ChunkSet missing = ChunkSet.empty();
        for (Map.Entry<Integer, Range> one : span.wanted().entrySet()) {
            if (!has(one.getKey(), one.getValue())) {
                missing = missing.with(one.getKey());
            }
        }
        return missing;
    }

    /** Takes bytes over, in place of what was here of the chunk. */
    void keep(int index, ChunkBytes bytes) {
        ChunkBytes before = here.put(index, bytes);
        if (before != null) {
            before.close();
        }
    }

    /** @return all of them, by index; they belong to the caller */
    SortedMap<Integer, ChunkBytes> take() {
        SortedMap<Integer, ChunkBytes> taken = new TreeMap<>(here);
        here.clear();
        return taken;
    }

    void letGo() {
        take().values().forEach(ChunkBytes::close);
    }

    /** For the log: which chunks. */
    Set<Integer> indexes() {
        return here.keySet();
    }
}
