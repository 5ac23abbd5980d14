package io.ecfs.client.write;

import io.ecfs.code.ChunkSet;
import io.ecfs.env.Cancellable;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.error.Invariant;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FileStatus;
import io.ecfs.message.LocatedGroup;
import io.ecfs.message.NamespaceReply;
import io.ecfs.message.SealedGroup;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one file: sealed stripes go to one group after the other, and every failure of a datanode ends in a sealed group and a new
 * one. Events arrive on the client's owner thread, which owns all state here; {@link WriterState} has the table of its states.
 *
 * <p>A group that lost so many chunks that it must not be acknowledged (fewer than k+1 left) but can still be read is read back and
 * written to a fresh group before anything is acknowledged. The namenode allows one open group a file, so the old one is dropped when
 * the fresh one is given and is read while its chunks await deletion: when that overtakes us, the write fails and says so.
 */
public final class FileWriter {
    private static final Logger LOG = LoggerFactory.getLogger(FileWriter.class);

    /** What an answer of the namenode will mean. */
    private enum Purpose {
        NEXT_GROUP,
        OTHER_GROUP,
        SEAL,
        COMPLETE
    }

    private final WriteServices services;
    private final FileStatus file;
    private final boolean appends;
    private final LeaseCalls calls;
    private final WriterFailures failures;
    private final Rescues rescues;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final ArrayDeque<WriteEvent.Work> queue = new ArrayDeque<>();
    private final List<GroupWriter> unsynced = new ArrayList<>();
    private WriterState state = WriterState.ALLOCATED;
    private WriterState stateBeforeSync = WriterState.ALLOCATED;
    private Purpose purpose = Purpose.NEXT_GROUP;
    private Optional<GroupWriter> group;
    private Optional<SealedGroup> askedWord = Optional.empty();
    private Set<DatanodeId> askedWithout = Set.of();
    private Optional<Cancellable> watch = Optional.empty();
    /** False when the group at hand is taken although it uses datanodes that answer nothing: there is no other. */
    private boolean choosy = true;

    private Optional<Promise> promise = Optional.empty();
    private boolean finishedWithSync;
    private int liveAtStart;
    private int attempt = 1;
    private long acceptedBytes;
    private volatile Optional<EcfsException> failure = Optional.empty();

    /**
     * @param created the namenode's answer: the file and its first group
     * @param appends whether the file was there before
     */
    public FileWriter(WriteServices services, NamespaceReply.Created created, boolean appends) {
        this.appends = appends;
        this.services = services;
        this.file = created.status();
        this.calls = new LeaseCalls(services, file);
        this.failures = new WriterFailures(file);
        this.rescues = new Rescues(services, file.path(), this::post);
        this.group = Optional.of(groupWriter(created.first()));
        this.acceptedBytes = file.length();
    }

    public FileStatus file() {
        return file;
    }

    /** Why the writer ended, when it did not end well. */
    Optional<EcfsException> failure() {
        return failure;
    }

    /** Completes when the file is closed or given up; fails when writing failed. */
    public CompletableFuture<Void> ended() {
        return ended;
    }

    /** Ends the writer from outside; the file stays as it is and is recovered by the namenode. */
    public void fail(EcfsException reason) {
        post(new WriteEvent.Fail(reason));
    }

    /** Gives the file up: a new one disappears, one that was appended to is left to its recovery. */
    public CompletableFuture<Void> abort() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        post(new WriteEvent.Abort(done));
        return done;
    }

    void post(WriteEvent event) {
        services.owner().execute(() -> on(event));
    }

    /** Two events that belong together, with one call of the owner. */
    void post(WriteEvent event, WriteEvent next) {
        services.owner().execute(() -> {
            try {
                on(event);
            } finally {
                on(next);
            }
        });
    }

    private void on(WriteEvent event) {
        try {
            if (state.over()) {
                afterEnd(event);
            } else {
                handle(event);
                advance();
            }
        } catch (RuntimeException | Error e) {
            fail(failures.broke(e), "bug");
            throw e;
        }
    }

    private void handle(WriteEvent event) {
        if (event instanceof WriteEvent.Work work) {
            queue.add(work);
            acceptedBytes +=
                    work instanceof WriteEvent.Data data ? data.stripe().bytes() : 0;
        } else if (event instanceof WriteEvent.Abort abort) {
            abort(abort.done());
        } else if (event instanceof WriteEvent.Fail given) {
            fail(given.reason(), "given up");
        } else if (event instanceof WriteEvent.Opened opened) {
            opened.group().opened(opened.index(), opened.failure());
        } else if (event instanceof WriteEvent.Put put) {
            put.group().putAnswered(put.index(), put.failure());
        } else if (event instanceof WriteEvent.Written written) {
            written.group().written(written.index(), written.sent(), written.failure());
        } else if (event instanceof WriteEvent.Kept kept) {
            kept.group().kept(kept.index(), kept.promise(), kept.failure());
        } else if (event instanceof WriteEvent.Finished finished) {
            finished.group().finished(finished.index(), finished.failure());
        } else if (event instanceof WriteEvent.Granted granted) {
            granted(granted.reply());
        } else if (event instanceof WriteEvent.Refused refused) {
            refused(refused.reason());
        } else if (event instanceof WriteEvent.Synced synced) {
            synced(synced.failure());
        } else if (event instanceof WriteEvent.Rescued rescued) {
            rescues.arrived(rescued.source(), rescued.stripe());
        } else if (event instanceof WriteEvent.RescueFailed rescueFailed) {
            fail(failures.rescueFailed(rescueFailed.reason()), "rescue failed");
        } else if (event instanceof WriteEvent.Watched) {
            watch = Optional.empty();
            group.ifPresent(g -> g.giveUpSilent(services.config().stallAfter()));
        } else if (event instanceof WriteEvent.Paused) {
            askForGroup(purpose, askedWord, Set.of(), "pause over");
        } else {
            Invariant.check(false, "the writer of %s does not know %s", file.path(), event);
        }
    }

    /** Goes as far as the present state and the queue allow. */
    private void advance() {
        boolean more = true;
        while (more) {
            more = switch (state) {
                case IDLE, ALLOCATED -> startOrEnd();
                case OPENING -> endOpening();
                case PUTTING -> endPutting();
                case WRITING -> write();
                case PROMISING -> endPromising();
                case SETTLING -> endSettling();
                case DRAINING -> endDraining();
                case FINISHING -> endFinishing();
                case ASKING, SYNCING, PAUSED, CLOSED, FAILED -> false;
            };
        }
        watch();
    }

    /** One timer for all that is unanswered: a datanode that says nothing must not hold up the others. */
    private void watch() {
        if (state.over()) {
            watch.ifPresent(Cancellable::cancel);
        } else if (watch.isEmpty() && group.filter(GroupWriter::waits).isPresent()) {
            watch = Optional.of(services.owner()
                    .schedule(services.config().stallAfter().dividedBy(2), () -> on(new WriteEvent.Watched())));
        }
    }

    private boolean startOrEnd() {
        if (needsGroup()) {
            if (state == WriterState.IDLE) {
                askForGroup(Purpose.NEXT_GROUP, Optional.empty(), "data");
                return false;
            }
            return begin();
        }
        if (queue.peek() != null && needsSync(queue.peek())) {
            return sync();
        }
        if (queue.peek() instanceof WriteEvent.Flush flush) {
            queue.remove();
            flush.done().complete(true); // all there is lies in sealed groups
            return true;
        }
        if (!(queue.peek() instanceof WriteEvent.End end)) {
            return false;
        }
        if (end.close()) {
            // A group that was given and not begun.
            complete(group.map(GroupWriter::dropped), group.isPresent() && state == WriterState.ALLOCATED);
            return false;
        }
        queue.remove();
        end.done().complete(null);
        return true;
    }

    /** Begins the group, or asks for one without datanodes that would only be waited for. Without another they are left out of this one. */
    private boolean begin() {
        Set<DatanodeId> silent = services.shunned().silent();
        if (choosy && group().uses(silent)) {
            choosy = false;
            askForGroup(Purpose.OTHER_GROUP, Optional.of(group().dropped()), "datanodes that answer nothing");
            return false;
        }
        Set<DatanodeId> without = group().enoughWithout(silent) ? silent : Set.of();
        if (isWholeGroup()) {
            return put(without);
        }
        group().open(without);
        enter(WriterState.OPENING, "data");
        return true;
    }

    private boolean needsGroup() {
        return rescues.pending()
                || queue.peek() instanceof WriteEvent.Data
                || (queue.peek() instanceof WriteEvent.Flush flush
                        && flush.increment().isPresent());
    }

    /** The next stripe is not full, so it ends its group, and no other is in the group yet. */
    private boolean isWholeGroup() {
        return !rescues.pending()
                && queue.peek() instanceof WriteEvent.Data data
                && !data.stripe().full();
    }

    /** Puts a group of one stripe; its end comes right behind it. */
    private boolean put(Set<DatanodeId> without) {
        Iterator<WriteEvent.Work> work = queue.iterator();
        Stripe stripe = ((WriteEvent.Data) work.next()).stripe();
        if (!work.hasNext()) {
            return false;
        }
        finishedWithSync = work.next() instanceof WriteEvent.End end && end.sync();
        queue.remove();
        group().put(stripe, finishedWithSync, without);
        enter(WriterState.PUTTING, "a tail is all of the group");
        return true;
    }

    private boolean endPutting() {
        GroupWriter put = group();
        if (put.finishing()) {
            return false;
        }
        queue.addFirst(new WriteEvent.Data(put.takeBack())); // until the group is good enough
        if (stopIfFenced(put)) {
            return false;
        }
        if (!put.broken()) {
            keepPut();
            return false;
        }
        return tryOtherGroup(put);
    }

    /** The group that was put is good: its stripe is not needed any more. */
    private void keepPut() {
        attempt = 1;
        choosy = true;
        ((WriteEvent.Data) queue.remove()).stripe().close();
        if (!finishedWithSync) {
            unsynced.add(group());
        }
        seal(group());
    }

    private boolean endOpening() {
        GroupWriter opened = group();
        if (opened.opening()) {
            return false;
        }
        if (stopIfFenced(opened)) {
            return false;
        }
        if (!opened.broken()) {
            beginWriting("all chunks are open");
            return true;
        }
        return tryOtherGroup(opened);
    }

    /** Not all chunks could be begun. */
    private boolean tryOtherGroup(GroupWriter opened) {
        shun(opened);
        LOG.warn(
                "event=group_not_opened path={} group={} open={} failed=\"{}\" attempt={}",
                file.path(),
                opened.located().group(),
                opened.live(),
                opened.failures(),
                attempt);
        if (attempt < services.config().groupAttempts()) {
            attempt++;
            askForGroup(Purpose.OTHER_GROUP, Optional.of(opened.dropped()), "chunks could not be opened");
            return false;
        }
        return takeAsItIs(opened, Optional.empty());
    }

    /** Goes on with a group of which not all chunks could be begun, if there are enough. */
    private boolean takeAsItIs(GroupWriter opened, Optional<EcfsException> reason) {
        if (opened.enough() && opened.length() > 0) {
            keepPut();
            return false;
        }
        if (opened.enough()) {
            beginWriting("only " + opened.live() + " chunks are open, that is enough");
            return true;
        }
        fail(failures.tooFewOpened(opened, reason), "too few chunks could be opened");
        return false;
    }

    private void shun(GroupWriter failed) {
        services.shunned().add(failed.newlyFailed(false), false);
        services.shunned().add(failed.newlyFailed(true), true);
    }

    private void beginWriting(String reason) {
        attempt = 1;
        choosy = true;
        liveAtStart = group().live();
        enter(WriterState.WRITING, reason);
    }

    private boolean write() {
        GroupWriter writing = group();
        if (stopIfFenced(writing)) {
            return false;
        }
        boolean broken = writing.live() < liveAtStart;
        if (broken && !writing.tail().open()) {
            enter(WriterState.DRAINING, "a chunk failed: " + writing.failures());
            return true;
        }
        if (broken && writing.tail().promisedAnything() && !writing.enough()) {
            fail(failures.tooFewLeft(writing), "too few chunks left");
            return false;
        }
        if (rescues.pending()) {
            return rescues.atHand() ? send(rescues::take) : rescues.readOn();
        }
        WriteEvent.Work next = queue.peek();
        if (next == null) {
            return false;
        }
        if (needsSync(next)) {
            return sync();
        }
        if (next instanceof WriteEvent.End) {
            enter(WriterState.DRAINING, "end of data");
            return true;
        }
        if (next instanceof WriteEvent.Flush flush) {
            return promise(writing, flush, broken);
        }
        return send(() -> ((WriteEvent.Data) queue.remove()).stripe());
    }

    /**
     * Promises what the next flushes ask for, all of them together.
     *
     * @param broken a chunk has failed, and the stripe that its records belong to must come to end the group
     */
    private boolean promise(GroupWriter writing, WriteEvent.Flush first, boolean broken) {
        if (broken) {
            queue.remove();
            first.increment().ifPresent(Increment::close);
            first.done().complete(false);
            return true;
        }
        if (writing.full() && first.increment().isPresent()) {
            enter(WriterState.DRAINING, "group is full");
            return true;
        }
        List<WriteEvent.Flush> together = new ArrayList<>();
        while (queue.peek() instanceof WriteEvent.Flush flush && !(flush.sync() && needsSync(flush))) {
            together.add(flush);
            queue.remove();
        }
        promise = Optional.of(new Promise(together));
        writing.promise(promise.get());
        enter(WriterState.PROMISING, together.size() + " flushes");
        return true;
    }

    private boolean endPromising() {
        GroupWriter promising = group();
        if (!promising.drained() || stopIfFenced(promising)) {
            return false;
        }
        Promise promised = promise.orElseThrow();
        promise = Optional.empty();
        boolean kept = promising.live() == liveAtStart;
        if (kept) {
            promising.promised(promised);
        }
        enter(WriterState.WRITING, kept ? "promised" : "a chunk failed: " + promising.failures());
        promised.complete(kept);
        return true;
    }

    /** @param next takes the stripe that is to be written next, if the group has room */
    private boolean send(Supplier<Stripe> next) {
        if (group().full()) {
            enter(WriterState.DRAINING, "group is full");
        } else {
            group().send(next.get());
        }
        return true;
    }

    private boolean endDraining() {
        GroupWriter drained = group();
        if (!drained.drained() || stopIfFenced(drained)) {
            return false;
        }
        shun(drained);
        Invariant.check(!drained.tail().open(), "%s ends before a stripe of which records were sent", drained);
        if (drained.length() == 0) {
            seal(drained);
            return false;
        }
        if (!drained.enough()) {
            return rescue(drained);
        }
        if (drained.tail().owesSync()) {
            drained.settle();
            enter(WriterState.SETTLING, "records on disk are to go");
            return true;
        }
        return finish(drained);
    }

    private boolean endSettling() {
        GroupWriter settling = group();
        if (!settling.drained() || stopIfFenced(settling)) {
            return false;
        }
        shun(settling);
        if (!settling.enough()) {
            return rescue(settling);
        }
        settling.settled();
        return finish(settling);
    }

    private boolean finish(GroupWriter complete) {
        finishedWithSync = queue.peek() instanceof WriteEvent.End end && end.sync();
        complete.finish(finishedWithSync);
        enter(WriterState.FINISHING, "acknowledged");
        return true;
    }

    private boolean endFinishing() {
        GroupWriter finished = group();
        if (finished.finishing() || stopIfFenced(finished)) {
            return false;
        }
        shun(finished);
        if (!finished.enough()) {
            return rescue(finished);
        }
        if (!finishedWithSync) {
            unsynced.add(finished);
        }
        seal(finished);
        return false;
    }

    /** Tells the namenode that the group is complete, in the same call that begins what comes next. */
    private void seal(GroupWriter complete) {
        SealedGroup word = complete.sealed();
        if (needsGroup()) {
            askForGroup(Purpose.NEXT_GROUP, Optional.of(word), "next group");
        } else if (queue.peek() instanceof WriteEvent.End end && end.close() && !needsSync(end)) {
            complete(Optional.of(word), false);
        } else {
            ask(Purpose.SEAL, calls.seal(word), "seal");
        }
    }

    /** The group must not be acknowledged: its bytes go to a fresh one, if they can be read. */
    private boolean rescue(GroupWriter broken) {
        LocatedGroup readable = broken.readable();
        if (broken.tail().promisedAnything()) {
            fail(failures.tooFewLeft(broken), "too few chunks left");
            return false;
        }
        if (!file.policy().code().decodable(indexes(readable))) {
            fail(failures.groupLost(broken, "it cannot be read any more"), "group lost");
            return false;
        }
        if (rescues.spent()) {
            fail(failures.groupLost(broken, "copying it to others failed " + Rescues.MOST + " times"), "group lost");
            return false;
        }
        LOG.warn(
                "event=group_rescue path={} group={} left={} required=\"{}\" failed=\"{}\"",
                file.path(),
                broken.located().group(),
                readable.chunks().size(),
                broken.required(),
                broken.failures());
        rescues.begin(readable);
        askForGroup(Purpose.NEXT_GROUP, Optional.of(broken.dropped()), "rescue");
        return false;
    }

    private static ChunkSet indexes(LocatedGroup group) {
        return ChunkSet.of(group.chunks().stream()
                .map(location -> location.chunk().index())
                .toList());
    }

    private boolean needsSync(WriteEvent.Work work) {
        boolean asked = (work instanceof WriteEvent.End end && end.sync())
                || (work instanceof WriteEvent.Flush flush && flush.sync());
        return asked && !unsynced.isEmpty();
    }

    private boolean sync() {
        stateBeforeSync = state;
        enter(WriterState.SYNCING, unsynced.size() + " earlier groups");
        CompletableFuture.allOf(unsynced.stream().map(GroupWriter::sync).toArray(CompletableFuture<?>[]::new))
                .whenComplete((all, broken) ->
                        post(new WriteEvent.Synced(Optional.ofNullable(broken).map(EcfsException::of))));
        return false;
    }

    private void synced(Optional<EcfsException> broken) {
        if (broken.isPresent()) {
            fail(broken.get(), "sync failed");
            return;
        }
        unsynced.clear();
        enter(stateBeforeSync, "on disk");
    }

    private void complete(Optional<SealedGroup> word, boolean unused) {
        ask(Purpose.COMPLETE, calls.complete(word, unused), "close");
    }

    /** @param word about the group before, which ends with the same log entry */
    private void askForGroup(Purpose why, Optional<SealedGroup> word, String reason) {
        askForGroup(why, word, services.shunned().all(), reason);
    }

    private void askForGroup(Purpose why, Optional<SealedGroup> word, Set<DatanodeId> without, String reason) {
        askedWord = word;
        askedWithout = without;
        ask(why, calls.addGroup(word, without), reason);
    }

    private void ask(Purpose why, CompletableFuture<NamespaceReply> answer, String reason) {
        purpose = why;
        enter(WriterState.ASKING, reason);
        answer.whenComplete((reply, refusal) -> post(
                refusal == null ? new WriteEvent.Granted(reply) : new WriteEvent.Refused(EcfsException.of(refusal))));
    }

    private void granted(NamespaceReply reply) {
        switch (purpose) {
            case NEXT_GROUP -> allocated(reply);
            case OTHER_GROUP -> {
                group().abandon();
                allocated(reply);
            }
            case SEAL -> {
                group = Optional.empty();
                enter(WriterState.IDLE, "sealed");
            }
            case COMPLETE -> closed(reply);
        }
    }

    private void allocated(NamespaceReply reply) {
        if (reply instanceof NamespaceReply.Allocated given) {
            group = Optional.of(groupWriter(given.group()));
            enter(WriterState.ALLOCATED, "group " + given.group().group());
        } else {
            fail(failures.unexpected(reply, acceptedBytes), "unexpected answer");
        }
    }

    private void closed(NamespaceReply reply) {
        if (!(reply instanceof NamespaceReply.Status status) || status.status().length() != acceptedBytes) {
            fail(failures.unexpected(reply, acceptedBytes), "unexpected answer");
            return;
        }
        Invariant.check(queue.size() == 1, "work was given to the writer of %s behind its close", file.path());
        enter(WriterState.CLOSED, "complete");
        ((WriteEvent.End) queue.remove()).done().complete(null);
        ended.complete(null);
    }

    private void refused(EcfsException reason) {
        boolean group = purpose == Purpose.NEXT_GROUP || purpose == Purpose.OTHER_GROUP;
        if (!group || reason.code() != ErrorCode.NO_SPACE) {
            fail(reason, "refused");
            return;
        }
        boolean haveOne = purpose == Purpose.OTHER_GROUP;
        if (haveOne && group().planned()) {
            enter(WriterState.ALLOCATED, "no other group");
        } else if (!haveOne && !askedWithout.isEmpty()) {
            choosy = false;
            askForGroup(purpose, askedWord, Set.of(), "no group without those that failed");
        } else if (haveOne && (group().enough() || attempt >= services.config().groupAttempts())) {
            takeAsItIs(group(), Optional.of(reason));
        } else if (attempt >= services.config().groupAttempts()) {
            fail(reason, "refused");
        } else {
            attempt++;
            enter(WriterState.PAUSED, reason.getMessage());
            services.owner().schedule(services.config().retryPauseLimit(), () -> on(new WriteEvent.Paused()));
        }
    }

    /** A fenced chunk says that the namenode has taken the file from this writer. */
    private boolean stopIfFenced(GroupWriter writing) {
        writing.fenced().ifPresent(fenced -> fail(failures.taken(fenced), "fenced"));
        return state == WriterState.FAILED;
    }

    private void abort(CompletableFuture<Void> done) {
        if (appends) {
            fail(failures.givenUp(), "abort of an append"); // what was there and what was acknowledged stays
            done.complete(null);
            return;
        }
        group.ifPresent(GroupWriter::abandon);
        end(failures.givenUp(), "abort");
        ended.complete(null);
        calls.abandon().whenComplete((reply, refusal) -> {
            if (refusal == null) {
                done.complete(null);
            } else {
                done.completeExceptionally(EcfsException.of(refusal));
            }
        });
    }

    private void fail(EcfsException reason, String why) {
        LOG.warn("event=write_failed path={} inode={} reason=\"{}\"", file.path(), file.inode(), reason.getMessage());
        end(reason, why);
        ended.completeExceptionally(reason);
        boolean notOurs = reason.code() == ErrorCode.LEASE_CONFLICT || reason.code() == ErrorCode.NOT_FOUND;
        if (!notOurs) {
            calls.letGo();
        }
    }

    private void end(EcfsException reason, String why) {
        failure = Optional.of(reason);
        enter(WriterState.FAILED, why);
        for (WriteEvent.Work work : queue) {
            afterEnd(work);
        }
        queue.clear();
        promise.ifPresent(unkept -> unkept.fail(reason));
        promise = Optional.empty();
        rescues.close();
        unsynced.clear();
    }

    /** What arrives when all is over: buffers are released, whoever waits is told. */
    private void afterEnd(WriteEvent event) {
        if (event instanceof WriteEvent.Data data) {
            data.stripe().close();
        } else if (event instanceof WriteEvent.Rescued late) {
            late.stripe().close();
        } else if (event instanceof WriteEvent.Written late) {
            late.group().written(late.index(), late.sent(), late.failure());
        } else if (event instanceof WriteEvent.Kept late) {
            late.group().kept(late.index(), late.promise(), late.failure());
        } else if (event instanceof WriteEvent.Flush flush) {
            flush.increment().ifPresent(Increment::close);
            if (failure.isPresent()) {
                flush.done().completeExceptionally(failure.get());
            } else {
                flush.done().complete(true);
            }
        } else if (event instanceof WriteEvent.Put late) {
            late.group().putAnswered(late.index(), late.failure());
            late.group().letGo();
        } else if (event instanceof WriteEvent.End end) {
            if (failure.isPresent()) {
                end.done().completeExceptionally(failure.get());
            } else {
                end.done().complete(null);
            }
        } else if (event instanceof WriteEvent.Abort abort) {
            abort.done().complete(null);
        }
    }

    private void enter(WriterState next, String reason) {
        Invariant.check(state.mayBecome(next), "writer of %s goes from %s to %s: %s", file.path(), state, next, reason);
        LOG.debug("event=writer_state path={} from={} to={} reason=\"{}\"", file.path(), state, next, reason);
        state = next;
    }

    private GroupWriter group() {
        return group.orElseThrow(() ->
                new IllegalStateException("writer of " + file.path() + " is in state " + state + " without a group"));
    }

    private GroupWriter groupWriter(LocatedGroup located) {
        return new GroupWriter(
                located, services.randomness().nextLong(), services.chunks(), services.times(), this::post);
    }
}
