package io.ecfs.client.ring;

import io.ecfs.code.ChunkSet;
import io.ecfs.env.Clock;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.RingId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.ring.RingState;
import io.ecfs.message.ring.RingVolume;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The volumes that write now.
 *
 * <pre>
 *   a located group names a ring --&gt; known? --no--&gt; GetRings --&gt; rotations, colours --.
 *   minute after minute of reads -------------------&gt; GetRings                        +--&gt; role of a volume
 *   one names none, on a volume of a known ring ----&gt; GetRings: the ring was dropped  |
 *   a reply reports "writing", against that -------&gt; mark of its volume, GetRings ---+
 *   a reply does not report it, against that -------&gt; mark of its volume --------------'
 * </pre>
 *
 * The namenode is polled only when a located group names a ring, or lies on volumes of a ring that it does not name. A
 * mark holds for the rest of the volume's turn, and for two seconds at most: then a read finds out again. Polls that
 * change nothing become rarer, up to one a minute.
 *
 * <p>A volume that has drained everything reads before its turn: so one that should write is tried now and then ({@link
 * #takeTrial}), and that it reads is no reason to poll the namenode. Safe for use by several threads.
 */
public final class RingView {
    private static final Logger LOG = LoggerFactory.getLogger(RingView.class);

    /** Least time between two polls; twice as much after each that changed nothing. */
    static final long SOON = TimeUnit.SECONDS.toNanos(1);

    /** Age of the namenode's reply from which on it is polled again. */
    static final long RARELY = TimeUnit.MINUTES.toNanos(1);

    static final long LONGEST_MARK = TimeUnit.SECONDS.toNanos(2);
    private static final int MOST_MARKS = 4096;

    /** @param ring in which the volume has its colour */
    private record Place(RingId ring, int colour) {}

    private record Picture(Map<RingId, Rotation> rings, Map<VolumeId, Place> places) {
        static final Picture EMPTY = new Picture(Map.of(), Map.of());

        /** Returns whether the rings and their volumes are the same, wherever the rings are. */
        boolean alike(Picture other) {
            return places.equals(other.places)
                    && rings.keySet().equals(other.rings.keySet())
                    && rings.entrySet().stream()
                            .allMatch(ring -> ring.getValue().epoch()
                                    == other.rings.get(ring.getKey()).epoch());
        }
    }

    /** @param until time from which on it does not hold any more */
    private record Mark(boolean writes, long until) {}

    private final Clock clock;
    private final Supplier<CompletableFuture<List<RingState>>> namenode;
    private volatile Picture picture = Picture.EMPTY;
    private final Map<VolumeId, Mark> marks = new ConcurrentHashMap<>();
    private final ReportedRoles reported = new ReportedRoles();
    private final WriterTrials trials = new WriterTrials();
    private final AtomicBoolean polling = new AtomicBoolean();
    private volatile boolean polled;
    private volatile long polledAt;
    private volatile long pause = SOON;
    private final LongAdder polls = new LongAdder();
    private final LongAdder contradictions = new LongAdder();

    /** @param namenode answers GetRings */
    public RingView(Clock clock, Supplier<CompletableFuture<List<RingState>>> namenode) {
        this.clock = Objects.requireNonNull(clock, "clock");
        this.namenode = Objects.requireNonNull(namenode, "namenode");
    }

    /** The roles of the volumes of a group's chunks, now. */
    public ChunkRoles roles(LocatedGroup group) {
        if (group.ring().isEmpty() && marks.isEmpty() && picture.places().isEmpty()) {
            return ChunkRoles.NONE;
        }
        ChunkSet turning = ChunkSet.empty();
        ChunkSet writing = ChunkSet.empty();
        for (ChunkLocation location : group.chunks()) {
            int index = location.chunk().index();
            switch (role(group, location)) {
                case TURNS -> turning = turning.with(index);
                case WRITES -> writing = writing.with(index);
                case READS -> {}
            }
        }
        return new ChunkRoles(turning, writing);
    }

    /** The role of the volume of one chunk of a group, now. */
    public ExpectedRole role(LocatedGroup group, ChunkLocation location) {
        boolean placed = inRing(location.volume());
        if (group.ring().isEmpty() && marks.isEmpty() && !placed) {
            return ExpectedRole.READS;
        }
        long now = clock.nanos();
        if (group.ring().isEmpty()) {
            if (placed) {
                poll(now, pause); // the ring was dropped and its group stays
            }
            return marked(location.volume(), now).orElse(ExpectedRole.READS);
        }
        boolean known = placed && picture.rings().containsKey(group.ring().get());
        poll(now, known ? RARELY : pause);
        return role(location.volume(), now);
    }

    /** The role of a volume, now. */
    public ExpectedRole role(VolumeId volume) {
        return marks.isEmpty() && picture.places().isEmpty() ? ExpectedRole.READS : role(volume, clock.nanos());
    }

    private Optional<ExpectedRole> marked(VolumeId volume, long now) {
        Mark mark = marks.get(volume);
        if (mark == null) {
            return Optional.empty();
        }
        if (now - mark.until() < 0) {
            return Optional.of(mark.writes() ? ExpectedRole.WRITES : ExpectedRole.READS);
        }
        marks.remove(volume, mark);
        return Optional.empty();
    }

    private ExpectedRole role(VolumeId volume, long now) {
        Optional<ExpectedRole> marked = marked(volume, now);
        if (marked.isPresent()) {
            return marked.get();
        }
        Picture seen = picture;
        Place place = seen.places().get(volume);
        return place == null
                ? ExpectedRole.READS
                : seen.rings().get(place.ring()).role(place.colour(), now);
    }

    /** Returns whether a volume is known to be in a ring. */
    public boolean inRing(VolumeId volume) {
        return picture.places().containsKey(volume);
    }

    /**
     * Counts a read that goes around a volume that should write.
     *
     * @return whether a request beside the read is to find out whether it does; {@link #answered} takes the reply
     */
    public boolean takeTrial(VolumeId volume) {
        return inRing(volume) && trials.take(volume, clock.nanos());
    }

    /** Takes what a datanode's reply reports of its volume; the reply came just now. */
    public void answered(VolumeId volume, boolean writing) {
        answered(volume, writing, clock.nanos());
    }

    /** @param now time at which the reply came: the ring may have turned since */
    public void answered(VolumeId volume, boolean writing, long now) {
        Picture seen = picture;
        if (!writing && marks.isEmpty() && seen.places().isEmpty()) {
            return;
        }
        reported.note(volume, writing, now);
        Place place = seen.places().get(volume);
        if (place == null) { // nothing is known that could be contradicted
            mark(volume, writing, writing, now + LONGEST_MARK);
            return;
        }
        Rotation rotation = seen.rings().get(place.ring());
        boolean expected = rotation.role(place.colour(), now) == ExpectedRole.WRITES;
        boolean differs = expected != writing && rotation.steady(place.colour(), now);
        if (differs && writing) {
            contradictions.increment();
            LOG.debug("event=ring_role_differs volume={} ring={}", volume, place.ring());
            poll(clock.nanos(), pause);
        }
        mark(volume, differs, writing, now + Math.min(LONGEST_MARK, rotation.untilTurn(now)));
    }

    /** See {@link ReportedRoles#sameSince}. */
    public boolean sameSince(VolumeId volume, long began) {
        return reported.sameSince(volume, began);
    }

    private void mark(VolumeId volume, boolean differs, boolean writing, long until) {
        if (!differs) {
            marks.remove(volume);
        } else if (marks.size() < MOST_MARKS || marks.containsKey(volume)) {
            marks.put(volume, new Mark(writing, until));
        }
    }

    /** Polls the namenode unless it was polled within this time. */
    private void poll(long now, long within) {
        if ((polled && now - polledAt < within) || !polling.compareAndSet(false, true)) {
            return;
        }
        polled = true;
        polledAt = now;
        polls.increment();
        CompletableFuture.completedFuture(now)
                .thenCompose(begun -> namenode.get())
                .thenAccept(states -> adopt(states, now))
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        rarer();
                        LOG.info(
                                "event=rings_unknown reason=\"{}\"",
                                EcfsException.of(failure).getMessage());
                    }
                    polling.set(false);
                });
    }

    private void rarer() {
        pause = Math.min(RARELY, 2 * pause);
    }

    /** A reply of an earlier leader, of a ring in a lower epoch, is dropped. */
    private void adopt(List<RingState> states, long polledBefore) {
        long now = clock.nanos();
        Picture before = picture;
        Map<RingId, Rotation> rings = new HashMap<>();
        Map<VolumeId, Place> places = new HashMap<>();
        for (RingState state : states) {
            RingId ring = state.ring();
            Rotation known = before.rings().get(ring);
            Rotation current = Rotation.of(state, polledBefore, now);
            if (known != null && current.epoch() < known.epoch()) {
                rings.put(ring, known);
                before.places().forEach((volume, place) -> {
                    if (place.ring().equals(ring)) {
                        places.put(volume, place);
                    }
                });
                continue;
            }
            rings.put(ring, known == null ? current : current.after(known, now));
            for (RingVolume volume : state.volumes()) {
                volume.colour().ifPresent(colour -> places.put(volume.volume(), new Place(ring, colour)));
            }
        }
        Picture after = new Picture(Map.copyOf(rings), Map.copyOf(places));
        if (after.alike(before)) {
            rarer();
        } else {
            pause = SOON;
            LOG.info("event=rings_known rings={} volumes={}", rings.keySet(), places.size());
        }
        picture = after;
        trials.retain(places.keySet());
    }

    /** Number of times that the namenode was polled. */
    public long polls() {
        return polls.sum();
    }

    /** Number of replies of datanodes whose volumes write although they should only read. */
    public long contradictions() {
        return contradictions.sum();
    }
}
