package io.ecfs.client.write;

import io.ecfs.client.health.DatanodeHealth;
import io.ecfs.client.write.stripe.Increment;
import io.ecfs.client.write.stripe.Stripe;
import io.ecfs.error.Invariant;
import io.ecfs.message.DatanodeId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Writes one group from its allocation until its chunks are published, or it turns out that they must not be: the
 * states from OPENING and PUTTING to FINISHING in {@link WriterState}. Takes work from the queue as the group has room
 * for it, and says what came of each step; what becomes of the file then is not decided here. Owned by the client's
 * owner thread.
 */
final class GroupWriter {
    /** The outcome of a step. */
    enum Outcome {
        /** The next step can be taken. */
        ON,
        /** Something must happen first. */
        WAITS,
        /** Groups before this one must be put on disk first. */
        SYNC_FIRST,
        /** Not all chunks could be begun, or put. */
        NOT_BEGUN,
        /** The chunks that live are published, or the group is empty: it can be sealed. */
        PUBLISHED,
        /** Too few chunks are left to acknowledge the group, and nothing of it was: its bytes must go to another. */
        UNSAFE,
        /** Too few chunks are left to write on, and some of the group was acknowledged. */
        TOO_FEW_LEFT,
        /** The file was taken from this writer. */
        FENCED,
        /** The namenode does not say that the group is this writer's. */
        NOT_CLAIMED
    }

    private final ChunkSetWriter group;
    private final GroupClaim claim;
    private final long fileOffset;
    private final WorkQueue queue;
    private final GroupRewrites rewrites;
    private final UnsyncedGroups unsynced;
    private final CurrentState state;
    private final DatanodeHealth health;
    private Optional<FlushBatch> flushing = Optional.empty();
    private boolean finishedWithSync;
    private int liveAtStart;

    /**
     * @param claim is asked before the first flush
     * @param fileOffset where in the file the group begins
     * @param rewrites whose stripes go before those of the queue
     * @param unsynced where the group goes when it is published without a sync
     * @param health receives the datanodes that failed
     */
    GroupWriter(
            ChunkSetWriter group,
            GroupClaim claim,
            long fileOffset,
            WorkQueue queue,
            GroupRewrites rewrites,
            UnsyncedGroups unsynced,
            CurrentState state,
            DatanodeHealth health) {
        this.group = group;
        this.claim = claim;
        this.fileOffset = fileOffset;
        this.queue = queue;
        this.rewrites = rewrites;
        this.unsynced = unsynced;
        this.state = state;
        this.health = health;
    }

    ChunkSetWriter group() {
        return group;
    }

    GroupClaim claim() {
        return claim;
    }

    /**
     * Begins the group with what comes next, as soon as that is known.
     *
     * @param without datanodes that are left out
     */
    Outcome begin(Set<DatanodeId> without) {
        if (!rewrites.pending() && queue.endsGroup()) {
            return put(without);
        }
        group.open(without);
        state.enter(WriterState.OPENING, "data");
        return Outcome.ON;
    }

    /** Puts a group of one stripe; its end comes right behind it. */
    private Outcome put(Set<DatanodeId> without) {
        Optional<WriteEvent.Work> behind = queue.behindNext();
        if (behind.isEmpty()) {
            return Outcome.WAITS;
        }
        finishedWithSync = behind.get() instanceof WriteEvent.End end && end.sync();
        group.put(queue.takeStripe(), finishedWithSync, without);
        state.enter(WriterState.PUTTING, "a tail is all of the group");
        return Outcome.ON;
    }

    /** Goes one step from the present state. */
    Outcome step() {
        return switch (state.now()) {
            case OPENING -> endOpening();
            case PUTTING -> endPutting();
            case WRITING -> write();
            case FLUSHING -> endFlush();
            case DRAINING -> endDraining();
            case SETTLING -> endSettling();
            case FINISHING -> endFinishing();
            case IDLE, ASKING, ALLOCATED, SYNCING, PAUSED, CLOSED, FAILED ->
                throw new IllegalStateException(group + " has nothing to do in state " + state.now());
        };
    }

    private Outcome endPutting() {
        if (group.finishing()) {
            return Outcome.WAITS;
        }
        queue.putBack(group.takeBack()); // until the group is good enough
        if (fenced()) {
            return Outcome.FENCED;
        }
        return group.chunks().broken() ? notBegun() : keepPut();
    }

    private Outcome endOpening() {
        if (group.opening()) {
            return Outcome.WAITS;
        }
        if (fenced()) {
            return Outcome.FENCED;
        }
        return group.chunks().broken() ? notBegun() : beginWriting("all chunks are open");
    }

    private Outcome notBegun() {
        shunFailed();
        return Outcome.NOT_BEGUN;
    }

    /** Goes on with a group of which not all chunks could be begun, but enough. */
    Outcome takeAsItIs() {
        boolean wasPut = group.length() > 0;
        return wasPut ? keepPut() : beginWriting("only " + group.chunks().live() + " chunks are open, that is enough");
    }

    /** The group that was put is good: its stripe is not needed any more. */
    private Outcome keepPut() {
        queue.takeStripe().close();
        return published();
    }

    private Outcome published() {
        if (!finishedWithSync) {
            unsynced.add(group, fileOffset);
        }
        return Outcome.PUBLISHED;
    }

    private Outcome beginWriting(String reason) {
        liveAtStart = group.chunks().live();
        state.enter(WriterState.WRITING, reason);
        return Outcome.ON;
    }

    private Outcome write() {
        if (fenced()) {
            return Outcome.FENCED;
        }
        boolean broken = group.chunks().live() < liveAtStart;
        if (broken && !group.tail().open()) {
            return drain("a chunk failed: " + group.chunks().failures());
        }
        if (broken && group.tail().acknowledgedAnything() && !group.chunks().enough()) {
            return Outcome.TOO_FEW_LEFT;
        }
        if (rewrites.pending()) {
            return rewrites.atHand() ? send(rewrites::take) : rewrites.readOn() ? Outcome.ON : Outcome.WAITS;
        }
        Optional<WriteEvent.Work> next = queue.next();
        if (next.isEmpty()) {
            return Outcome.WAITS;
        }
        if (next.filter(unsynced::goBefore).isPresent()) {
            return Outcome.SYNC_FIRST;
        }
        if (queue.end().isPresent()) {
            return drain("end of data");
        }
        return queue.flush().map(flush -> broken ? refuse() : flush(flush)).orElseGet(() -> send(queue::takeStripe));
    }

    /** A chunk has failed, and the stripe that the records before belong to must come to end the group. */
    private Outcome refuse() {
        WriteEvent.Flush flush = queue.takeFlush();
        flush.increment().ifPresent(Increment::close);
        flush.done().complete(false);
        return Outcome.ON;
    }

    /** Flushes what the next flushes ask for, in one batch. */
    private Outcome flush(WriteEvent.Flush first) {
        boolean record = first.increment().isPresent();
        if (group.full() && record) {
            return drain("group is full");
        }
        if (record && group.tail().wantsSettling()) {
            return flush(FlushBatch.settling(group.tail().owesSync()), "many records of full stripes");
        }
        List<WriteEvent.Flush> together = queue.takeFlushes(flush -> !unsynced.goBefore(flush));
        return flush(new FlushBatch(together), together.size() + " flushes");
    }

    private Outcome flush(FlushBatch given, String reason) {
        flushing = Optional.of(given);
        claim.ask();
        group.tailWriter().flush(given, group.length());
        state.enter(WriterState.FLUSHING, reason);
        return Outcome.ON;
    }

    private Outcome endFlush() {
        if (!group.drained()) {
            return Outcome.WAITS;
        }
        if (claim.refusal().isPresent()) {
            return Outcome.NOT_CLAIMED;
        }
        if (!claim.confirmed()) {
            return Outcome.WAITS;
        }
        if (fenced()) {
            return Outcome.FENCED;
        }
        FlushBatch batch = flushing.orElseThrow();
        flushing = Optional.empty();
        boolean all = group.chunks().live() == liveAtStart;
        if (all) {
            group.tailWriter().flushed(batch, group.length());
        } else {
            group.tailWriter().flushFailed();
        }
        state.enter(
                WriterState.WRITING,
                all ? "flushed" : "a chunk failed: " + group.chunks().failures());
        batch.complete(all);
        return Outcome.ON;
    }

    /** @param next takes the stripe that is to be written next, if the group has room */
    private Outcome send(Supplier<Stripe> next) {
        if (group.full()) {
            return drain("group is full");
        }
        group.send(next.get());
        return Outcome.ON;
    }

    private Outcome drain(String reason) {
        state.enter(WriterState.DRAINING, reason);
        return Outcome.ON;
    }

    private Outcome endDraining() {
        if (!group.drained()) {
            return Outcome.WAITS;
        }
        if (fenced()) {
            return Outcome.FENCED;
        }
        shunFailed();
        Invariant.check(!group.tail().open(), "%s ends before a stripe of which records were sent", group);
        if (group.length() == 0) {
            return Outcome.PUBLISHED;
        }
        if (!group.chunks().enough()) {
            return unsafe();
        }
        if (group.tail().owesSync()) {
            group.tailWriter().settle();
            state.enter(WriterState.SETTLING, "records on disk are to go");
            return Outcome.ON;
        }
        return finish();
    }

    private Outcome endSettling() {
        if (!group.drained()) {
            return Outcome.WAITS;
        }
        if (fenced()) {
            return Outcome.FENCED;
        }
        shunFailed();
        if (!group.chunks().enough()) {
            return unsafe();
        }
        group.tailWriter().settled(group.length());
        return finish();
    }

    private Outcome finish() {
        finishedWithSync = group.tail().acknowledgedAnythingOnDisk()
                || queue.end().filter(WriteEvent.End::sync).isPresent();
        group.finish(finishedWithSync);
        state.enter(WriterState.FINISHING, "acknowledged");
        return Outcome.ON;
    }

    private Outcome endFinishing() {
        if (group.finishing()) {
            return Outcome.WAITS;
        }
        if (fenced()) {
            return Outcome.FENCED;
        }
        shunFailed();
        return group.chunks().enough() ? published() : unsafe();
    }

    private Outcome unsafe() {
        return group.tail().acknowledgedAnything() ? Outcome.TOO_FEW_LEFT : Outcome.UNSAFE;
    }

    /** Fails the flushes under way, because the writer has failed. */
    void fail(Throwable reason) {
        flushing.ifPresent(batch -> batch.fail(reason));
        flushing = Optional.empty();
    }

    /** A fenced chunk says that the namenode has taken the file from this writer. */
    private boolean fenced() {
        return group.chunks().fenced().isPresent();
    }

    private void shunFailed() {
        health.onWriteFailure(group.chunks().newlyFailed(false), false);
        health.onWriteFailure(group.chunks().newlyFailed(true), true);
    }
}
