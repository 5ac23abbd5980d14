package io.ecfs.client.read;

import io.ecfs.client.base.ChunkSource;
import io.ecfs.code.ErasureCode;
import io.ecfs.env.Clock;
import io.ecfs.env.Scheduler;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.namespace.LocatedGroup;
import java.util.concurrent.CompletableFuture;

/** Starts reads of single spans. Safe for use by several threads. */
public final class SpanReads {
    private final SpanPlanner planner;
    private final ChunkSource chunks;
    private final SpanDecoder decoder;
    private final DatanodeHealth health;
    private final HedgeTimer timer;
    private final Scheduler owner;
    private final Clock clock;

    public SpanReads(
            SpanPlanner planner,
            ChunkSource chunks,
            SpanDecoder decoder,
            DatanodeHealth health,
            HedgeTimer timer,
            Scheduler owner,
            Clock clock) {
        this.planner = planner;
        this.chunks = chunks;
        this.decoder = decoder;
        this.health = health;
        this.timer = timer;
        this.owner = owner;
        this.clock = clock;
    }

    /** Reads file bytes [from, to), one span; the result counts in group bytes. */
    CompletableFuture<? extends GroupBytes> read(
            Segment segment, long from, long to, ReadStrategy strategy, LocationRefresher refresher) {
        long begin = from + segment.shift();
        long end = to + segment.shift();
        return segment.tail().isPresent()
                ? segment.tail().get().read(begin, end).thenApply(bytes -> new TailBytes(begin, bytes))
                : read(segment.group(), segment.layout(), begin, end, strategy, refresher);
    }

    /** Reads group bytes [from, to), one span. */
    CompletableFuture<SpanBytes> read(
            LocatedGroup group,
            GroupLayout layout,
            long from,
            long to,
            ReadStrategy strategy,
            LocationRefresher refresher) {
        Span span = new Span(layout, from, to);
        ErasureCode code = planner.code(group);
        SourceStates sources = health.sources(group);
        ReceivedChunks received = new ReceivedChunks(span);
        SpanRequests requests =
                new SpanRequests(chunks, owner, clock, health, group, strategy, refresher, sources, received);
        return new SpanRead(planner, decoder, health, timer, owner, span, strategy, code, sources, received, requests)
                .start();
    }
}
