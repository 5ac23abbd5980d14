package io.ecfs.client.read.span;

import io.ecfs.client.base.ChunkSource;
import io.ecfs.client.health.DatanodeHealth;
import io.ecfs.client.health.HedgeTimer;
import io.ecfs.client.read.span.Span.Range;
import io.ecfs.env.Clock;
import io.ecfs.env.Scheduler;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import java.util.Iterator;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The {@link DirectRead direct reads} under way. With each tick of the hedge timer the owner thread reports those that
 * are over to {@link DatanodeHealth}, and passes on those that are late. None begins while a datanode is slow or some
 * volume stands out, or of a volume that writes: then the owner thread chooses the chunks.
 */
final class DirectReads implements HedgeTimer.Poll {
    private final ChunkSource chunks;
    private final SpanPlanner planner;
    private final DatanodeHealth health;
    private final HedgeTimer timer;
    private final Scheduler owner;
    private final Clock clock;
    private final Queue<Entry> reads = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean polled = new AtomicBoolean();

    /** @param others reads the span with all that the owner thread knows */
    private record Entry(DirectRead read, Supplier<SpanRead> others) {}

    DirectReads(
            ChunkSource chunks,
            SpanPlanner planner,
            DatanodeHealth health,
            HedgeTimer timer,
            Scheduler owner,
            Clock clock) {
        this.chunks = chunks;
        this.planner = planner;
        this.health = health;
        this.timer = timer;
        this.owner = owner;
        this.clock = clock;
    }

    /** The chunk that has all of a span and may be read directly. */
    Optional<ChunkLocation> chunk(LocatedGroup group, Span span) {
        boolean free = !health.anySlow() && !planner.costsMattered();
        return free && span.wanted().size() == 1
                ? group.chunk(span.wanted().firstKey())
                        .filter(health::expectedToAnswer)
                        .filter(location -> health.onReader(group, location))
                : Optional.empty();
    }

    /**
     * Reads the chunk.
     *
     * @param strategy as of a span that asks for no more than its bytes
     * @return the bytes, owned by the caller; fails and is cancelled as a {@link SpanRead}
     */
    CompletableFuture<SpanBytes> read(
            LocatedGroup group, ChunkLocation location, Span span, ReadStrategy strategy, Supplier<SpanRead> others) {
        Range range = span.wanted().get(location.chunk().index());
        health.countRequest();
        long began = clock.nanos();
        SentRead sent = strategy.send(
                chunks, new ChunkSource.ChunkRead(location, range.from(), range.bytes(), group.token(), false));
        DirectRead read = new DirectRead(sent, location, range, began);
        reads.add(new Entry(read, others));
        if (polled.compareAndSet(false, true)) {
            owner.execute(() -> timer.add(this));
        }
        return read.await(span, clock::nanos, () -> owner.execute(() -> read.passOn(others)));
    }

    @Override
    public void poll(long now) {
        for (Iterator<Entry> left = reads.iterator(); left.hasNext(); ) {
            Entry entry = left.next();
            DirectRead read = entry.read();
            if (read.state() == DirectRead.State.IN_FLIGHT && health.late(read.volumeBytes(), now - read.began())) {
                read.passOn(entry.others());
            }
            if (read.state() != DirectRead.State.IN_FLIGHT) {
                left.remove();
                report(read);
            }
        }
        planner.costsMatter(); // from the times of these reads
        if (reads.isEmpty()) {
            timer.remove(this);
            polled.set(false);
            if (!reads.isEmpty() && polled.compareAndSet(false, true)) {
                timer.add(this);
            }
        }
    }

    /** One that was passed on is reported by the read that goes on with it. */
    private void report(DirectRead read) {
        switch (read.state()) {
            case DONE -> {
                health.onRequest(read.location());
                health.onReply(read.location(), read.volumeBytes(), read.began(), read.took(), read.reportedWriting());
            }
            case CANCELLED -> {
                health.onRequest(read.location());
                health.onCancel(read.location(), read.volumeBytes(), read.began(), read.took());
            }
            case IN_FLIGHT, PASSED_ON -> {}
        }
    }
}
