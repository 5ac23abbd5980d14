package io.ecfs.torture.check;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * State of a partition's paths: an immutable value, compared by content.
 *
 * @param nodes by path; absent paths have none
 */
record Namespace(SortedMap<String, Node> nodes) {
    sealed interface Node {
        record Directory() implements Node {}

        record File(FileContent content) implements Node {}
    }

    static final Node DIRECTORY = new Node.Directory();

    Namespace {
        nodes = Collections.unmodifiableSortedMap(nodes);
    }

    static Namespace empty() {
        return new Namespace(new TreeMap<>());
    }

    static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    Optional<Node> at(String path) {
        return Optional.ofNullable(nodes.get(path));
    }

    boolean absent(String path) {
        return !nodes.containsKey(path);
    }

    boolean directory(String path) {
        return nodes.get(path) instanceof Node.Directory;
    }

    Optional<FileContent> file(String path) {
        return nodes.get(path) instanceof Node.File file ? Optional.of(file.content()) : Optional.empty();
    }

    boolean isFile(String path) {
        return nodes.get(path) instanceof Node.File;
    }

    /** True when the path has children. */
    boolean hasChildren(String path) {
        SortedMap<String, Node> behind = nodes.tailMap(path + "/");
        return !behind.isEmpty() && behind.firstKey().startsWith(path + "/");
    }

    /** Path of the file that has bytes of this tag, or is open for it; a tag is in one file at most. */
    Optional<String> pathOf(long tag) {
        return nodes.entrySet().stream()
                .filter(entry -> entry.getValue() instanceof Node.File file
                        && file.content().has(tag))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    Namespace with(String path, Node node) {
        return changed(after -> after.put(path, node));
    }

    Namespace with(String path, FileContent content) {
        return with(path, new Node.File(content));
    }

    /** Without the path and all below it. */
    Namespace without(String path) {
        return changed(after -> after.keySet().removeIf(name -> within(name, path)));
    }

    /** With the path and all below it under another name, in place of what had that. */
    Namespace moved(String from, String to) {
        return changed(after -> {
            after.remove(to);
            nodes.forEach((name, node) -> {
                if (within(name, from)) {
                    after.remove(name);
                    after.put(to + name.substring(from.length()), node);
                }
            });
        });
    }

    /** With every file as it is after several machines lost power. */
    Namespace withoutPower() {
        return changed(after -> after.replaceAll((name, node) ->
                node instanceof Node.File file ? new Node.File(file.content().withoutPower()) : node));
    }

    /** With the file of a recovery closed, unless it was meanwhile or is not there any more. */
    Namespace recovered(int recovery) {
        return changed(after -> after.replaceAll((name, node) ->
                node instanceof Node.File file && file.content().recoveries().contains(recovery)
                        ? new Node.File(file.content().closed())
                        : node));
    }

    private static boolean within(String name, String path) {
        return name.equals(path) || name.startsWith(path + "/");
    }

    private Namespace changed(Consumer<SortedMap<String, Node>> change) {
        SortedMap<String, Node> after = new TreeMap<>(nodes);
        change.accept(after);
        return new Namespace(after);
    }
}
