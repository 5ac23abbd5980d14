package io.ecfs.torture.check;

import io.ecfs.torture.history.Call;
import java.util.ArrayList;
import java.util.List;

/** The check of a whole history, part by part, with a bound for each. */
public final class HistoryCheck {
    /** Configurations of one part: some hundred bytes each, and seconds together. */
    public static final long CONFIGURATIONS = 500_000;

    /** Limit of a shrinking step, low since unknown outcomes multiply the orders. */
    private static final long CONFIGURATIONS_TO_SHRINK = 2_000;

    private static final int CHECKS_TO_SHRINK = 1_000;

    private HistoryCheck() {}

    /**
     * @param parts that were checked
     * @param impossible each already as small as it could be made
     */
    public record Result(int parts, List<Verdict.Impossible> impossible, List<Verdict.Undecided> undecided) {
        public Result {
            impossible = List.copyOf(impossible);
            undecided = List.copyOf(undecided);
        }
    }

    /** @param bound most configurations that are visited of one part */
    public static Result check(List<Call> history, long bound) {
        List<Verdict.Impossible> impossible = new ArrayList<>();
        List<Verdict.Undecided> undecided = new ArrayList<>();
        int parts = 0;
        for (List<Call> part : Partitions.of(history)) {
            parts++;
            Verdict verdict = new Linearizability(part, bound).check();
            if (verdict instanceof Verdict.Impossible found) {
                impossible.add(
                        new Shrinking(Math.min(bound, CONFIGURATIONS_TO_SHRINK), CHECKS_TO_SHRINK).shrink(found));
            }
            if (verdict instanceof Verdict.Undecided unknown) {
                undecided.add(unknown);
            }
        }
        return new Result(parts, impossible, undecided);
    }
}
