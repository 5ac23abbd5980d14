package io.ecfs.client.write;

import io.ecfs.error.EcfsException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Whether a group is still its writer's when its chunks are begun: who took the lease before shut the writer out of no
 * chunk, since there was none. Asked once, before anything of the group is acknowledged in the open (HDFS:
 * DFSOutputStream.flushOrSync, which persists a new block). Chunks that could not be begun, and perhaps were all the
 * same, are taken out of the facts with it: an empty chunk that the facts place then tells a recovery that nothing was
 * acknowledged. Owned by the client's owner thread.
 */
final class GroupClaim {
    private final Supplier<CompletableFuture<?>> question;
    private final Executor answers;
    private boolean asked;
    private boolean confirmed;
    private Optional<EcfsException> refusal = Optional.empty();

    /**
     * @param question to the namenode; fails when the group is somebody else's
     * @param answers runs the receiver of the answer on the owner thread
     */
    GroupClaim(Supplier<CompletableFuture<?>> question, Executor answers) {
        this.question = question;
        this.answers = answers;
    }

    /** Asks, unless that was done before. The chunks must have been begun. */
    void ask() {
        if (!asked) {
            asked = true;
            CompletableFuture<?> unused = question.get()
                    .whenComplete((done, failure) -> answers.execute(
                            () -> answered(Optional.ofNullable(failure).map(EcfsException::of))));
        }
    }

    private void answered(Optional<EcfsException> failure) {
        refusal = failure;
        confirmed = failure.isEmpty();
    }

    boolean confirmed() {
        return confirmed;
    }

    Optional<EcfsException> refusal() {
        return refusal;
    }
}
