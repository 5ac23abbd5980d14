package io.ecfs.client.write;

import io.ecfs.env.Clock;
import io.ecfs.layout.GroupId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Whether one file's writer leaves the group that it writes, since that began without all of its chunks and another one
 * would get them: repair adds them only when the group has ended, and one more failure may end the writer. The namenode
 * is asked from time to time, as long as something is written. Owned by the client's owner thread.
 */
final class ShortGroups {
    private static final Duration BETWEEN_QUESTIONS = Duration.ofSeconds(2);

    private final Clock clock;
    private final Function<GroupId, CompletableFuture<Boolean>> question;
    private final Executor answers;
    private Optional<GroupId> atHand = Optional.empty();
    private long askedAt;
    private boolean asking;
    private boolean leaves;

    /**
     * @param question to the namenode: would a group behind this one have all chunks?
     * @param answers runs the receiver of the answer on the owner thread
     */
    ShortGroups(Clock clock, Function<GroupId, CompletableFuture<Boolean>> question, Executor answers) {
        this.clock = clock;
        this.question = question;
        this.answers = answers;
    }

    /** @param whole whether the group that begins has all of its chunks */
    void begins(GroupId group, boolean whole) {
        atHand = whole ? Optional.empty() : Optional.of(group);
        askedAt = clock.nanos();
        leaves = false;
    }

    /** Returns whether the group at hand is to end; asks when it is time. */
    boolean leaves() {
        if (atHand.isPresent() && !leaves && !asking && clock.nanos() - askedAt >= BETWEEN_QUESTIONS.toNanos()) {
            ask(atHand.get());
        }
        return leaves;
    }

    private void ask(GroupId group) {
        asking = true;
        askedAt = clock.nanos();
        CompletableFuture<?> unused = question.apply(group)
                .exceptionally(unknown -> false)
                .thenAccept(whole -> answers.execute(() -> answered(group, whole)));
    }

    private void answered(GroupId group, boolean whole) {
        asking = false;
        leaves = whole && atHand.equals(Optional.of(group));
    }
}
