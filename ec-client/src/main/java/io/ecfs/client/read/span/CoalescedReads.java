package io.ecfs.client.read.span;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.client.base.ChunkSource;
import io.ecfs.env.Scheduler;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.transfer.ChunkBytes;
import io.ecfs.wire.Futures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The chunk reads of one request for several blocks. What is asked for before the owner thread comes to its next task
 * leaves together, one message to each datanode: that is what chunks at the same site save. Safe for use by several
 * threads.
 */
public final class CoalescedReads implements ChunkSource {
    private record Asked(ChunkRead read, CompletableFuture<ChunkBytes> result) {}

    private final ChunkSource chunks;
    private final Scheduler owner;

    @GuardedBy("this")
    private final Map<VolumeId, Long> bytes = new HashMap<>();

    @GuardedBy("this")
    private List<Asked> asked = new ArrayList<>();

    public CoalescedReads(ChunkSource chunks, Scheduler owner) {
        this.chunks = chunks;
        this.owner = owner;
    }

    @Override
    public synchronized CompletableFuture<ChunkBytes> read(ChunkRead read) {
        CompletableFuture<ChunkBytes> result = new CompletableFuture<>();
        if (asked.isEmpty()) {
            owner.execute(this::leave);
        }
        asked.add(new Asked(read, result));
        if (!read.spare()) {
            bytes.merge(read.location().volume(), (long) read.bytes(), Long::sum);
        }
        return result;
    }

    private synchronized long asked(VolumeId volume) {
        return bytes.getOrDefault(volume, 0L);
    }

    /**
     * Bytes that a volume reads before it has answered a read that was just asked for: without spares all that it is
     * asked for in the message that leaves next.
     *
     * @param together the request for several blocks that the read is a part of
     */
    static int through(Optional<CoalescedReads> together, ChunkLocation location, int bytes) {
        return together.map(with -> (int) Math.min(Integer.MAX_VALUE, with.asked(location.volume())))
                .orElse(bytes);
    }

    private synchronized List<Asked> taken() {
        List<Asked> taken = asked;
        asked = new ArrayList<>();
        bytes.clear();
        return taken;
    }

    private void leave() {
        List<Asked> now = taken();
        now.removeIf(one -> one.result().isDone());
        List<CompletableFuture<ChunkBytes>> calls;
        try {
            calls = chunks.readAll(now.stream().map(Asked::read).toList());
        } catch (RuntimeException | Error e) {
            now.forEach(one -> one.result().completeExceptionally(e)); // no reply will complete them
            throw e;
        }
        for (int i = 0; i < calls.size(); i++) {
            Futures.join(calls.get(i), now.get(i).result(), ChunkBytes::close);
        }
    }
}
