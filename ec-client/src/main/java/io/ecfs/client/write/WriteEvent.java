package io.ecfs.client.write;

import io.ecfs.error.EcfsException;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.stripe.Increment;
import io.ecfs.stripe.Stripe;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Everything that can happen to a {@link FileWriter}; all of it is handled on the client's owner thread. */
sealed interface WriteEvent {

    /** The user's calls, in the order given. */
    sealed interface Work extends WriteEvent {}

    /** A sealed stripe, the writer's from here on. One that is not full is followed by an {@link End}. */
    record Data(Stripe stripe) implements Work {}

    /**
     * Everything before this must be acknowledged.
     *
     * @param sync on the datanodes' disks, too
     * @param close and the file closed
     */
    record End(boolean sync, boolean close, CompletableFuture<Void> done) implements Work {}

    /**
     * Everything before this must be acknowledged, in the open group when that is sound.
     *
     * @param increment what the open stripe got since the last one; empty for nothing
     * @param sync on the datanodes' disks, too
     * @param done false: the open stripe must be handed over, and an {@link End} behind it
     */
    record Flush(Optional<Increment> increment, boolean sync, CompletableFuture<Boolean> done) implements Work {}

    /** Bytes will come that need a group: it is asked for while the first stripe fills. */
    record Ahead() implements WriteEvent {}

    /** The file, of which nothing was given to this writer, was closed with its bytes in a pack. */
    record Packed() implements WriteEvent {}

    /** Gives the file up: it disappears. */
    record Abort(CompletableFuture<Void> done) implements WriteEvent {}

    /** The client closes, or the user's thread failed: the writer ends, the file is left to its recovery. */
    record Fail(EcfsException reason) implements WriteEvent {}

    /**
     * A datanode or the namenode answered about a group, or did not: also when the writer has ended, the answer goes to
     * the object that asked.
     */
    record Answer(Runnable arrival) implements WriteEvent {
        void arrive() {
            arrival.run();
        }
    }

    /** The namenode did what this writer asked last. */
    record Granted(NamespaceReply reply) implements WriteEvent {}

    record Refused(EcfsException reason) implements WriteEvent {}

    /** The groups finished without sync are on disk now, as far as {@code failure} is empty. */
    record Synced(Optional<EcfsException> failure) implements WriteEvent {}

    /** The next stripe of a group that lost too many chunks, read back and sealed again. */
    record StripeRead(GroupRewrite source, Stripe stripe) implements WriteEvent {}

    record RewriteFailed(EcfsException reason) implements WriteEvent {}

    /** Time to see which datanodes have said nothing for too long. */
    record Watched() implements WriteEvent {}

    /** A pause before another attempt at a group is over. */
    record Paused() implements WriteEvent {}
}
