package io.ecfs.message.report;

import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import java.util.Objects;
import java.util.Optional;

/**
 * A conversion of files to another policy.
 *
 * @param job number of it
 * @param path of the file or directory when it was asked for
 * @param user who asked for it
 * @param dryRun files are counted alone
 * @param begunMillis when it was asked for, in milliseconds since the epoch, as {@code endedMillis}
 * @param waiting why nothing is rewritten at the moment; empty when it is not held back
 * @param firstFailure a path and why it was not converted
 * @param leftMillis until its end, at the pace of the present leader; empty where that says nothing
 */
public record Conversion(
        long job,
        FilePath path,
        Policy policy,
        String user,
        boolean dryRun,
        long begunMillis,
        State state,
        Progress progress,
        Optional<String> waiting,
        Optional<String> firstFailure,
        Optional<Long> leftMillis,
        Optional<Long> endedMillis) {
    /**
     * <pre>
     *   COUNTING --&gt; RUNNING --&gt; DONE, FAILED      of a dry run COUNTING --&gt; DONE
     *      `-----------+--&gt; PAUSED --&gt; COUNTING or RUNNING
     *      `-----------+------`--&gt; CANCELLED
     * </pre>
     *
     * A new leader counts again what is left.
     */
    public enum State {
        COUNTING,
        RUNNING,
        DONE,
        /** All was tried, and some files are not converted. */
        FAILED,
        PAUSED,
        CANCELLED;

        public boolean ended() {
            return this == DONE || this == FAILED || this == CANCELLED;
        }
    }

    /**
     * @param files to convert, as far as they are counted: all from {@link State#RUNNING} on
     * @param converted of them; files that were deleted meanwhile count too
     * @param failed of them, which keep bytes under another policy
     * @param bytes of users to read; {@code bytesToWrite} are those of the chunks that take their place
     * @param bytesDone of {@code bytes}, in new groups by now
     */
    public record Progress(long files, long converted, long failed, long bytes, long bytesToWrite, long bytesDone) {
        public static final Progress NONE = new Progress(0, 0, 0, 0, 0, 0);
    }

    public Conversion {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(user, "user");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(progress, "progress");
        Objects.requireNonNull(waiting, "waiting");
        Objects.requireNonNull(firstFailure, "firstFailure");
        Objects.requireNonNull(leftMillis, "leftMillis");
        Objects.requireNonNull(endedMillis, "endedMillis");
    }

    /** Asked for now. */
    public static Conversion begun(
            long job, FilePath path, Policy policy, String user, boolean dryRun, long nowMillis) {
        return new Conversion(
                job,
                path,
                policy,
                user,
                dryRun,
                nowMillis,
                State.COUNTING,
                Progress.NONE,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** The same in another state; {@code nowMillis} is its end if that state is one. */
    public Conversion in(State next, long nowMillis) {
        Optional<Long> end = next.ended() ? Optional.of(nowMillis) : Optional.empty();
        return with(next, progress, Optional.empty(), firstFailure, Optional.empty(), end);
    }

    /** The same with these counts. */
    public Conversion with(Progress counts, Optional<String> failure) {
        return with(state, counts, waiting, failure, leftMillis, endedMillis);
    }

    /** The same as its leader sees it at the moment. */
    public Conversion now(Optional<String> blocked, Optional<Long> left) {
        return with(state, progress, blocked, firstFailure, left, endedMillis);
    }

    private Conversion with(
            State next,
            Progress counts,
            Optional<String> blocked,
            Optional<String> failure,
            Optional<Long> left,
            Optional<Long> end) {
        return new Conversion(job, path, policy, user, dryRun, begunMillis, next, counts, blocked, failure, left, end);
    }
}
