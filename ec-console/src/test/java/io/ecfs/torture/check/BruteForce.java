package io.ecfs.torture.check;

import io.ecfs.torture.history.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Tries every order of every subset that must be in it: the definition, written down. For a few calls. */
final class BruteForce {
    private final NamespaceModel model;

    private BruteForce(Set<String> paths) {
        this.model = new NamespaceModel(paths);
    }

    static boolean linearizable(List<Call> calls) {
        Set<String> paths = new TreeSet<>();
        calls.forEach(call -> paths.addAll(call.operation().paths()));
        return new BruteForce(paths).possible(calls, Namespace.empty());
    }

    private boolean possible(List<Call> left, Namespace state) {
        if (left.stream().allMatch(Call::unknown)) {
            return true;
        }
        for (Call next : left) {
            boolean mayBeNext = left.stream().allMatch(other -> next.invokeNanos() <= other.returnNanos());
            Optional<Namespace> after = mayBeNext ? model.after(state, next) : Optional.empty();
            List<Call> others = new ArrayList<>(left);
            others.remove(next);
            if (after.isPresent() && possible(others, after.get())) {
                return true;
            }
        }
        return false;
    }
}
