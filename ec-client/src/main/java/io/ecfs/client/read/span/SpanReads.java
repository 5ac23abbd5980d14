package io.ecfs.client.read.span;

import io.ecfs.client.base.ChunkSource;
import io.ecfs.client.health.DatanodeHealth;
import io.ecfs.client.health.HedgeTimer;
import io.ecfs.client.health.SourceStates;
import io.ecfs.client.location.LocationRefresher;
import io.ecfs.client.location.Segment;
import io.ecfs.code.ErasureCode;
import io.ecfs.env.Clock;
import io.ecfs.env.Scheduler;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Starts reads of single spans: of one that lies in a single chunk, of a cluster in which nothing stands out, as a
 * {@link DirectRead}, of others as a {@link SpanRead}. Safe for use by several threads.
 */
public final class SpanReads {
    private final SpanPlanner planner;
    private final ChunkSource chunks;
    private final SpanDecoder decoder;
    private final DatanodeHealth health;
    private final HedgeTimer timer;
    private final Scheduler owner;
    private final Clock clock;
    private final DirectReads direct;

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
        this.direct = new DirectReads(chunks, planner, health, timer, owner, clock);
    }

    /** Reads file bytes [from, to), one span; the result counts in group bytes. */
    CompletableFuture<? extends GroupBytes> read(
            Segment segment, long from, long to, ReadStrategy strategy, LocationRefresher refresher) {
        long begin = from + segment.shift();
        long end = to + segment.shift();
        if (segment.source().isPresent()) {
            return segment.source().get().read(begin, end).thenApply(bytes -> new HeapBytes(begin, bytes));
        }
        LocatedGroup group = segment.group();
        Span span = new Span(segment.layout(), begin, end);
        Optional<ChunkLocation> only = strategy.isDefault() ? direct.chunk(group, span) : Optional.empty();
        return only.isPresent()
                ? direct.read(group, only.get(), span, strategy, () -> read(group, span, strategy, refresher))
                : read(group, span, strategy, refresher).start();
    }

    /** Reads group bytes [from, to), one span; the result completes on the client's owner thread. */
    CompletableFuture<SpanBytes> read(
            LocatedGroup group,
            GroupLayout layout,
            long from,
            long to,
            ReadStrategy strategy,
            LocationRefresher refresher) {
        return read(group, new Span(layout, from, to), strategy, refresher).start();
    }

    private SpanRead read(LocatedGroup group, Span span, ReadStrategy strategy, LocationRefresher refresher) {
        ErasureCode code = planner.code(group);
        SourceStates sources = health.sources(group);
        ReceivedChunks received = new ReceivedChunks(span);
        SpanRequests requests =
                new SpanRequests(chunks, owner, clock, health, group, strategy, refresher, sources, received);
        return new SpanRead(planner, decoder, health, timer, owner, span, strategy, code, sources, received, requests);
    }
}
