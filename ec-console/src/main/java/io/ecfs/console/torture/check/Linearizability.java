package io.ecfs.console.torture.check;

import io.ecfs.console.torture.history.Call;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Looks for an order of calls that explains every answer and in which no call comes before one that had returned when it began: Wing and
 * Gong's search ("Testing and Verifying Concurrent Objects", 1993), which does not visit a configuration (calls done, state) twice (Lowe,
 * "Testing for linearizability", 2017).
 *
 * <p>Two shortcuts, both exact. What only observes, fits the state and leaves it as it is comes at once: to place it later gains nothing. A
 * call of unknown outcome is only tried with its effect, since without it it need not be in the order at all.
 */
final class Linearizability {
    private final List<Call> calls;
    private final NamespaceModel model;
    private final long bound;
    private final Set<Configuration> visited = new HashSet<>();
    private int longest = -1;
    private List<Call> stuck = List.of();

    private record Configuration(BitSet done, Namespace state) {}

    /** @param bound most configurations that are visited */
    Linearizability(List<Call> calls, long bound) {
        this.calls = calls.stream()
                .sorted(Comparator.comparingLong(Call::invokeNanos))
                .toList();
        Set<String> paths = new TreeSet<>();
        calls.forEach(call -> paths.addAll(NamespaceModel.operands(call.operation())));
        this.model = new NamespaceModel(paths);
        this.bound = bound;
    }

    Verdict check() {
        Deque<Deque<Configuration>> path = new ArrayDeque<>();
        path.push(new ArrayDeque<>(List.of(new Configuration(new BitSet(calls.size()), Namespace.empty()))));
        while (!path.isEmpty()) {
            Configuration at = path.peek().poll();
            if (at == null) {
                path.pop();
                continue;
            }
            if (!visited.add(at)) {
                continue;
            }
            if (visited.size() > bound) {
                return new Verdict.Undecided(calls.size(), visited.size());
            }
            BitSet done = (BitSet) at.done().clone();
            List<Integer> possible = withoutObservations(done, at.state());
            if (possible.stream().allMatch(call -> calls.get(call).unknown())) {
                return new Verdict.Linearizable();
            }
            noteLongest(done, possible);
            path.push(branches(done, at.state(), possible));
        }
        return new Verdict.Impossible(calls, stuck);
    }

    /** Does what observes no more than is known, and returns what may come next. */
    private List<Integer> withoutObservations(BitSet done, Namespace state) {
        while (true) {
            List<Integer> possible = possible(done);
            boolean any = false;
            for (int call : possible) {
                if (!calls.get(call).unknown()
                        && NamespaceModel.observes(calls.get(call))
                        && model.after(state, calls.get(call)).equals(Optional.of(state))) {
                    done.set(call);
                    any = true;
                }
            }
            if (!any) {
                return possible;
            }
        }
    }

    /** Calls that began before every other one that is not done has returned. */
    private List<Integer> possible(BitSet done) {
        List<Integer> possible = new ArrayList<>();
        long firstReturn = Call.NEVER;
        for (int call = done.nextClearBit(0); call < calls.size(); call = done.nextClearBit(call + 1)) {
            if (calls.get(call).invokeNanos() > firstReturn) {
                break;
            }
            possible.add(call);
            firstReturn = Math.min(firstReturn, calls.get(call).returnNanos());
        }
        long before = firstReturn;
        possible.removeIf(call -> calls.get(call).invokeNanos() > before);
        return possible;
    }

    private Deque<Configuration> branches(BitSet done, Namespace state, List<Integer> possible) {
        Deque<Configuration> branches = new ArrayDeque<>();
        possible.stream()
                .sorted(Comparator.comparingLong(call -> calls.get(call).returnNanos()))
                .forEach(call -> model.after(state, calls.get(call))
                        .filter(after -> !calls.get(call).unknown() || !after.equals(state))
                        .ifPresent(after -> {
                            BitSet next = (BitSet) done.clone();
                            next.set(call);
                            branches.add(new Configuration(next, after));
                        }));
        return branches;
    }

    private void noteLongest(BitSet done, List<Integer> possible) {
        int certain =
                (int) done.stream().filter(call -> !calls.get(call).unknown()).count();
        if (certain > longest) {
            longest = certain;
            stuck = possible.stream()
                    .map(calls::get)
                    .filter(call -> !call.unknown())
                    .toList();
        }
    }
}
