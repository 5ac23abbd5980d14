package io.ecfs.client.update;

import io.ecfs.client.base.UpdateConfig;
import io.ecfs.layout.Policy;
import io.ecfs.patch.PatchBatch;
import io.ecfs.patch.Write;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Calls of users that wait while a batch is under way, in their order: bounded in bytes. One call at a time. */
final class UpdateQueue {
    /** Most bytes of one batch, but for its last write. */
    private static final int BATCH_BYTES = 8 << 20;

    private final long most;
    private final ArrayDeque<Work> works = new ArrayDeque<>();
    private long bytes;

    /** What a user asked, to be done in this order. */
    sealed interface Work {
        CompletableFuture<Void> done();

        /** Memory while it waits. */
        default long bytes() {
            return UpdateConfig.BYTES_OF_A_CALL;
        }

        record Put(Write write, ByteBuffer data, CompletableFuture<Void> done) implements Work {
            @Override
            public long bytes() {
                return (long) UpdateConfig.BYTES_OF_A_CALL + write.length();
            }
        }

        record Cut(long length, CompletableFuture<Void> done) implements Work {}

        /** Completes when all before is acknowledged. */
        record Wait(CompletableFuture<Void> done) implements Work {}

        record Sync(CompletableFuture<Void> done) implements Work {}

        /** @param compact whether its bytes are written in order, so that it becomes an ordinary file */
        record Close(boolean compact, CompletableFuture<Void> done) implements Work {}
    }

    /** @param most bytes that may wait */
    UpdateQueue(long most) {
        this.most = most;
    }

    boolean isEmpty() {
        return works.isEmpty();
    }

    /** Takes a call, or returns false when too many bytes wait. Where nothing waits any call is taken. */
    boolean offer(Work work) {
        if (!works.isEmpty() && work.bytes() > most - bytes) {
            return false;
        }
        add(work);
        return true;
    }

    /** Takes the last call, whatever waits. */
    void add(Work work) {
        works.add(work);
        bytes += work.bytes();
    }

    /**
     * The next calls: as many writes as make a batch, or one of anything else.
     *
     * @param offset where in its group the batch begins
     */
    List<Work> take(Policy policy, long offset) {
        List<Work> taken = new ArrayList<>();
        long count = 0;
        while (works.peek() instanceof Work.Put put && count < BATCH_BYTES && taken.size() < PatchBatch.MAX_WRITES) {
            taken.add(works.remove());
            count += put.write().length();
        }
        if (taken.isEmpty()) {
            taken.add(works.remove());
        } else {
            int fitting = BatchEnd.fitting(policy, offset, writes(taken));
            while (taken.size() > fitting) {
                works.addFirst(taken.remove(taken.size() - 1));
            }
        }
        taken.forEach(work -> bytes -= work.bytes());
        return taken;
    }

    static List<Write> writes(List<Work> puts) {
        return puts.stream().map(work -> ((Work.Put) work).write()).toList();
    }

    /** Takes all that waits. */
    List<Work> drain() {
        List<Work> all = new ArrayList<>(works);
        works.clear();
        bytes = 0;
        return all;
    }
}
