package io.ecfs.torture.check;

import io.ecfs.torture.history.Answer;
import io.ecfs.torture.history.Call;
import io.ecfs.torture.history.Operation;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Paths that calls name, and those that a rename of a directory may have given to what lies in it. */
public final class NamedPaths {
    /** Directories renamed into each other would give names without end. */
    private static final int DEEPEST = 5;

    private NamedPaths() {}

    /** In order, each once. */
    public static List<String> of(List<Call> history) {
        Set<String> paths = new TreeSet<>();
        history.stream().sorted(Comparator.comparingLong(Call::invokeNanos)).forEach(call -> {
            paths.addAll(call.operation().paths());
            if (call.operation() instanceof Operation.Rename rename && !(call.answer() instanceof Answer.Refused)) {
                paths.addAll(moved(paths, rename));
            }
        });
        return List.copyOf(paths);
    }

    private static List<String> moved(Set<String> paths, Operation.Rename rename) {
        return paths.stream()
                .filter(path -> path.startsWith(rename.from() + "/"))
                .map(path -> rename.to() + path.substring(rename.from().length()))
                .filter(path -> path.chars().filter(letter -> letter == '/').count() <= DEEPEST)
                .toList();
    }
}
