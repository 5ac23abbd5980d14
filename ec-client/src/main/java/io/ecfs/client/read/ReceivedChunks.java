package io.ecfs.client.read;

import io.ecfs.client.read.Span.Range;
import io.ecfs.code.ChunkSet;
import io.ecfs.transfer.ChunkBytes;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The bytes of a span's chunks that have arrived, a stretch of each. It owns them until the caller
 * {@linkplain #take takes} or {@linkplain #release releases} them. Owned by the client's owner thread.
 */
final class ReceivedChunks {
    private final Span span;
    private final SortedMap<Integer, ChunkBytes> here = new TreeMap<>();

    ReceivedChunks(Span span) {
        this.span = span;
    }

    boolean has(int index, Range range) {
        ChunkBytes bytes = here.get(index);
        return bytes != null && bytes.covers(range.from(), range.to());
    }

    /** The same for columns of the chunk, as far as it stores them: the rest is zeros. */
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

    /** Takes ownership of bytes, in place of those of the chunk that arrived before. */
    void add(int index, ChunkBytes bytes) {
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

    void release() {
        take().values().forEach(ChunkBytes::close);
    }

    /** The indexes of the chunks, for the log. */
    Set<Integer> indexes() {
        return here.keySet();
    }
}
