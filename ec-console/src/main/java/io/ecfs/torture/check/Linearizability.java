package io.ecfs.torture.check;

import io.ecfs.torture.history.Answer;
import io.ecfs.torture.history.Call;
import io.ecfs.torture.history.Operation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Searches for an order of calls that explains every answer and in which no call comes before one that had returned
 * when it began: Wing and Gong's search ("Testing and Verifying Concurrent Objects", 1993), which does not visit a
 * configuration (calls done, state) twice (Lowe, "Testing for linearizability", 2017).
 *
 * <p>Four shortcuts, all exact:
 *
 * <ul>
 *   <li>What only observes, fits the state and leaves it as it is comes at once: to place it later gains nothing.
 *   <li>A call of unknown outcome is only tried with its effect, since without it it need not be in the order at all.
 *   <li>Of calls of unknown outcome and the known one behind them, each is followed by one that does not commute with
 *       it ({@link Commuting}): such a call has no end, so it could be placed behind the known one otherwise. Two in a
 *       row that commute come in the order of their numbers.
 *   <li>A configuration is not visited when one with the same known calls and the same state used fewer calls of
 *   unknown outcome
 *       ({@link Visited}).
 * </ul>
 */
final class Linearizability {
    private final List<Step> known;
    private final List<Call> unknown;
    private final List<Call> all;
    private final NamespaceModel model;
    private final long bound;
    private final Visited visited = new Visited();
    private int longest = -1;
    private List<Call> stuck = List.of();

    /**
     * A known call, or one of the two moments of a recovery that answers that the file is closed: the path names the
     * file when it begins and may name another one when it ends.
     *
     * @param begin of the end of a recovery: the number of its begin; {@link #WHOLE} otherwise
     */
    private record Step(Call call, int begin) {
        static final int WHOLE = -1;
    }

    /**
     * A node of the search: executed calls, and the state after them.
     *
     * @param open calls of unknown outcome since the last known one that nothing has followed yet that does not commute
     *     with them
     * @param last the number of the call of unknown outcome that was executed last, unless a known one came behind it
     */
    private record Configuration(BitSet known, BitSet unknown, Namespace state, List<Open> open, int last) {}

    /** @param paths that the call may have changed */
    record Open(int call, List<String> paths) {}

    /** No call of unknown outcome is the last. */
    static final int NONE = -1;

    /** @param bound most configurations that are visited */
    Linearizability(List<Call> calls, long bound) {
        this.all = calls.stream()
                .sorted(Comparator.comparingLong(Call::invokeNanos))
                .toList();
        this.known = steps(all);
        this.unknown = all.stream().filter(Call::unknown).toList();
        Set<String> paths = new TreeSet<>();
        calls.forEach(call -> paths.addAll(call.operation().paths()));
        this.model = new NamespaceModel(paths);
        this.bound = bound;
    }

    private static List<Step> steps(List<Call> calls) {
        List<Step> steps = new ArrayList<>();
        for (Call call : calls) {
            if (!call.unknown()) {
                steps.add(new Step(call, Step.WHOLE));
                if (closes(call)) {
                    steps.add(new Step(call, steps.size() - 1));
                }
            }
        }
        return List.copyOf(steps);
    }

    private static boolean closes(Call call) {
        return call.answer() instanceof Answer.Recovered recovered && recovered.closed();
    }

    Verdict check() {
        Deque<Deque<Configuration>> path = new ArrayDeque<>();
        Namespace empty = Namespace.empty();
        path.push(new ArrayDeque<>(
                List.of(new Configuration(new BitSet(known.size()), new BitSet(), empty, List.of(), NONE))));
        while (!path.isEmpty()) {
            Configuration next = path.peek().poll();
            if (next == null) {
                path.pop();
                continue;
            }
            Optional<Configuration> observed = withObservations(next);
            if (observed.isEmpty()) {
                continue;
            }
            Configuration at = observed.get();
            if (at.known().cardinality() == known.size()) {
                return new Verdict.Linearizable();
            }
            if (!visited.add(at.known(), at.unknown(), at.state(), at.open(), at.last())) {
                continue;
            }
            if (visited.size() > bound) {
                return new Verdict.Undecided(all.size(), visited.size());
            }
            path.push(branches(at));
        }
        return new Verdict.Impossible(all, stuck);
    }

    /**
     * Does what observes no more than is known; empty when a call of unknown outcome could come behind the first of
     * it: another branch has that order.
     */
    private Optional<Configuration> withObservations(Configuration at) {
        BitSet done = at.known();
        boolean changed = false;
        for (boolean any = true; any; changed |= any) {
            any = false;
            for (int call : possible(done)) {
                Step step = known.get(call);
                if (NamespaceModel.observes(step.call()) && after(at.state(), call).equals(Optional.of(at.state()))) {
                    if (!changed && !any && !mayFollow(at, step)) {
                        return Optional.empty();
                    }
                    done.set(call);
                    any = true;
                }
            }
        }
        return Optional.of(changed ? new Configuration(done, at.unknown(), at.state(), List.of(), NONE) : at);
    }

    private Optional<Namespace> after(Namespace state, int number) {
        Step step = known.get(number);
        if (step.begin() != Step.WHOLE) {
            return Optional.of(state.recovered(step.begin()));
        }
        return closes(step.call())
                ? NamespaceModel.recoveryBegins(state, step.call().operation(), number)
                : model.after(state, step.call());
    }

    /** Known calls that began before every other one that is not done has returned. */
    private List<Integer> possible(BitSet done) {
        List<Integer> possible = new ArrayList<>();
        long firstReturn = firstReturn(done);
        for (int call = done.nextClearBit(0); call < known.size(); call = done.nextClearBit(call + 1)) {
            Step step = known.get(call);
            if (step.call().invokeNanos() > firstReturn) {
                break;
            }
            if (step.begin() == Step.WHOLE || done.get(step.begin())) {
                possible.add(call);
            }
        }
        return possible;
    }

    private long firstReturn(BitSet done) {
        long first = Call.NEVER;
        for (int call = done.nextClearBit(0); call < known.size(); call = done.nextClearBit(call + 1)) {
            if (known.get(call).call().invokeNanos() > first) {
                break;
            }
            first = Math.min(first, known.get(call).call().returnNanos());
        }
        return first;
    }

    /** Candidates for the next call: known ones in the order of their returns, then those of unknown outcome. */
    private Deque<Configuration> branches(Configuration at) {
        Deque<Configuration> branches = new ArrayDeque<>();
        List<Integer> possible = possible(at.known());
        noteLongest(at.known(), possible);
        possible.stream()
                .filter(call -> mayFollow(at, known.get(call)))
                .sorted(Comparator.comparingLong(call -> known.get(call).call().returnNanos()))
                .forEach(call -> after(at.state(), call).ifPresent(after -> {
                    BitSet done = with(at.known(), call);
                    branches.add(new Configuration(done, at.unknown(), after, List.of(), NONE));
                }));
        long before = firstReturn(at.known());
        for (int call = at.unknown().nextClearBit(0);
                call < unknown.size() && unknown.get(call).invokeNanos() <= before;
                call = at.unknown().nextClearBit(call + 1)) {
            int number = call;
            model.after(at.state(), unknown.get(call))
                    .filter(after -> !after.equals(at.state()))
                    .flatMap(after -> behind(at, number, after))
                    .ifPresent(branches::add);
        }
        return branches;
    }

    /** After one more call of unknown outcome; empty when it would have to come before the last one. */
    private Optional<Configuration> behind(Configuration at, int number, Namespace after) {
        Operation operation = unknown.get(number).operation();
        List<Open> open = new ArrayList<>();
        for (Open other : at.open()) {
            if (Commuting.surely(other.paths(), operation, at.state())) {
                if (other.call() == at.last() && number < at.last()) {
                    return Optional.empty();
                }
                open.add(other);
            }
        }
        open.add(new Open(number, Commuting.paths(operation, at.state(), after)));
        return Optional.of(new Configuration(
                (BitSet) at.known().clone(), with(at.unknown(), number), after, List.copyOf(open), number));
    }

    private static boolean mayFollow(Configuration at, Step next) {
        return at.open().stream()
                .noneMatch(open -> next.begin() == Step.WHOLE
                        && Commuting.surely(open.paths(), next.call().operation(), at.state()));
    }

    private static BitSet with(BitSet done, int call) {
        BitSet with = (BitSet) done.clone();
        with.set(call);
        return with;
    }

    private void noteLongest(BitSet done, List<Integer> possible) {
        if (done.cardinality() > longest) {
            longest = done.cardinality();
            stuck = possible.stream().map(call -> known.get(call).call()).distinct().toList();
        }
    }
}
