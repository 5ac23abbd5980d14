package io.ecfs.namenode.reconstruction;

import io.ecfs.layout.GroupId;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.reconstruction.ReconstructionPolicy.Verdict;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Reasons why damaged groups are not being rebuilt: the last attempt failed, or there is no target. Owner thread: the
 * namenode's event thread.
 */
public final class RepairDelays {
    /** @param failures in a row */
    public record Failed(int failures, long atMillis, String reason) {}

    /** @param sinceMillis when it was first found to need a repair that nothing could take */
    public record Waiting(long sinceMillis, String reason) {}

    private final NamenodeContext context;
    private final Map<GroupId, Failed> failed = new HashMap<>();
    private final Map<GroupId, Waiting> waiting = new HashMap<>();

    public RepairDelays(NamenodeContext context) {
        this.context = context;
    }

    /** Records the end of an attempt: the next one waits when it failed. */
    public void ended(GroupId group, Verdict.End end) {
        if (end instanceof Verdict.Fail fail) {
            Failed before = failed.get(group);
            failed.put(
                    group, new Failed(before == null ? 1 : before.failures() + 1, context.nowMillis(), fail.reason()));
        }
    }

    /** Records that a group waits; true when it did not wait before. */
    public boolean waits(GroupId group, String reason) {
        return waiting.putIfAbsent(group, new Waiting(context.nowMillis(), reason)) == null;
    }

    boolean hasFailed(GroupId group) {
        return failed.containsKey(group);
    }

    /** Number of failures in a row. */
    int failures(GroupId group) {
        return failure(group).map(Failed::failures).orElse(0);
    }

    /** Milliseconds until the next attempt after one that failed; 0: now. */
    public long retryInMillis(GroupId group) {
        Failed last = failed.get(group);
        return last == null
                ? 0
                : Math.max(
                        0,
                        last.atMillis()
                                + context.settings()
                                        .recovery()
                                        .waitAfter(last.failures())
                                        .toMillis()
                                - context.nowMillis());
    }

    public Optional<Failed> failure(GroupId group) {
        return Optional.ofNullable(failed.get(group));
    }

    public Optional<Waiting> waiting(GroupId group) {
        return Optional.ofNullable(waiting.get(group));
    }

    /** Groups that wait for a target or for sources. */
    public int waiting() {
        return waiting.size();
    }

    /** Records that the group's repair has begun: it no longer waits. */
    public void begun(GroupId group) {
        waiting.remove(group);
    }

    /** Forgets the failures of a group whose chunk was placed. */
    public void repaired(GroupId group) {
        failed.remove(group);
        waiting.remove(group);
    }

    /** Returns whether the last attempt failed that long ago. */
    public boolean failedBefore(GroupId group, Duration ago) {
        return failure(group)
                .filter(last -> context.passed(ago, last.atMillis()))
                .isPresent();
    }

    /** Groups of which the last attempt failed. */
    public int failed() {
        return failed.size();
    }

    public void forgetIf(Predicate<GroupId> whole) {
        failed.keySet().removeIf(whole);
        waiting.keySet().removeIf(whole);
    }
}
