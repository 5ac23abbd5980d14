package io.ecfs.wire.server;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.Failure;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.frame.EncodedFrame;
import io.ecfs.wire.frame.FrameHeader;
import io.netty.buffer.ByteBufAllocator;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The frames that answer the calls of one connection. There is one for every outcome: an answer that cannot be sent and
 * a handler's bug become failures, so that every call gets an answer; internal details stay in the log here.
 *
 * @param remote address of the caller
 * @param who name of the caller, for logs
 */
record AnswerFrames(ServerContext shared, ByteBufAllocator allocator, Supplier<Address> remote, Supplier<String> who) {
    private static final Logger LOG = LoggerFactory.getLogger(AnswerFrames.class);
    private static final int MAX_FAILURE_TEXT = 1000;

    /** Frame of an answer, whose bytes it takes ownership of. */
    EncodedFrame of(long id, Envelope answer) {
        try {
            return EncodedFrame.of(
                    shared.codec(),
                    allocator,
                    FrameHeader.ANSWER,
                    id,
                    answer,
                    shared.options().maxFrameBytes());
        } catch (EcfsException | RuntimeException e) {
            LOG.error(
                    "event=answer_not_sent peer={} {} answer={}",
                    remote.get(),
                    who.get(),
                    answer.head().getClass(),
                    e);
            return ofFailure(id, internal());
        }
    }

    /**
     * @param failure of a handler: an {@link EcfsException}, wrapped or not, travels; anything else is a bug, also null
     */
    EncodedFrame ofFailure(long id, Throwable failure) {
        Failure whole = Failure.of(asEcfs(id, failure));
        Failure sent = whole.message().length() <= MAX_FAILURE_TEXT
                ? whole
                : new Failure(whole.code(), whole.message().substring(0, MAX_FAILURE_TEXT) + "...", whole.hint());
        try {
            return EncodedFrame.of(
                    shared.codec(),
                    allocator,
                    FrameHeader.ANSWER | FrameHeader.FAILURE,
                    id,
                    Envelope.of(sent),
                    shared.options().maxFrameBytes());
        } catch (EcfsException tooLong) {
            throw new IllegalArgumentException("failure does not fit a frame: " + tooLong.getMessage(), tooLong);
        }
    }

    private EcfsException asEcfs(long id, Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException
                        || cause instanceof ExecutionException
                        || cause instanceof UncheckedIOException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof EcfsException known) {
            return known;
        }
        LOG.error(
                "event=handler_failed peer={} {} call={} error={}",
                remote.get(),
                who.get(),
                id,
                String.valueOf(cause),
                cause);
        return internal();
    }

    private EcfsException internal() {
        return new EcfsException(
                ErrorCode.INTERNAL,
                "internal error in " + shared.greeting().get().role() + " while it answered " + remote.get()
                        + "; its log has the details");
    }
}
