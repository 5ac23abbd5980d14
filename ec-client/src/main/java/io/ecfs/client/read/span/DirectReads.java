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
 * volume stands out: then the owner thread chooses the chunks.
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

    /**
     * One of them.
     *
     * @param through bytes that its volume reads before it has answered, these included: a read that waits for others
     *     of its message is not late
     * @param others reads the span with all that the owner thread knows
     */
    private record Entry(DirectRead read, int through, Supplier<SpanRead> others) {}

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
                ? group.chunk(span.wanted().firstKey()).filter(health::expectedToAnswer)
                : Optional.empty();
    }

    /**
     * Reads the chunk.
     *
     * @param together the request for several spans that it is a part of
     * @return the bytes, owned by the caller; fails and is cancelled as a {@link SpanRead}
     */
    CompletableFuture<SpanBytes> read(
            LocatedGroup group,
            ChunkLocation location,
            Span span,
            Optional<CoalescedReads> together,
            Supplier<SpanRead> others) {
        Range range = span.wanted().get(location.chunk().index());
        health.countRequest();
        ChunkSource source = together.<ChunkSource>map(with -> with).orElse(chunks);
        DirectRead read = new DirectRead(source, location, range, group.token(), clock.nanos());
        int through = CoalescedReads.through(together, location, range.bytes());
        reads.add(new Entry(read, through, others));
        if (polled.compareAndSet(false, true)) {
            owner.execute(() -> timer.add(this));
        }
        return read.await(span, clock::nanos, () -> owner.execute(() -> read.passOn(others, through)));
    }

    @Override
    public void poll(long now) {
        for (Iterator<Entry> left = reads.iterator(); left.hasNext(); ) {
            Entry entry = left.next();
            DirectRead read = entry.read();
            if (read.state() == DirectRead.State.IN_FLIGHT && health.late(entry.through(), now - read.began())) {
                read.passOn(entry.others(), entry.through());
            }
            if (read.state() != DirectRead.State.IN_FLIGHT) {
                left.remove();
                report(read, entry.through());
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
    private void report(DirectRead read, int through) {
        switch (read.state()) {
            case DONE -> {
                health.onRequest(read.location());
                health.onReply(read.location(), through, read.began(), read.took());
            }
            case CANCELLED -> {
                health.onRequest(read.location());
                health.onCancel(read.location(), through, read.began(), read.took());
            }
            case IN_FLIGHT, PASSED_ON -> {}
        }
    }
}
