package io.ecfs.console.torture.check;

import io.ecfs.console.torture.history.Call;
import java.util.List;

/** Paths that calls name. */
public final class NamedPaths {
    private NamedPaths() {}

    /** In order, each once. */
    public static List<String> of(List<Call> history) {
        return history.stream()
                .flatMap(call -> NamespaceModel.operands(call.operation()).stream())
                .distinct()
                .sorted()
                .toList();
    }
}
