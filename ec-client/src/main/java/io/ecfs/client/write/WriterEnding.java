package io.ecfs.client.write;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.dispatch.FunctionTable;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.stripe.Increment;
import io.ecfs.stripe.write.ChunkSetWriter;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The end of one file's writer: that it ended, the failure it ended with (in words for its user), and the release of
 * events that arrive afterwards. Owned by the client's owner thread; any thread may read the failure, hand over work,
 * and release what came too late.
 */
final class WriterEnding {
    private static final FunctionTable<WriteEvent, WriterEnding, Void> LATE =
            FunctionTable.<WriteEvent, WriterEnding, Void>of(WriteEvent.class)
                    .run(WriteEvent.Data.class, (ending, data) -> data.stripe().close())
                    .run(
                            WriteEvent.StripeRead.class,
                            (ending, read) -> read.stripe().close())
                    .run(WriteEvent.Flush.class, (ending, flush) -> ending.complete(flush))
                    .run(WriteEvent.End.class, (ending, end) -> ending.complete(end.done(), null))
                    .run(WriteEvent.Answer.class, (ending, answer) -> answer.arrive())
                    .run(WriteEvent.Abort.class, (ending, abort) -> abort.done().complete(null))
                    .ignore(
                            WriteEvent.Granted.class,
                            WriteEvent.Refused.class,
                            WriteEvent.Synced.class,
                            WriteEvent.RewriteFailed.class,
                            WriteEvent.Watched.class,
                            WriteEvent.Ahead.class,
                            WriteEvent.Packed.class,
                            WriteEvent.Paused.class,
                            WriteEvent.Fail.class)
                    .build();

    private final FileStatus file;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile Optional<EcfsException> failure = Optional.empty();

    @GuardedBy("this")
    private boolean over;

    WriterEnding(FileStatus file) {
        this.file = file;
    }

    /** Completes when the file is closed or given up; fails when writing failed. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    /** Why the writer ended, when it did not end well. */
    Optional<EcfsException> failure() {
        return failure;
    }

    /** Records the failure: every later request fails with this reason. */
    void because(EcfsException reason) {
        failure = Optional.of(reason);
        well();
    }

    /** Records that the writer has ended. */
    synchronized void well() {
        over = true;
    }

    /**
     * Hands something over to the writer's owner, which handles all that was handed over before it ends itself: a
     * thread that drops tasks would drop their buffers.
     *
     * @param handOver must not wait
     * @return false when the writer has ended: nothing was handed over
     */
    synchronized boolean before(Runnable handOver) {
        if (!over) {
            handOver.run();
        }
        return !over;
    }

    /**
     * Handles events that are left or arrive after the end: releases buffers and completes the futures of waiting
     * callers.
     */
    void late(WriteEvent event) {
        LATE.apply(this, event);
    }

    private void complete(WriteEvent.Flush flush) {
        flush.increment().ifPresent(Increment::close);
        complete(flush.done(), true);
    }

    private <T> void complete(CompletableFuture<T> waiting, T well) {
        if (failure.isPresent()) {
            waiting.completeExceptionally(failure.get());
        } else {
            waiting.complete(well);
        }
    }

    EcfsException tooFewOpenedFailure(ChunkSetWriter opened, Optional<EcfsException> noOther) {
        return new EcfsException(
                ErrorCode.NO_SPACE,
                file.path() + ": of group " + opened.located().group() + " only "
                        + opened.chunks().live()
                        + " chunks could be begun, " + opened.chunks().required() + " are required under "
                        + file.policy()
                        + noOther.map(r -> "; no other group: " + r.getMessage())
                                .orElse("")
                        + "; " + opened.chunks().failures(),
                noOther.orElse(null));
    }

    /** @param why its bytes cannot be written to other datanodes */
    EcfsException groupLostFailure(ChunkSetWriter broken, String why) {
        return new EcfsException(
                ErrorCode.NO_SPACE,
                file.path() + ": group " + broken.located().group() + " has "
                        + broken.chunks().live() + " chunks left, "
                        + broken.chunks().required()
                        + " are required under " + file.policy() + ", and " + why
                        + "; what was not acknowledged before is lost; "
                        + broken.chunks().failures());
    }

    /** Acknowledged bytes stay: recovery closes the file with them, and repair makes them safe again. */
    EcfsException tooFewLeftFailure(ChunkSetWriter broken) {
        return new EcfsException(
                ErrorCode.NO_SPACE,
                file.path() + ": group " + broken.located().group() + ", of which bytes were acknowledged, has "
                        + broken.chunks().live() + " chunks left, "
                        + broken.chunks().required()
                        + " are required under " + file.policy()
                        + " to write on; the file is closed with all that was acknowledged; "
                        + broken.chunks().failures());
    }

    EcfsException rewriteFailure(EcfsException cause) {
        return new EcfsException(
                cause.code(),
                file.path() + ": a group lost too many chunks while it was written and could not be copied to others: "
                        + cause.getMessage(),
                cause);
    }

    /** A fenced chunk says that the namenode has taken the file from this writer. */
    EcfsException leaseLostFailure(EcfsException fenced) {
        return new EcfsException(
                ErrorCode.LEASE_CONFLICT, file.path() + " was taken from this writer: " + fenced.getMessage(), fenced);
    }

    EcfsException abandonedFailure() {
        return new EcfsException(ErrorCode.INVALID_ARGUMENT, file.path() + " was given up by its writer");
    }

    EcfsException unexpectedReplyFailure(NamespaceReply reply, long acceptedBytes) {
        return new EcfsException(
                ErrorCode.INTERNAL,
                file.path() + ": after " + acceptedBytes + " bytes were written the namenode answered " + reply);
    }

    EcfsException bugFailure(Throwable bug) {
        return new EcfsException(ErrorCode.INTERNAL, "writer of " + file.path() + " broke: " + bug, bug);
    }
}
