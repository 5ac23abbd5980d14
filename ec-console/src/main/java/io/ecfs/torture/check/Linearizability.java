package io.ecfs.torture.check;

import io.ecfs.torture.history.Call;
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
 *   <li>Right behind a call of unknown outcome comes one that does not commute with it ({@link Commuting}): such a call
 *   has no end, so it can
 *       be placed behind every other one that commutes.
 *   <li>A configuration is not visited when one with the same known calls and the same state used fewer calls of
 *   unknown outcome
 *       ({@link Visited}).
 * </ul>
 */
final class Linearizability {
    private final List<Call> known;
    private final List<Call> unknown;
    private final int calls;
    private final NamespaceModel model;
    private final long bound;
    private final Visited visited = new Visited();
    private int longest = -1;
    private List<Call> stuck = List.of();

    /**
     * A node of the search: executed calls, and the state after them.
     *
     * @param open the call of unknown outcome that was executed last, when the next one must not commute with it
     * @param before the state before that call
     */
    private record Configuration(BitSet known, BitSet unknown, Namespace state, int open, Namespace before) {}

    /** @param bound most configurations that are visited */
    Linearizability(List<Call> calls, long bound) {
        List<Call> sorted = calls.stream()
                .sorted(Comparator.comparingLong(Call::invokeNanos))
                .toList();
        this.known = sorted.stream().filter(call -> !call.unknown()).toList();
        this.unknown = sorted.stream().filter(Call::unknown).toList();
        this.calls = sorted.size();
        Set<String> paths = new TreeSet<>();
        calls.forEach(call -> paths.addAll(call.operation().paths()));
        this.model = new NamespaceModel(paths);
        this.bound = bound;
    }

    Verdict check() {
        Deque<Deque<Configuration>> path = new ArrayDeque<>();
        Namespace empty = Namespace.empty();
        path.push(new ArrayDeque<>(
                List.of(new Configuration(new BitSet(known.size()), new BitSet(), empty, Visited.NONE, empty))));
        while (!path.isEmpty()) {
            Configuration next = path.peek().poll();
            if (next == null) {
                path.pop();
                continue;
            }
            Configuration at = withObservations(next);
            if (at.known().cardinality() == known.size()) {
                return new Verdict.Linearizable();
            }
            if (!visited.add(at.known(), at.unknown(), at.state(), at.open())) {
                continue;
            }
            if (visited.size() > bound) {
                return new Verdict.Undecided(calls, visited.size());
            }
            path.push(branches(at));
        }
        List<Call> all = new ArrayList<>(known);
        all.addAll(unknown);
        all.sort(Comparator.comparingLong(Call::invokeNanos));
        return new Verdict.Impossible(all, stuck);
    }

    /**
     * Does what observes no more than is known. None of it commutes with an open call, before which it would have come.
     */
    private Configuration withObservations(Configuration at) {
        BitSet done = at.known();
        boolean changed = false;
        for (boolean any = true; any; changed |= any) {
            any = false;
            for (int call : possible(done)) {
                if (NamespaceModel.observes(known.get(call))
                        && model.after(at.state(), known.get(call)).equals(Optional.of(at.state()))) {
                    done.set(call);
                    any = true;
                }
            }
        }
        return changed ? new Configuration(done, at.unknown(), at.state(), Visited.NONE, at.state()) : at;
    }

    /** Known calls that began before every other one that is not done has returned. */
    private List<Integer> possible(BitSet done) {
        List<Integer> possible = new ArrayList<>();
        long firstReturn = firstReturn(done);
        for (int call = done.nextClearBit(0); call < known.size(); call = done.nextClearBit(call + 1)) {
            if (known.get(call).invokeNanos() > firstReturn) {
                break;
            }
            possible.add(call);
        }
        return possible;
    }

    private long firstReturn(BitSet done) {
        long first = Call.NEVER;
        for (int call = done.nextClearBit(0); call < known.size(); call = done.nextClearBit(call + 1)) {
            if (known.get(call).invokeNanos() > first) {
                break;
            }
            first = Math.min(first, known.get(call).returnNanos());
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
                .sorted(Comparator.comparingLong(call -> known.get(call).returnNanos()))
                .forEach(call -> model.after(at.state(), known.get(call)).ifPresent(after -> {
                    BitSet done = with(at.known(), call);
                    branches.add(new Configuration(done, at.unknown(), after, Visited.NONE, after));
                }));
        long before = firstReturn(at.known());
        for (int call = at.unknown().nextClearBit(0);
                call < unknown.size() && unknown.get(call).invokeNanos() <= before;
                call = at.unknown().nextClearBit(call + 1)) {
            int open = call;
            if (mayFollow(at, unknown.get(call))) {
                model.after(at.state(), unknown.get(call))
                        .filter(after -> !after.equals(at.state()))
                        .ifPresent(after -> branches.add(new Configuration(
                                (BitSet) at.known().clone(), with(at.unknown(), open), after, open, at.state())));
            }
        }
        return branches;
    }

    private boolean mayFollow(Configuration at, Call next) {
        return at.open() == Visited.NONE || !Commuting.surely(unknown.get(at.open()), at.before(), at.state(), next);
    }

    private static BitSet with(BitSet done, int call) {
        BitSet with = (BitSet) done.clone();
        with.set(call);
        return with;
    }

    private void noteLongest(BitSet done, List<Integer> possible) {
        if (done.cardinality() > longest) {
            longest = done.cardinality();
            stuck = possible.stream().map(known::get).toList();
        }
    }
}
