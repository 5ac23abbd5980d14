package io.ecfs.message.report;

import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import java.util.Objects;
import java.util.Optional;

/**
 * A conversion of files to another policy, as the leader that began it sees it.
 *
 * @param job number of it, of this leader's term
 * @param user who asked for it
 * @param dryRun files are counted alone
 * @param files to convert, as far as they are counted: all from {@link State#RUNNING} on
 * @param converted of them; files that were deleted meanwhile count too
 * @param failed of them, which keep bytes under another policy
 * @param bytes of users to read; {@code bytesToWrite} are those of the chunks that take their place
 * @param bytesDone of {@code bytes}, in new groups by now
 * @param waiting why nothing is rewritten at the moment; empty when it is not held back
 * @param firstFailure a path and why it was not converted
 * @param runningMillis since it was asked for, until now or its end
 */
public record Conversion(
        long job,
        FilePath path,
        Policy policy,
        String user,
        boolean dryRun,
        State state,
        long files,
        long converted,
        long failed,
        long bytes,
        long bytesToWrite,
        long bytesDone,
        Optional<String> waiting,
        Optional<String> firstFailure,
        long runningMillis) {
    /** COUNTING --&gt; RUNNING --&gt; DONE or FAILED; of a dry run COUNTING --&gt; DONE. */
    public enum State {
        COUNTING,
        RUNNING,
        DONE,
        /** All was tried, and some files are not converted. */
        FAILED;

        public boolean ended() {
            return this == DONE || this == FAILED;
        }
    }

    public Conversion {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(user, "user");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(waiting, "waiting");
        Objects.requireNonNull(firstFailure, "firstFailure");
    }

    /** Time until its end at the pace until now; empty where that says nothing. */
    public Optional<Long> leftMillis() {
        return state != State.RUNNING || bytesDone == 0
                ? Optional.empty()
                : Optional.of((long) ((double) runningMillis * (bytes - bytesDone) / bytesDone));
    }
}
