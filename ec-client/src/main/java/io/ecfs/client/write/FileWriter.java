package io.ecfs.client.write;

import io.ecfs.dispatch.FunctionTable;
import io.ecfs.dispatch.StateMachine;
import io.ecfs.env.Cancellable;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.error.Invariant;
import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.WriteSide;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.PackedFile;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.stripe.write.ChunkSetWriter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one file: sealed stripes go to one group after the other, and every failure of a datanode ends in a sealed
 * group and a new one. Which group follows which is decided here; {@link GroupWriter} takes each through its own
 * states. Events arrive on the client's owner thread, which owns all state here; {@link FileWriterState} has the table
 * of its states.
 *
 * <p>A group that lost so many chunks that it must not be acknowledged (fewer than k+1 left) but can still be read is
 * read back and written to a fresh group before anything is acknowledged. The namenode allows one open group a file, so
 * the old one is dropped when the fresh one is given and is read while its chunks await deletion: when that overtakes
 * us, the write fails and says so.
 */
public final class FileWriter {
    private static final Logger LOG = LoggerFactory.getLogger(FileWriter.class);

    /** The effect of each event while the writer runs; {@link WriterEnding#late} has the effects afterwards. */
    private static final FunctionTable<WriteEvent, FileWriter, Void> EVENTS =
            FunctionTable.<WriteEvent, FileWriter, Void>of(WriteEvent.class)
                    .run(WriteEvent.Data.class, (writer, data) -> writer.queue.add(data))
                    .run(WriteEvent.Flush.class, (writer, flush) -> writer.queue.add(flush))
                    .run(WriteEvent.End.class, (writer, end) -> writer.queue.add(end))
                    .run(WriteEvent.Answer.class, (writer, answer) -> answer.arrive())
                    .run(WriteEvent.Granted.class, (writer, granted) -> writer.granted(granted.reply()))
                    .run(WriteEvent.Refused.class, (writer, refused) -> writer.refused(refused.reason()))
                    .run(WriteEvent.Synced.class, (writer, synced) -> writer.synced(synced.failure()))
                    .run(
                            WriteEvent.StripeRead.class,
                            (writer, read) -> writer.rewrites.arrived(read.source(), read.stripe()))
                    .run(
                            WriteEvent.RewriteFailed.class,
                            (writer, failed) ->
                                    writer.fail(writer.ending.rewriteFailure(failed.reason()), "rewrite failed"))
                    .run(WriteEvent.Watched.class, (writer, watched) -> writer.watched())
                    .run(WriteEvent.Paused.class, (writer, paused) -> writer.retry())
                    .run(WriteEvent.Ahead.class, (writer, ahead) -> writer.ahead())
                    .run(WriteEvent.Packed.class, (writer, packed) -> writer.packed())
                    .run(WriteEvent.Abort.class, (writer, abort) -> writer.abort(abort.done()))
                    .run(WriteEvent.Fail.class, (writer, given) -> writer.fail(given.reason(), "given up"))
                    .build();

    /** The consequences of each step of a group, and whether another can follow at once. */
    private static final FunctionTable<GroupOutcome, FileWriter, Boolean> OUTCOMES =
            FunctionTable.<GroupOutcome, FileWriter, Boolean>of(GroupOutcome.class)
                    .always(true, GroupOutcome.GoesOn.class)
                    .always(false, GroupOutcome.Waits.class)
                    .on(GroupOutcome.NeedsSync.class, (writer, step) -> writer.sync())
                    .on(GroupOutcome.Incomplete.class, (writer, step) -> writer.askForOther())
                    .on(GroupOutcome.Published.class, (writer, published) -> writer.seal(published.group()))
                    .on(GroupOutcome.Unsafe.class, (writer, end) -> writer.rewrite())
                    .on(
                            GroupOutcome.TooFewLeft.class,
                            (writer, end) ->
                                    writer.fail(writer.ending.tooFewLeftFailure(writer.group()), "too few chunks left"))
                    .on(
                            GroupOutcome.Fenced.class,
                            (writer, fenced) -> writer.fail(writer.ending.leaseLostFailure(fenced.by()), "fenced"))
                    .on(
                            GroupOutcome.NotClaimed.class,
                            (writer, refused) -> writer.fail(refused.refusal(), "not claimed"))
                    .build();

    private final WriteServices services;
    private final FileStatus file;
    private final Begin begin;
    private final WriterEnding ending;
    private final WorkQueue queue;
    private final GroupRewrites rewrites;
    private final UnsyncedGroups unsynced;
    private final ShortGroups shortGroups;
    private final WriterRequests requests;
    private final TokenRenewals tokens;
    private final StateMachine<FileWriterState> state;
    /** Empty in NO_GROUP, and in the states that follow from it until a group is given; never in GROUP_OPEN. */
    private Optional<GroupWriter> groupWriter;

    private Optional<Cancellable> watch = Optional.empty();
    private volatile WriteSide encodingSide = WriteSide.CLIENT; // read by the thread that writes

    /** Offset in the file at which the group at hand begins. */
    private long sealedBytes;

    /** Groups that were sealed, by where they begin: of a file alone whose positions are asked for. */
    private final NavigableMap<Long, GroupId> sealedGroups = new TreeMap<>();

    /** How a file begins. */
    public enum Begin {
        /** It is new, and disappears when it is given up. */
        NEW,
        /** It was there before, as {@link FileStatus#length} says. */
        APPENDED,
        /** It has no name: its bytes are those of other files, and it has no length of its own. */
        PACK,
        /** It was there before, and is written in patch groups, whose bytes say where in the file theirs belong. */
        UPDATED;

        /** Where in the file the first byte belongs that is given to the writer; 0 where groups have no place in it. */
        private long offset(FileStatus file) {
            return this == APPENDED ? file.length() : 0;
        }

        /** Returns whether others than the writer know what its groups are good for, and ask it for their positions. */
        private boolean hasPieces() {
            return this == PACK || this == UPDATED;
        }
    }

    /** @param created the namenode's answer: the file and its first group */
    public FileWriter(WriteServices services, NamespaceReply.Created created, Begin begin) {
        this(services, created.status(), Optional.of(created.first()), begin);
    }

    /** For a new file without a group; one is requested when its bytes need it. */
    public FileWriter(WriteServices services, FileStatus file) {
        this(services, file, Begin.NEW);
    }

    /** For a file without an open group; one is requested when its bytes need it. */
    public FileWriter(WriteServices services, FileStatus file, Begin begin) {
        this(services, file, Optional.empty(), begin);
    }

    private FileWriter(WriteServices services, FileStatus file, Optional<LocatedGroup> first, Begin begin) {
        this.begin = begin;
        this.services = services;
        this.file = file;
        this.ending = new WriterEnding(file);
        this.queue = new WorkQueue(begin.offset(file));
        this.rewrites = new GroupRewrites(services, file.path(), this::post);
        this.unsynced = new UnsyncedGroups(services, file);
        this.shortGroups = new ShortGroups(services.clock(), this::anotherWouldBeWhole, this::postAnswer);
        this.requests = new WriterRequests(services, file, this::encodingSide, this::post);
        this.tokens = new TokenRenewals(services.owner(), requests::renewToken);
        this.sealedBytes = begin.offset(file);
        this.state = new StateMachine<>(
                LOG,
                "writer_state",
                () -> "path=" + file.path(),
                first.isPresent() ? FileWriterState.GROUP_OPEN : FileWriterState.NO_GROUP,
                FileWriterState::mayBecome);
        this.groupWriter = first.map(this::groupWriterOf);
    }

    public FileStatus file() {
        return file;
    }

    /** Position of the first byte that is given to it. */
    long offset() {
        return begin.offset(file);
    }

    /** CLIENT when stripes are to be encoded before they are given, as things are; for any thread. */
    WriteSide encodingSide() {
        return encodingSide;
    }

    private EncodingSide side() {
        return services.config().encode().or(file::encoding).orElse(EncodingSide.CLIENT);
    }

    /** A group that was replaced changes nothing for the present one. */
    private void becameDirect(LocatedGroup group) {
        if (groupWriter
                .filter(now -> now.group().located().group().equals(group.group()))
                .isPresent()) {
            encodingSide = WriteSide.CLIENT;
        }
    }

    /** Why the writer ended, when it did not end well. */
    Optional<EcfsException> failure() {
        return ending.failure();
    }

    /** Completes when the file is closed or given up; fails when writing failed. */
    public CompletableFuture<Void> ended() {
        return ending.ended();
    }

    /** Ends the writer from outside; the file stays as it is and is recovered by the namenode. */
    public void fail(EcfsException reason) {
        post(new WriteEvent.Fail(reason));
    }

    /** Gives the file up: a new one disappears, one that was appended to is left to its recovery. */
    public CompletableFuture<Void> abort() {
        CompletableFuture<Void> done = services.pending().with(new CompletableFuture<>());
        post(new WriteEvent.Abort(done));
        return done;
    }

    /** Bytes of the file will need a group, which is requested unless there is one. */
    void needsGroupSoon() {
        post(new WriteEvent.Ahead());
    }

    /** The file was closed with its bytes in a pack, and nothing was given to this writer. */
    void closedInPack() {
        post(new WriteEvent.Packed());
    }

    /** Where in groups the acknowledged bytes [from, to) of a pack or an update are, counted from its begin. */
    public CompletableFuture<List<PackedFile.Piece>> pieces(long from, long to) {
        CompletableFuture<List<PackedFile.Piece>> pieces = services.pending().with(new CompletableFuture<>());
        services.owner().execute(() -> Workers.run(() -> piecesOf(from, to), pieces));
        return pieces;
    }

    /** Positions are asked for in their order: groups before them are forgotten. */
    private List<PackedFile.Piece> piecesOf(long from, long to) {
        Optional.ofNullable(sealedGroups.floorKey(from))
                .ifPresent(first -> sealedGroups.headMap(first).clear());
        List<PackedFile.Piece> pieces = new ArrayList<>();
        for (long at = from; at < to; ) {
            boolean sealed = at < sealedBytes;
            long begins = sealed ? sealedGroups.floorKey(at) : sealedBytes;
            long next = sealed ? Optional.ofNullable(sealedGroups.higherKey(at)).orElse(sealedBytes) : Long.MAX_VALUE;
            GroupId group =
                    sealed ? sealedGroups.get(begins) : group().located().group();
            long end = Math.min(to, next);
            pieces.add(new PackedFile.Piece(group, at - begins, end - at));
            at = end;
        }
        return pieces;
    }

    /** Renews the tokens that are due; to be called on the owner thread, more often than they end. */
    public void renewTokens() {
        if (!state.state().over()) {
            tokens.renew(Stream.concat(groupWriter.map(GroupWriter::group).stream(), unsynced.groups()));
        }
    }

    void post(WriteEvent event) {
        services.owner().execute(() -> on(event));
    }

    private void postAnswer(Runnable arrival) {
        post(new WriteEvent.Answer(arrival));
    }

    /**
     * Takes over what belongs together, with one call of the owner; what comes after the end is released on the calling
     * thread.
     */
    void give(List<WriteEvent.Work> work) {
        if (!ending.before(() -> services.owner().execute(() -> on(work.iterator())))) {
            work.forEach(ending::late);
        }
    }

    private void on(Iterator<? extends WriteEvent> events) {
        while (events.hasNext()) {
            try {
                on(events.next());
            } catch (RuntimeException | Error e) {
                on(events); // what follows belongs to this writer whatever happened
                throw e;
            }
        }
    }

    private void on(WriteEvent event) {
        try {
            if (state.state().over()) {
                ending.late(event);
            } else {
                EVENTS.apply(this, event);
                advance();
            }
        } catch (RuntimeException | Error e) {
            fail(ending.bugFailure(e), "bug");
            throw e;
        }
    }

    private void ahead() {
        if (state.is(FileWriterState.NO_GROUP)) {
            askForNext(Optional.empty(), "bytes will come");
        }
    }

    private void packed() {
        Invariant.check(queue.size() == 0, "work was given to the writer of %s, which is packed", file.path());
        state.enter(FileWriterState.CLOSED, "packed");
        ending.well();
        ending.ended().complete(null);
    }

    private void watched() {
        watch = Optional.empty();
        groupWriter.ifPresent(now -> now.group().giveUpSilent(services.config().stallAfter()));
    }

    /** Goes as far as the present state and the queue allow. */
    private void advance() {
        boolean more = true;
        while (more) {
            more = switch (state.state()) {
                case NO_GROUP -> startOrEnd();
                case GROUP_OPEN -> groupWriter().begun() ? follow(groupWriter().step()) : startOrEnd();
                case REQUESTING, BACKOFF, SYNCING, CLOSED, FAILED -> false;
            };
        }
        watch();
    }

    /** One timer for all that is unanswered: a datanode that says nothing must not hold up the others. */
    private void watch() {
        if (state.state().over()) {
            watch.ifPresent(Cancellable::cancel);
        } else if (watch.isEmpty()
                && groupWriter
                        .map(GroupWriter::group)
                        .filter(ChunkSetWriter::waits)
                        .isPresent()) {
            watch = Optional.of(services.owner()
                    .schedule(services.config().stallAfter().dividedBy(2), () -> on(new WriteEvent.Watched())));
        }
    }

    /** Nothing is written to a group yet. */
    private boolean startOrEnd() {
        if (needsGroup()) {
            return groupWriter.isPresent() ? begin() : askForNext(Optional.empty(), "data");
        }
        if (queue.next().filter(unsynced::mustSyncFirst).isPresent()) {
            return sync();
        }
        if (queue.flush().isPresent()) {
            // All there is lies in sealed groups.
            queue.takeFlush().done().complete(true);
            return true;
        }
        Optional<WriteEvent.End> end = queue.end();
        if (end.isEmpty()) {
            return false;
        }
        if (end.get().close()) {
            state.enter(FileWriterState.REQUESTING, "close");
            boolean unused = groupWriter.isPresent(); // given and not begun
            requests.complete(groupWriter.map(given -> given.group().dropped()), unused);
            return false;
        }
        queue.takeEnd().done().complete(null);
        return true;
    }

    /**
     * Begins the group, or asks for one without datanodes that would only be waited for. Without another they are left
     * out of this one.
     */
    private boolean begin() {
        Set<DatanodeId> silent = services.health().silent();
        ChunkSetWriter given = group();
        if (requests.choosy() && given.chunks().uses(silent)) {
            state.enter(FileWriterState.REQUESTING, "datanodes that answer nothing");
            requests.groupWithoutSilent(given.dropped());
            return false;
        }
        return follow(groupWriter().begin(given.chunks().enoughWithout(silent) ? silent : Set.of()));
    }

    private boolean needsGroup() {
        return rewrites.pending() || queue.needsGroup();
    }

    /** @return whether to go on at once */
    private boolean follow(GroupOutcome outcome) {
        return OUTCOMES.apply(this, outcome);
    }

    /** Not all chunks could be created. */
    private boolean askForOther() {
        ChunkSetWriter incomplete = group();
        LOG.warn(
                "event=group_not_opened path={} group={} open={} failed=\"{}\" attempt={}",
                file.path(),
                incomplete.located().group(),
                incomplete.chunks().live(),
                incomplete.chunks().failures(),
                requests.attempt());
        if (requests.spent()) {
            return acceptDegraded(Optional.empty());
        }
        state.enter(FileWriterState.REQUESTING, "chunks could not be created");
        requests.otherGroup(incomplete.dropped());
        return false;
    }

    /** @param noOther why there is no other group */
    private boolean acceptDegraded(Optional<EcfsException> noOther) {
        return group().chunks().enough()
                ? follow(groupWriter().acceptDegraded())
                : fail(ending.tooFewOpenedFailure(group(), noOther), "too few chunks could be opened");
    }

    /** @param before the group before, which ends with the same log entry */
    private boolean askForNext(Optional<SealedGroup> before, String reason) {
        state.enter(FileWriterState.REQUESTING, reason);
        requests.nextGroup(before);
        return false;
    }

    /**
     * Reports to the namenode that the group is complete, in the same call that begins what comes next.
     */
    private boolean seal(SealedGroup complete) {
        services.reports().changed();
        if (begin.hasPieces() && complete.length() > 0) {
            sealedGroups.put(sealedBytes, complete.group());
        }
        sealedBytes += complete.length();
        if (needsGroup()) {
            return askForNext(Optional.of(complete), "next group");
        }
        boolean closes = queue.end()
                .filter(end -> end.close() && !unsynced.mustSyncFirst(end))
                .isPresent();
        state.enter(FileWriterState.REQUESTING, closes ? "close" : "seal");
        if (closes) {
            requests.complete(Optional.of(complete), false);
        } else {
            requests.seal(complete);
        }
        return false;
    }

    /** The group must not be acknowledged: its bytes go to a fresh one, if they can be read. */
    private boolean rewrite() {
        ChunkSetWriter broken = group();
        Optional<String> impossible = rewrites.begin(broken);
        return impossible.isPresent()
                ? fail(ending.groupLostFailure(broken, impossible.get()), "group lost")
                : askForNext(Optional.of(broken.dropped()), "rewrite");
    }

    private boolean sync() {
        state.enter(FileWriterState.SYNCING, unsynced.count() + " earlier groups");
        unsynced.sync()
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
        state.enter(groupWriter.isPresent() ? FileWriterState.GROUP_OPEN : FileWriterState.NO_GROUP, "on disk");
    }

    private void granted(NamespaceReply reply) {
        switch (requests.purpose()) {
            case NEXT_GROUP -> allocated(reply);
            case OTHER_GROUP -> {
                groupWriter().replaced();
                allocated(reply);
            }
            case SEAL -> {
                groupWriter = Optional.empty();
                state.enter(FileWriterState.NO_GROUP, "sealed");
            }
            case COMPLETE -> closed(reply);
        }
    }

    private void allocated(NamespaceReply reply) {
        if (reply instanceof NamespaceReply.Allocated given) {
            groupWriter = Optional.of(groupWriterOf(given.group()));
            state.enter(FileWriterState.GROUP_OPEN, "group " + given.group().group());
        } else {
            fail(ending.unexpectedReplyFailure(reply, queue.acceptedBytes()), "unexpected answer");
        }
    }

    private void closed(NamespaceReply reply) {
        long acceptedBytes = queue.acceptedBytes();
        boolean known = begin != Begin.UPDATED;
        long length = begin == Begin.PACK ? 0 : acceptedBytes;
        if (!(reply instanceof NamespaceReply.Status status)
                || (known && status.status().length() != length)) {
            fail(ending.unexpectedReplyFailure(reply, acceptedBytes), "unexpected answer");
            return;
        }
        Invariant.check(queue.size() == 1, "work was given to the writer of %s behind its close", file.path());
        state.enter(FileWriterState.CLOSED, "complete");
        ending.well();
        queue.takeEnd().done().complete(null);
        ending.ended().complete(null);
    }

    private void refused(EcfsException reason) {
        switch (requests.refused(reason, groupWriter)) {
            case END -> fail(reason, "refused");
            case BEGIN_OLD -> state.enter(FileWriterState.GROUP_OPEN, "no other group");
            case TAKE_OLD -> {
                state.enter(FileWriterState.GROUP_OPEN, "no other group");
                acceptDegraded(Optional.of(reason));
            }
            case ASKED_AGAIN -> {}
            case ASK_LATER -> {
                state.enter(FileWriterState.BACKOFF, reason.getMessage());
                services.owner().schedule(services.config().retryPauseLimit(), () -> on(new WriteEvent.Paused()));
            }
        }
    }

    private void retry() {
        state.enter(FileWriterState.REQUESTING, "pause over");
        requests.again();
    }

    private void abort(CompletableFuture<Void> done) {
        if (begin != Begin.NEW) {
            fail(
                    ending.abandonedFailure(),
                    "abort of what has acknowledged bytes"); // what was there and what was acknowledged stays
            done.complete(null);
            return;
        }
        Optional<ChunkSetWriter> group = groupWriter.map(GroupWriter::group);
        end(ending.abandonedFailure(), "abort");
        ending.ended().complete(null);
        requests.abandon().whenComplete((reply, refusal) -> {
            if (refusal == null) {
                // Not sooner: of a file that is no longer this writer's the chunks are what recovery keeps.
                services.owner().execute(() -> group.ifPresent(ChunkSetWriter::abandon));
                done.complete(null);
            } else {
                done.completeExceptionally(EcfsException.of(refusal));
            }
        });
    }

    /** @return false: nothing can follow */
    private boolean fail(EcfsException reason, String why) {
        LOG.warn("event=write_failed path={} inode={} reason=\"{}\"", file.path(), file.inode(), reason.getMessage());
        end(reason, why);
        ending.ended().completeExceptionally(reason);
        boolean notOurs = reason.code() == ErrorCode.LEASE_CONFLICT || reason.code() == ErrorCode.NOT_FOUND;
        if (!notOurs) {
            requests.leaveToRecovery();
        }
        return false;
    }

    private void end(EcfsException reason, String why) {
        ending.because(reason);
        state.enter(FileWriterState.FAILED, why);
        queue.takeAll().forEach(ending::late);
        groupWriter.ifPresent(given -> given.fail(reason));
        rewrites.close();
        unsynced.clear();
    }

    private GroupWriter groupWriter() {
        return groupWriter.orElseThrow(() -> new IllegalStateException(
                "writer of " + file.path() + " is in state " + state.state() + " without a group"));
    }

    private ChunkSetWriter group() {
        return groupWriter().group();
    }

    private CompletableFuture<Boolean> anotherWouldBeWhole(GroupId group) {
        return requests.places(group)
                .thenApply(chunks -> chunks == file.policy().chunks());
    }

    private GroupWriter groupWriterOf(LocatedGroup given) {
        ChunkSetWriter group = new ChunkSetWriter(
                given,
                services.randomness().nextLong(),
                services.chunks(),
                services.times(),
                services.clock(),
                this::postAnswer,
                (writer, token, atFallback) -> services.routes()
                        .of(
                                side(),
                                given,
                                writer,
                                token,
                                this::postAnswer,
                                services.health().excluded(),
                                () -> {
                                    becameDirect(given);
                                    atFallback.run();
                                }));
        encodingSide = group.relays() ? WriteSide.MASTER : WriteSide.CLIENT;
        GroupClaim claim = new GroupClaim(
                () -> requests.confirm(given.group(), group.chunks().brokenOnes()), this::postAnswer);
        return new GroupWriter(
                group,
                claim,
                sealedBytes,
                queue,
                rewrites,
                unsynced,
                services.health(),
                begin.hasPieces(),
                shortGroups);
    }
}
