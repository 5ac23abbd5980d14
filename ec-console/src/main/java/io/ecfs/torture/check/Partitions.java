package io.ecfs.torture.check;

import io.ecfs.torture.history.Answer;
import io.ecfs.torture.history.Call;
import io.ecfs.torture.history.Operation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Calls in parts that can be checked apart from each other (Herlihy and Wing's locality): paths are in one part when a
 * rename or concat names both, or when one is in the other and both are named. The calls of a writer belong to the path
 * that it opened.
 */
final class Partitions {
    private final Map<String, String> above = new HashMap<>();
    private final Map<Long, String> opened = new HashMap<>();

    private Partitions() {}

    /** Parts in the order of their paths; calls that say nothing are left out. */
    static Collection<List<Call>> of(List<Call> calls) {
        return new Partitions().part(calls.stream().filter(Partitions::says).toList());
    }

    /** An unknown outcome of what has no effect in the model says nothing. */
    private static boolean says(Call call) {
        Operation operation = call.operation();
        boolean writers = operation instanceof Operation.Flush || operation instanceof Operation.Close;
        if (call.answer() instanceof Answer.Refused) {
            return !writers;
        }
        return !call.unknown()
                || !(operation instanceof Operation.Flush
                        || operation instanceof Operation.Recover
                        || operation instanceof Operation.Status
                        || operation instanceof Operation.Read);
    }

    private Collection<List<Call>> part(List<Call> all) {
        List<Call> calls = all.stream().filter(call -> !ofAll(call)).toList();
        for (Call call : calls) {
            List<String> operands = call.operation().paths();
            operands.forEach(path -> join(operands.get(0), path));
            if (call.operation() instanceof Operation.Create create) {
                opened.put(create.tag(), create.path());
            }
            if (call.operation() instanceof Operation.Append append) {
                opened.put(append.tag(), append.path());
            }
        }
        for (String path : List.copyOf(above.keySet())) {
            String parent = Namespace.parent(path);
            if (above.containsKey(parent)) {
                join(parent, path);
            }
        }
        Map<String, List<Call>> parts = new TreeMap<>();
        for (Call call : calls) {
            parts.computeIfAbsent(root(path(call)), root -> new ArrayList<>()).add(call);
        }
        parts.values().forEach(part -> all.stream().filter(Partitions::ofAll).forEach(part::add));
        return parts.values();
    }

    /** A loss of power is of every part. */
    private static boolean ofAll(Call call) {
        return call.operation() instanceof Operation.PowerLoss;
    }

    private String path(Call call) {
        OptionalLong tag = NamespaceModel.writer(call.operation());
        return tag.isPresent()
                ? opened.get(tag.getAsLong())
                : call.operation().paths().get(0);
    }

    private String root(String path) {
        String at = path;
        for (String next = above.get(at); !next.equals(at); next = above.get(at)) {
            at = next;
        }
        above.put(path, at);
        return at;
    }

    private void join(String one, String other) {
        above.putIfAbsent(one, one);
        above.putIfAbsent(other, other);
        above.put(root(other), root(one));
    }
}
