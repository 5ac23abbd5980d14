package io.ecfs.client.write;

import io.ecfs.client.health.DatanodeHealth;
import io.ecfs.dispatch.StateMachine;
import io.ecfs.error.Invariant;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.stripe.Increment;
import io.ecfs.stripe.Stripe;
import io.ecfs.stripe.write.ChunkSetWriter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one group from its allocation until its chunks are published, or it turns out that they must not be;
 * {@link GroupWriterState} has the table of its states. Takes work from the queue as the group has room for it. Each
 * step has a {@link GroupOutcome}; what becomes of the file then is not decided here. Owned by the client's owner
 * thread.
 */
final class GroupWriter {
    private static final Logger LOG = LoggerFactory.getLogger(GroupWriter.class);

    private final ChunkSetWriter group;
    private final GroupClaim claim;
    private final long fileOffset;
    private final WorkQueue queue;
    private final GroupRewrites rewrites;
    private final UnsyncedGroups unsynced;
    private final DatanodeHealth health;
    private final boolean synced;
    private final ShortGroups shortGroups;
    private final StateMachine<GroupWriterState> state;
    private Optional<FlushBatch> flushing = Optional.empty();
    private boolean finishedWithSync;
    private int liveAtStart;

    /**
     * @param claim is asked before the first flush
     * @param fileOffset where in the file the group begins
     * @param rewrites whose stripes go before those of the queue
     * @param unsynced where the group goes when it is published without a sync
     * @param health receives the datanodes that failed
     * @param synced whether records in tail logs, which datanodes put on disk in the background, go only when what
     *     replaces them is there
     * @param shortGroups whether it ends early, if it begins without all of its chunks
     */
    GroupWriter(
            ChunkSetWriter group,
            GroupClaim claim,
            long fileOffset,
            WorkQueue queue,
            GroupRewrites rewrites,
            UnsyncedGroups unsynced,
            DatanodeHealth health,
            boolean synced,
            ShortGroups shortGroups) {
        this.synced = synced;
        this.shortGroups = shortGroups;
        if (synced) {
            group.tail().retainUntilOnDisk();
        }
        this.group = group;
        this.claim = claim;
        this.fileOffset = fileOffset;
        this.queue = queue;
        this.rewrites = rewrites;
        this.unsynced = unsynced;
        this.health = health;
        this.state = new StateMachine<>(
                LOG,
                "group_writer_state",
                () -> "group=" + group.located().group(),
                GroupWriterState.ALLOCATED,
                GroupWriterState::mayBecome);
    }

    ChunkSetWriter group() {
        return group;
    }

    /** Returns whether a datanode was asked for a chunk. */
    boolean begun() {
        return !state.is(GroupWriterState.ALLOCATED);
    }

    /**
     * Begins the group with what comes next, as soon as that is known.
     *
     * @param without datanodes that are left out
     */
    GroupOutcome begin(Set<DatanodeId> without) {
        if (!rewrites.pending() && queue.canBePut()) {
            return put(without);
        }
        group.open(without);
        state.enter(GroupWriterState.CREATING, "data");
        return GroupOutcome.GOES_ON;
    }

    /** Puts a group of one stripe; its end comes right behind it. */
    private GroupOutcome put(Set<DatanodeId> without) {
        Optional<WriteEvent.Work> behind = queue.behindNext();
        if (behind.isEmpty()) {
            return GroupOutcome.WAITS;
        }
        finishedWithSync = behind.get() instanceof WriteEvent.End end && end.sync();
        group.put(queue.takeStripe(), finishedWithSync, without);
        state.enter(GroupWriterState.PUTTING, "a tail is all of the group");
        return GroupOutcome.GOES_ON;
    }

    /** Goes one step from the present state. */
    GroupOutcome step() {
        return switch (state.state()) {
            case CREATING -> endCreating();
            case PUTTING -> endPutting();
            case STREAMING -> stream();
            case FLUSHING -> endFlush();
            case DRAINING -> endDraining();
            case SETTLING -> endSettling();
            case FINALIZING -> endFinalizing();
            case ALLOCATED, DONE ->
                throw new IllegalStateException(group + " has nothing to do in state " + state.state());
        };
    }

    private GroupOutcome endPutting() {
        if (group.finishing()) {
            return GroupOutcome.WAITS;
        }
        queue.putBack(group.takeBack()); // until the group is good enough
        if (fenced()) {
            return fencedOff();
        }
        return group.chunks().broken() ? incomplete() : keepPut();
    }

    private GroupOutcome endCreating() {
        if (group.opening()) {
            return GroupOutcome.WAITS;
        }
        if (fenced()) {
            return fencedOff();
        }
        return group.chunks().broken() ? incomplete() : beginWriting("all chunks are open");
    }

    private GroupOutcome incomplete() {
        shunFailed();
        return GroupOutcome.INCOMPLETE;
    }

    /** Goes on with a group of which not all chunks could be begun, but enough. */
    GroupOutcome acceptDegraded() {
        return state.is(GroupWriterState.PUTTING)
                ? keepPut()
                : beginWriting("only " + group.chunks().live() + " chunks are open, that is enough");
    }

    /** The group that was put is good: its stripe is not needed any more. */
    private GroupOutcome keepPut() {
        queue.takeStripe().close();
        return published();
    }

    private GroupOutcome published() {
        if (!finishedWithSync) {
            unsynced.add(group, fileOffset);
        }
        return end(new GroupOutcome.Published(group.sealed()));
    }

    private GroupOutcome beginWriting(String reason) {
        liveAtStart = group.chunks().live();
        LocatedGroup located = group.located();
        shortGroups.begins(located.group(), liveAtStart == located.policy().chunks());
        state.enter(GroupWriterState.STREAMING, reason);
        return GroupOutcome.GOES_ON;
    }

    private GroupOutcome stream() {
        if (fenced()) {
            return fencedOff();
        }
        boolean broken = group.chunks().live() < liveAtStart;
        boolean ends = broken || shortGroups.leaves();
        if (ends && !group.tail().open()) {
            return drain(
                    broken
                            ? "a chunk failed: " + group.chunks().failures()
                            : "begun without all chunks, which another group gets");
        }
        if (broken && group.tail().acknowledgedAnything() && !group.chunks().enough()) {
            return end(new GroupOutcome.TooFewLeft());
        }
        if (rewrites.pending()) {
            return rewrites.atHand()
                    ? send(rewrites::take)
                    : rewrites.readOn() ? GroupOutcome.GOES_ON : GroupOutcome.WAITS;
        }
        Optional<WriteEvent.Work> next = queue.next();
        if (next.isEmpty()) {
            return GroupOutcome.WAITS;
        }
        if (next.filter(unsynced::mustSyncFirst).isPresent()) {
            return GroupOutcome.NEEDS_SYNC;
        }
        if (queue.end().isPresent()) {
            return drain("end of data");
        }
        if (queue.flush().isPresent() && group.mayBeOvertaken() && !group.drained()) {
            return GroupOutcome.WAITS;
        }
        return queue.flush().map(flush -> ends ? refuse() : flush(flush)).orElseGet(() -> send(queue::takeStripe));
    }

    /** Refuses a flush since the group ends: the writer then sends the stripe whose records were sent, and it ends. */
    private GroupOutcome refuse() {
        WriteEvent.Flush flush = queue.takeFlush();
        flush.increment().ifPresent(Increment::close);
        flush.done().complete(false);
        return GroupOutcome.GOES_ON;
    }

    /** Flushes what the next flushes ask for, in one batch. */
    private GroupOutcome flush(WriteEvent.Flush first) {
        boolean record = first.increment().isPresent();
        if (group.full() && record) {
            return drain("group is full");
        }
        if (record && group.tail().wantsSettling()) {
            return flush(FlushBatch.settling(synced || group.tail().owesSync()), "many records of full stripes");
        }
        List<WriteEvent.Flush> together = queue.takeFlushes(flush -> !unsynced.mustSyncFirst(flush));
        return flush(new FlushBatch(together), together.size() + " flushes");
    }

    private GroupOutcome flush(FlushBatch given, String reason) {
        flushing = Optional.of(given);
        claim.ask();
        group.tailWriter().flush(given.records(), group.length());
        state.enter(GroupWriterState.FLUSHING, reason);
        return GroupOutcome.GOES_ON;
    }

    private GroupOutcome endFlush() {
        if (!group.drained()) {
            return GroupOutcome.WAITS;
        }
        if (claim.refusal().isPresent()) {
            return end(new GroupOutcome.NotClaimed(claim.refusal().orElseThrow()));
        }
        if (!claim.confirmed()) {
            return GroupOutcome.WAITS;
        }
        if (fenced()) {
            return fencedOff();
        }
        FlushBatch batch = flushing.orElseThrow();
        flushing = Optional.empty();
        boolean all = group.chunks().live() == liveAtStart;
        if (all) {
            group.tailWriter().flushed(batch.records(), group.length());
        } else {
            group.tailWriter().flushFailed();
        }
        state.enter(
                GroupWriterState.STREAMING,
                all ? "flushed" : "a chunk failed: " + group.chunks().failures());
        batch.complete(all);
        return GroupOutcome.GOES_ON;
    }

    /** @param next takes the stripe that is to be written next, if the group has room */
    private GroupOutcome send(Supplier<Stripe> next) {
        if (group.full()) {
            return drain("group is full");
        }
        group.send(next.get());
        return GroupOutcome.GOES_ON;
    }

    private GroupOutcome drain(String reason) {
        state.enter(GroupWriterState.DRAINING, reason);
        return GroupOutcome.GOES_ON;
    }

    private GroupOutcome endDraining() {
        if (!group.drained()) {
            return GroupOutcome.WAITS;
        }
        if (fenced()) {
            return fencedOff();
        }
        shunFailed();
        Invariant.check(!group.tail().open(), "%s ends before a stripe of which records were sent", group);
        if (group.length() == 0) {
            return end(new GroupOutcome.Published(group.sealed()));
        }
        if (!group.chunks().enough()) {
            return unsafe();
        }
        if (group.tail().owesSync()) {
            group.tailWriter().settle();
            state.enter(GroupWriterState.SETTLING, "records on disk are to go");
            return GroupOutcome.GOES_ON;
        }
        return finish();
    }

    private GroupOutcome endSettling() {
        if (!group.drained()) {
            return GroupOutcome.WAITS;
        }
        if (fenced()) {
            return fencedOff();
        }
        shunFailed();
        if (!group.chunks().enough()) {
            return unsafe();
        }
        group.tailWriter().settled(group.length());
        return finish();
    }

    private GroupOutcome finish() {
        finishedWithSync = synced
                || group.tail().acknowledgedAnythingOnDisk()
                || queue.end().filter(WriteEvent.End::sync).isPresent();
        group.finish(finishedWithSync);
        state.enter(GroupWriterState.FINALIZING, "acknowledged");
        return GroupOutcome.GOES_ON;
    }

    private GroupOutcome endFinalizing() {
        if (group.finishing()) {
            return GroupOutcome.WAITS;
        }
        if (fenced()) {
            return fencedOff();
        }
        shunFailed();
        return group.chunks().enough() ? published() : unsafe();
    }

    private GroupOutcome unsafe() {
        return end(group.tail().acknowledgedAnything() ? new GroupOutcome.TooFewLeft() : new GroupOutcome.Unsafe());
    }

    /** Ends it because the writer has failed: fails the flushes under way, and releases a stripe that is being put. */
    void fail(Throwable reason) {
        flushing.ifPresent(batch -> batch.fail(reason));
        flushing = Optional.empty();
        group.releasePutWhenAnswered();
        endEarly("the writer failed");
    }

    /** Ends it because another group replaces it; drops its chunks as far as datanodes can be reached. */
    void replaced() {
        group.abandon();
        endEarly("replaced");
    }

    private void endEarly(String reason) {
        if (!state.is(GroupWriterState.DONE)) {
            state.enter(GroupWriterState.DONE, reason);
        }
    }

    private GroupOutcome end(GroupOutcome outcome) {
        state.enter(GroupWriterState.DONE, outcome.getClass().getSimpleName());
        return outcome;
    }

    private GroupOutcome fencedOff() {
        return end(new GroupOutcome.Fenced(group.chunks().fenced().orElseThrow()));
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
