package io.ecfs.client.write;

import io.ecfs.stripe.write.IncrementBatch;
import java.util.List;
import java.util.Optional;

/** Acknowledgements that users ask for together. */
final class FlushBatch {
    private final List<WriteEvent.Flush> flushes;
    private final IncrementBatch records;

    FlushBatch(List<WriteEvent.Flush> flushes) {
        this.flushes = List.copyOf(flushes);
        this.records = new IncrementBatch(
                flushes.stream()
                        .map(WriteEvent.Flush::increment)
                        .flatMap(Optional::stream)
                        .toList(),
                flushes.stream().anyMatch(WriteEvent.Flush::sync));
    }

    private FlushBatch(IncrementBatch records) {
        this.flushes = List.of();
        this.records = records;
    }

    /**
     * A batch without a request of the user: full stripes are acknowledged, and put on disk when records on disk are to
     * be replaced by them.
     */
    static FlushBatch settling(boolean sync) {
        return new FlushBatch(new IncrementBatch(List.of(), sync));
    }

    IncrementBatch records() {
        return records;
    }

    /** @param acknowledged whether everything that was asked is acknowledged */
    void complete(boolean acknowledged) {
        flushes.forEach(flush -> flush.done().complete(acknowledged));
    }

    void fail(Throwable reason) {
        flushes.forEach(flush -> flush.done().completeExceptionally(reason));
    }
}
