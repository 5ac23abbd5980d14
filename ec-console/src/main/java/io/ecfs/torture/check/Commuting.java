package io.ecfs.torture.check;

import io.ecfs.torture.history.Call;
import io.ecfs.torture.history.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Calls that do the same in either order, since none of the one's paths is the other's, above or below it. */
final class Commuting {
    private Commuting() {}

    /**
     * True when two consecutive calls certainly have the same effect in the other order.
     *
     * @param before the state before the first
     * @param between the state between both
     */
    static boolean surely(Call first, Namespace before, Namespace between, Call second) {
        if (first.operation() instanceof Operation.PowerLoss || second.operation() instanceof Operation.PowerLoss) {
            return false;
        }
        List<String> others = paths(second.operation(), before, between);
        return paths(first.operation(), before, between).stream()
                .noneMatch(path -> others.stream().anyMatch(other -> related(path, other)));
    }

    /** Those that it names, or where the file of its writer lies in one of the states. */
    private static List<String> paths(Operation operation, Namespace one, Namespace other) {
        List<String> paths = new ArrayList<>(operation.paths());
        OptionalLong tag = NamespaceModel.writer(operation);
        if (tag.isPresent()) {
            Stream.of(one, other)
                    .flatMap(state -> state.pathOf(tag.getAsLong()).stream())
                    .forEach(paths::add);
        }
        return paths;
    }

    private static boolean related(String path, String other) {
        return path.equals(other) || path.startsWith(other + "/") || other.startsWith(path + "/");
    }
}
