package io.ecfs.client.read.span;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.client.base.ChunkSource;
import io.ecfs.client.base.ChunkSource.ChunkRead;
import io.ecfs.env.Scheduler;
import io.ecfs.message.VolumeId;
import io.ecfs.transfer.ChunkBytes;
import io.ecfs.wire.Futures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The chunk reads of one request for several blocks. What is asked for before the owner thread comes to its next task
 * leaves together, one message to each datanode: that is what chunks at the same site save. Safe for use by several
 * threads.
 */
public final class CoalescedReads {
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

    /** Asks for chunk bytes, with the next message. */
    synchronized SentRead read(ChunkRead read) {
        CompletableFuture<ChunkBytes> result = new CompletableFuture<>();
        if (asked.isEmpty()) {
            owner.execute(this::leave);
        }
        asked.add(new Asked(read, result));
        long volumeBytes =
                read.spare() ? read.bytes() : bytes.merge(read.location().volume(), (long) read.bytes(), Long::sum);
        return new SentRead(result, (int) Math.min(Integer.MAX_VALUE, volumeBytes));
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
