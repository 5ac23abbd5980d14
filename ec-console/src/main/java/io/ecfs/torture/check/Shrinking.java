package io.ecfs.torture.check;

import io.ecfs.torture.history.Call;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Fewer calls that are still impossible. Each step only takes away what was known (an observation is left out, what
 * returned late or changed something becomes unknown), so what is left was impossible in the whole history too.
 */
final class Shrinking {
    private final long bound;
    private int checksLeft;

    /** @param checks most histories that are checked on the way, each with this bound */
    Shrinking(long bound, int checks) {
        this.bound = bound;
        this.checksLeft = checks;
    }

    Verdict.Impossible shrink(Verdict.Impossible found) {
        List<Call> calls = shortestPrefix(found.calls());
        calls = withoutEach(calls);
        Verdict verdict = new Linearizability(calls, bound).check();
        return verdict instanceof Verdict.Impossible smaller ? smaller : found;
    }

    /** By bisection over the moment of the last return that counts. */
    private List<Call> shortestPrefix(List<Call> calls) {
        List<Long> returns = calls.stream()
                .filter(call -> !call.unknown())
                .map(Call::returnNanos)
                .sorted()
                .toList();
        int impossible = returns.size() - 1;
        int possible = -1;
        while (impossible - possible > 1 && checksLeft > 0) {
            int middle = (impossible + possible) >>> 1;
            if (impossible(until(calls, returns.get(middle)))) {
                impossible = middle;
            } else {
                possible = middle;
            }
        }
        return until(calls, returns.get(impossible));
    }

    private static List<Call> until(List<Call> calls, long nanos) {
        return calls.stream()
                .filter(call -> call.invokeNanos() <= nanos)
                .filter(call -> call.returnNanos() <= nanos || !NamespaceModel.observes(call))
                .map(call -> call.unknown() || call.returnNanos() <= nanos ? call : call.forgotten())
                .toList();
    }

    private List<Call> withoutEach(List<Call> calls) {
        List<Call> left = new ArrayList<>(calls);
        List<Call> lastFirst = calls.stream()
                .sorted(Comparator.comparing(Call::unknown)
                        .thenComparing(call -> !NamespaceModel.observes(call))
                        .thenComparing(
                                Comparator.comparingLong(Call::invokeNanos).reversed()))
                .toList();
        for (Call call : lastFirst) {
            if (call.unknown()) {
                continue;
            }
            List<Call> fewer = new ArrayList<>(left);
            int at = fewer.indexOf(call);
            if (NamespaceModel.observes(call)) {
                fewer.remove(at);
            } else {
                fewer.set(at, call.forgotten());
            }
            if (impossible(fewer)) {
                left = fewer;
            }
        }
        return left;
    }

    private boolean impossible(List<Call> calls) {
        if (checksLeft == 0) {
            return false;
        }
        checksLeft--;
        return new Linearizability(calls, bound).check() instanceof Verdict.Impossible;
    }
}
