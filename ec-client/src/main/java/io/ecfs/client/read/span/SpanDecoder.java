package io.ecfs.client.read.span;

import io.ecfs.buffer.BufferPool;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import io.ecfs.env.Workers;
import io.ecfs.transfer.ChunkBytes;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;

/** The workers that decode spans, and their memory. Safe for use by several threads. */
public final class SpanDecoder {
    private final Workers workers;
    private final BufferPool scratch;
    private final ReadTimes times;

    /**
     * @param scratch memory for decoded and padded bytes; it only counts them: the budget that each span reserves from
     *     bounds them
     */
    public SpanDecoder(Workers workers, BufferPool scratch, ReadTimes times) {
        this.workers = workers;
        this.scratch = scratch;
        this.times = times;
    }

    /** A decode that owns the chunks' bytes from now on; {@link #submit} must follow. */
    SpanDecode prepare(
            Span span, ErasureCode code, RepairPlan plan, Span.Range columns, SortedMap<Integer, ChunkBytes> received) {
        return new SpanDecode(span, code, plan, columns, received, scratch);
    }

    /** @return the bytes; when it fails, the caller releases the decode */
    CompletableFuture<SpanBytes> submit(SpanDecode decode) {
        return workers.submit(() -> decode.timed(times));
    }
}
