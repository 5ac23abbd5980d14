package io.ecfs.datanode.store.ring;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.ring.journal.Journal;
import io.ecfs.dispatch.StateMachine;
import io.ecfs.env.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The role of one staged volume, and what leads to the next. Polled at short intervals by the owner of the volume's
 * turns, on one thread; what waits for a disk is given back as work for the volume's threads.
 */
public final class StagedRoles {
    /** Rest of the device before it counts as one that only reads. */
    public static final Duration REST = Duration.ofMillis(50);
    /** Longest time that a turn waits for earlier reads. */
    public static final Duration EARLIER_READS = Duration.ofMillis(250);
    /** Most reads that a turn waits for (eRails, section 6.2). */
    public static final int MOST_EARLIER_READS = 100;
    /**
     * With less than this staged, and for less than a rotation, a volume goes on reading: the device takes it in less
     * time than a turn costs its readers (earlier reads, syncs, {@link #REST}).
     */
    public static final long LEAST_BACKLOG = 4L << 20;

    private static final Logger LOG = LoggerFactory.getLogger(StagedRoles.class);

    private final Journal journal;
    private final Overlay overlay;
    private final StagedChanges changes;
    private final StagedSyncs syncs;
    private final ReadsInFlight reads;
    private final Clock clock;
    private final StateMachine<VolumeRole> role;

    @GuardedBy("this")
    private long since;

    @GuardedBy("this")
    private long readsAtTurn;

    /** When nothing was staged last, or this process began. */
    @GuardedBy("this")
    private long emptyAt;

    @GuardedBy("this")
    private long lateSwitches;

    @GuardedBy("this")
    private boolean late;

    /** It wrote in this window and has drained everything. */
    @GuardedBy("this")
    private boolean returned;

    StagedRoles(
            VolumeIo device,
            Journal journal,
            Overlay overlay,
            StagedChanges changes,
            StagedSyncs syncs,
            ReadsInFlight reads,
            Clock clock) {
        this.journal = journal;
        this.overlay = overlay;
        this.changes = changes;
        this.syncs = syncs;
        this.reads = reads;
        this.clock = clock;
        this.since = clock.nanos();
        this.emptyAt = since;
        VolumeRole first = journal.isEmpty() ? VolumeRole.OUTSIDE : VolumeRole.READING;
        changes.role(first);
        this.role =
                new StateMachine<>(LOG, "ring_role", () -> "volume=" + device.describe(), first, VolumeRole::mayBecome);
    }

    /** What the turns of its ring want of a volume. */
    public enum Wanted {
        /** It is in no ring. */
        OUTSIDE,
        READ,
        WRITE,
        /** It will have to read soon. */
        SETTLE
    }

    /** Work that waits for a disk. */
    public interface Work {
        void run() throws IOException;
    }

    public synchronized VolumeRole role() {
        return role.state();
    }

    /** Returns whether readers should rather read elsewhere. */
    public boolean slowsReads() {
        return changes.role().slowsReads();
    }

    /** Longest time for which something that is staged now can have been staged by this process. */
    synchronized Duration stagedFor() {
        return Duration.ofNanos(clock.nanos() - emptyAt);
    }

    synchronized long lateSwitches() {
        return lateSwitches;
    }

    /** Returns whether pieces of the drain may run now. */
    public boolean drains() {
        return changes.role().passes() || changes.journalHasFailed();
    }

    /**
     * Goes on towards what is wanted, as far as no disk is needed.
     *
     * @param rotation time until it is each volume's turn again
     * @param earlierBegun whether all requests that came before the turn have begun
     * @return work after which this should be called again
     */
    public synchronized Optional<Work> advance(Wanted wanted, Duration rotation, boolean earlierBegun) {
        long now = clock.nanos();
        if (overlay.isEmpty()) {
            emptyAt = now;
        }
        returned &= wanted == Wanted.WRITE;
        if (wanted == Wanted.OUTSIDE) {
            return outside();
        }
        return switch (role.state()) {
            case OUTSIDE -> Optional.of(this::join);
            case READING -> {
                late = false;
                if (wanted == Wanted.WRITE && !mayGoOnReading(now, rotation)) {
                    if (enter(VolumeRole.DRAINING_READS, "turn")) {
                        reads.turn();
                        readsAtTurn = reads.ended();
                    }
                }
                yield Optional.empty();
            }
            case DRAINING_READS -> {
                if (wanted != Wanted.WRITE) {
                    enter(VolumeRole.READING, "turn");
                } else if (earlierRead(now, earlierBegun)) {
                    enter(VolumeRole.WRITING, "earlier reads served");
                }
                yield Optional.empty();
            }
            case WRITING -> {
                if (wanted != Wanted.WRITE) {
                    noteLate(wanted);
                    yield enter(VolumeRole.SETTLING, "turn") ? settling(wanted) : Optional.empty();
                }
                if (overlay.isEmpty() && !changes.journalHasFailed() && enter(VolumeRole.SETTLING, "drained")) {
                    returned = true;
                    yield settling(wanted);
                }
                yield Optional.empty();
            }
            case SETTLING -> settling(wanted);
        };
    }

    @GuardedBy("this")
    private Optional<Work> settling(Wanted wanted) {
        noteLate(wanted);
        if (changes.isQuiet(REST)) {
            if (enter(VolumeRole.READING, "device at rest")) {
                late = false;
            }
            return Optional.empty();
        }
        return changes.mustSettle() ? Optional.of(syncs::settle) : Optional.empty();
    }

    @GuardedBy("this")
    private void noteLate(Wanted wanted) {
        if (wanted == Wanted.READ && !late) {
            late = true;
            lateSwitches++;
            LOG.debug("event=late_switch role={}", role.state());
        }
    }

    private void join() throws IOException {
        try {
            journal.begin();
        } catch (IOException e) { // the volume goes on without it
            LOG.warn("event=journal_not_begun journal={} error=\"{}\"", journal.describe(), e.toString());
        }
        synchronized (this) {
            if (role.is(VolumeRole.OUTSIDE)) {
                late = true; // it joins, and is late for nothing
                enter(VolumeRole.SETTLING, "joins a ring");
            }
        }
    }

    @GuardedBy("this")
    private Optional<Work> outside() {
        if (!role.is(VolumeRole.OUTSIDE) && !enter(VolumeRole.OUTSIDE, "in no ring")) {
            return Optional.empty();
        }
        return changes.mayEndJournal() ? Optional.of(changes::endJournal) : Optional.empty();
    }

    /** Returns whether there is little to drain; a volume that has drained everything reads until its next window. */
    @GuardedBy("this")
    private boolean mayGoOnReading(long now, Duration rotation) {
        if (changes.journalHasFailed()) {
            return false; // what comes would be a spill
        }
        return returned
                ? changes.delay().isZero() && !changes.isFull(StagedChanges.SMALL_BYTES)
                : overlay.bytes() < LEAST_BACKLOG && now - emptyAt < rotation.toNanos();
    }

    @GuardedBy("this")
    private boolean earlierRead(long now, boolean earlierBegun) {
        return (earlierBegun && reads.earlierEnded())
                || reads.ended() - readsAtTurn >= MOST_EARLIER_READS
                || now - since >= EARLIER_READS.toNanos();
    }

    /** @return false when a change waits for a disk: then at the next interval */
    @GuardedBy("this")
    private boolean enter(VolumeRole next, String reason) {
        if (!changes.tryRole(next)) {
            return false;
        }
        role.enter(next, reason);
        since = clock.nanos();
        return true;
    }
}
