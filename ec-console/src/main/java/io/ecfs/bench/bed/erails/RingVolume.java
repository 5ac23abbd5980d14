package io.ecfs.bench.bed.erails;

import io.ecfs.datanode.store.ring.StagedRoles;
import io.ecfs.datanode.store.ring.journal.JournalTerms;
import io.ecfs.sim.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * A volume of the bed: the states, bounds and order of {@code StagedVolumeIo}, as counts of bytes.
 *
 * <pre>
 *   READING --turn--> DRAINING_READS --quiet--> WRITING --guard before the turn--> SETTLING --quiet--> READING
 * </pre>
 *
 * Writes are staged in a journal but in WRITING, where they go to the device beside two drained pieces at a time.
 * Acknowledgements are delayed when the journal is nearly full, and when it is full writes go to the device in spite of
 * the role, at a tenth of its rate. Without separation there is neither journal nor state.
 */
final class RingVolume {
    /** Drained pieces at the same time. */
    private static final int DRAINS = 2;

    private static final long LOOK_NANOS = 1_000_000;

    /** Part of the device's rate that spills may take. */
    private static final double SPILL_SHARE = 0.1;

    private final VirtualTime time;
    private final FlashStation device;
    private final Bounds bounds;
    private final JournalTerms journal;
    private final Queue<Write> blocked = new ArrayDeque<>();
    private State state;
    private boolean inWindow;
    private boolean skipped;
    private long staged;
    private long mostStaged;
    private int drains;
    private long draining;
    private long spillAt;
    private long late;
    private long spilledBytes;

    enum State {
        READING,
        DRAINING_READS,
        WRITING,
        SETTLING,
        FAILED
    }

    /**
     * @param separated without it all goes to the device at once
     * @param returnsEarly whether it reads again as soon as nothing is staged, before its window ends
     * @param journalBytes that may be staged
     * @param pieceBytes that are drained in one write
     * @param spillNanos a piece takes at the device's rate of writes
     */
    record Bounds(boolean separated, boolean returnsEarly, long journalBytes, long pieceBytes, long spillNanos) {}

    private record Write(long bytes, Runnable accepted) {}

    RingVolume(VirtualTime time, FlashStation device, Bounds bounds, boolean writes) {
        this.time = time;
        this.device = device;
        this.bounds = bounds;
        this.journal = JournalTerms.usual(bounds.journalBytes, false);
        this.inWindow = writes && bounds.separated;
        this.state = inWindow ? State.WRITING : State.READING;
    }

    /** True when it says so in its answers. */
    boolean reading() {
        return state == State.READING;
    }

    boolean failed() {
        return state == State.FAILED;
    }

    void fail() {
        state = State.FAILED;
        staged = 0;
        blocked.clear();
    }

    int waitingReads() {
        return device.reads();
    }

    long staged() {
        return staged;
    }

    long mostStaged() {
        return mostStaged;
    }

    long bytesWritten() {
        return device.bytesWritten();
    }

    /** Bytes that went to the device although the volume only reads, because the journal was full. */
    long spilledBytes() {
        return spilledBytes;
    }

    /** Windows that ended with writes under way. */
    long late() {
        return late;
    }

    void read(long bytes, Runnable done) {
        device.read(bytes, done);
    }

    /** @param accepted runs when the bytes are staged, or on the device */
    void write(long bytes, Runnable accepted) {
        if (!bounds.separated || state == State.WRITING) {
            device.write(bytes, () -> {
                accepted.run();
                proceed();
            });
        } else if (blocked.isEmpty() && staged + bytes <= bounds.journalBytes) {
            stage(bytes, accepted);
        } else {
            blocked.add(new Write(bytes, accepted));
            spill();
        }
    }

    private void stage(long bytes, Runnable accepted) {
        staged += bytes;
        mostStaged = Math.max(mostStaged, staged);
        if (skipped && staged >= StagedRoles.LEAST_BACKLOG) {
            skipped = false;
            drainReads();
        }
        Duration delay = JournalTerms.delay(journal.used(staged));
        if (delay.isZero()) {
            accepted.run();
        } else {
            time.after(delay.toNanos(), accepted);
        }
    }

    /** The turn says that it writes from now on. With little staged it goes on reading, once. */
    void beginWriting() {
        inWindow = state != State.FAILED;
        skipped = !skipped && staged < StagedRoles.LEAST_BACKLOG;
        if (!skipped) {
            drainReads();
        }
    }

    private void drainReads() {
        if (state == State.READING && inWindow) {
            state = State.DRAINING_READS;
            long earlier = device.readsEnded() + Math.min(StagedRoles.MOST_EARLIER_READS, device.reads());
            awaitReads(earlier, time.nanos() + StagedRoles.EARLIER_READS.toNanos());
        }
    }

    private void awaitReads(long earlier, long until) {
        if (state != State.DRAINING_READS) {
            return;
        }
        if (device.readsEnded() >= earlier || time.nanos() >= until) {
            state = State.WRITING;
            proceed();
        } else {
            time.at(Math.min(until, time.nanos() + LOOK_NANOS), () -> awaitReads(earlier, until));
        }
    }

    /** The window ends soon: no write begins any more. */
    void settle() {
        inWindow = false;
        if (state == State.WRITING || state == State.DRAINING_READS) {
            state = State.SETTLING;
            awaitQuiet();
        }
    }

    /** The turn says that it reads from now on. */
    void beginReading() {
        inWindow = false;
        if (state == State.WRITING || state == State.DRAINING_READS) {
            state = State.SETTLING; // without a guard it did not settle before
            awaitQuiet();
        }
        if (state == State.SETTLING) {
            late++;
        }
    }

    /** Reads do not suffer any more: it reads, although the turn may be still to come. */
    private void awaitQuiet() {
        if (state != State.SETTLING) {
            return;
        }
        if (device.writes() == 0 && device.disturbedNanos() == 0) {
            state = State.READING;
        } else {
            time.after(device.writes() > 0 ? LOOK_NANOS : device.disturbedNanos(), this::awaitQuiet);
        }
    }

    private void proceed() {
        if (state != State.WRITING) {
            return;
        }
        while (!blocked.isEmpty()) {
            Write write = blocked.remove();
            device.write(write.bytes, write.accepted);
        }
        while (drains < DRAINS && staged > draining) {
            long piece = Math.min(bounds.pieceBytes, staged - draining);
            drains++;
            draining += piece;
            device.write(piece, () -> {
                drains--;
                draining -= piece;
                staged -= piece;
                admit();
                proceed();
            });
        }
        if (bounds.returnsEarly && staged == 0 && drains == 0 && blocked.isEmpty()) {
            settle(); // and reads until its next window
        }
    }

    private void admit() {
        while (!blocked.isEmpty() && staged + blocked.peek().bytes <= bounds.journalBytes) {
            Write write = blocked.remove();
            stage(write.bytes, write.accepted);
        }
    }

    private void spill() {
        if (blocked.isEmpty() || state == State.FAILED || spillAt > time.nanos()) {
            return;
        }
        Write write = blocked.remove();
        spilledBytes += write.bytes;
        spillAt = time.nanos() + Math.round(bounds.spillNanos / SPILL_SHARE);
        device.write(write.bytes, write.accepted);
        time.at(spillAt, this::spill);
    }
}
