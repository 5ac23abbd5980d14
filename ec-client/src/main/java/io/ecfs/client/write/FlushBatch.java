package io.ecfs.client.write;

import io.ecfs.client.write.stripe.Increment;
import java.util.List;
import java.util.Optional;

/**
 * Acknowledgements that are asked for together: records on their way to tail logs. They share one sync. The memory goes
 * back when the last datanode has answered.
 */
final class FlushBatch {
    private final List<WriteEvent.Flush> flushes;
    private final boolean sync;
    private int waiting;
    private boolean sent;

    FlushBatch(List<WriteEvent.Flush> flushes) {
        this(flushes, flushes.stream().anyMatch(WriteEvent.Flush::sync));
    }

    private FlushBatch(List<WriteEvent.Flush> flushes, boolean sync) {
        this.flushes = List.copyOf(flushes);
        this.sync = sync;
    }

    /**
     * A batch without a request of the user: full stripes are acknowledged, and put on disk when records on disk are to
     * be replaced by them.
     */
    static FlushBatch settling(boolean sync) {
        return new FlushBatch(List.of(), sync);
    }

    List<Increment> increments() {
        return flushes.stream()
                .map(WriteEvent.Flush::increment)
                .flatMap(Optional::stream)
                .toList();
    }

    boolean sync() {
        return sync;
    }

    void asked() {
        waiting++;
    }

    /** Nothing more is asked. */
    void sent() {
        sent = true;
        releaseWhenDone();
    }

    void answered() {
        waiting--;
        releaseWhenDone();
    }

    private void releaseWhenDone() {
        if (sent && waiting == 0) {
            increments().forEach(Increment::close);
        }
    }

    /** @param acknowledged whether everything that was asked is acknowledged */
    void complete(boolean acknowledged) {
        flushes.forEach(flush -> flush.done().complete(acknowledged));
    }

    void fail(Throwable reason) {
        flushes.forEach(flush -> flush.done().completeExceptionally(reason));
    }
}
