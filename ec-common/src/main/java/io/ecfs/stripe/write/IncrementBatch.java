package io.ecfs.stripe.write;

import io.ecfs.stripe.Increment;
import java.util.List;

/**
 * Increments that are acknowledged together, on their way to tail logs. They share one sync. Their memory goes back
 * when the last datanode has answered. Owned by the writer's owner thread.
 */
public final class IncrementBatch {
    private final List<Increment> increments;
    private final boolean sync;
    private int waiting;
    private boolean sent;

    /** @param sync puts them on disk; without increments, what was sent before */
    public IncrementBatch(List<Increment> increments, boolean sync) {
        this.increments = List.copyOf(increments);
        this.sync = sync;
    }

    List<Increment> increments() {
        return increments;
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
            increments.forEach(Increment::close);
        }
    }
}
