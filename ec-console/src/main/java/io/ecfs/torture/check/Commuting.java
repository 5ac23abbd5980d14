package io.ecfs.torture.check;

import io.ecfs.torture.history.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Calls that do the same in either order, since none of the one's paths is the other's, above or below it. */
final class Commuting {
    private Commuting() {}

    /**
     * True when a call certainly has the same effect before a call of these paths.
     *
     * @param first paths of that call
     * @param between the state before the second call
     */
    static boolean surely(List<String> first, Operation second, Namespace between) {
        OptionalLong tag = NamespaceModel.writer(second);
        boolean nowhere = tag.isPresent() && between.pathOf(tag.getAsLong()).isEmpty(); // the first may have deleted it
        if (nowhere) {
            return false;
        }
        List<String> others = paths(second, between, between);
        return first.stream().noneMatch(path -> others.stream().anyMatch(other -> related(path, other)));
    }

    /**
     * Those that it names, or where the file of its writer lies in one of the states; of a loss of power the one that
     * all are under.
     */
    static List<String> paths(Operation operation, Namespace one, Namespace other) {
        if (operation instanceof Operation.PowerLoss) {
            return List.of("");
        }
        List<String> paths = new ArrayList<>(operation.paths());
        OptionalLong tag = NamespaceModel.writer(operation);
        if (tag.isPresent()) {
            Stream.of(one, other)
                    .flatMap(state -> state.pathOf(tag.getAsLong()).stream())
                    .distinct()
                    .forEach(paths::add);
        }
        return paths;
    }

    private static boolean related(String path, String other) {
        return path.equals(other) || path.startsWith(other + "/") || other.startsWith(path + "/");
    }
}
