package io.ecfs.client.write;

import java.util.List;
import java.util.Optional;

/**
 * Acknowledgements that are asked for together: records on their way to tail logs. They share one sync. The memory goes back when the last
 * datanode has answered.
 */
final class Promise {
    private final List<WriteEvent.Flush> flushes;
    private int waiting;
    private boolean sent;

    Promise(List<WriteEvent.Flush> flushes) {
        this.flushes = List.copyOf(flushes);
    }

    List<Increment> increments() {
        return flushes.stream()
                .map(WriteEvent.Flush::increment)
                .flatMap(Optional::stream)
                .toList();
    }

    boolean sync() {
        return flushes.stream().anyMatch(WriteEvent.Flush::sync);
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

    /** @param kept whether what was asked holds */
    void complete(boolean kept) {
        flushes.forEach(flush -> flush.done().complete(kept));
    }

    void fail(Throwable reason) {
        flushes.forEach(flush -> flush.done().completeExceptionally(reason));
    }
}
