package io.ecfs.datanode.store;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.chunk.ChunkRecord;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * In-memory index of the chunks of one volume. The thread that runs a chunk's call replaces its entry; readers of any
 * thread see whole entries.
 */
final class ChunkIndex {
    private final NavigableMap<ChunkId, StoredChunk> chunks = new ConcurrentSkipListMap<>();
    private final LongAdder count = new LongAdder();
    private final LongAdder storedBytes = new LongAdder();

    int count() {
        return count.intValue();
    }

    /** Sum of the bytes of all chunks, checksums not counted. */
    long storedBytes() {
        return storedBytes.sum();
    }

    Optional<StoredChunk> find(ChunkId id) {
        return Optional.ofNullable(chunks.get(id));
    }

    /** @throws EcfsException {@code CHUNK_MISSING} */
    StoredChunk existing(ChunkId id, String volume) throws EcfsException {
        return find(id).orElseThrow(
                        () -> new EcfsException(ErrorCode.CHUNK_MISSING, id + " is not on volume " + volume));
    }

    /** Records in order, at most {@code limit}, beginning behind {@code after} or at the first. */
    List<ChunkRecord> records(Optional<ChunkId> after, int limit) {
        NavigableMap<ChunkId, StoredChunk> rest = after.isPresent() ? chunks.tailMap(after.get(), false) : chunks;
        return rest.values().stream().limit(limit).map(StoredChunk::record).toList();
    }

    void keep(StoredChunk chunk) {
        StoredChunk before = chunks.put(chunk.chunk(), chunk);
        if (before == null) {
            count.increment();
        }
        storedBytes.add(chunk.bytes() - (before == null ? 0 : before.bytes()));
    }

    void forget(ChunkId id) {
        StoredChunk before = chunks.remove(id);
        if (before != null) {
            count.decrement();
            storedBytes.add(-before.bytes());
        }
    }
}
