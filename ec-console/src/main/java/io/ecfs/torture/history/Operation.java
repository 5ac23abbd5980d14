package io.ecfs.torture.history;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A call of a client. Paths are absolute, in text. A file that is open for writing is named by the tag of its create or
 * append, since its path may change meanwhile.
 */
public sealed interface Operation {
    /** The call's name in a history. */
    default String call() {
        return NAMES.get(getClass());
    }

    /** The paths that the call names; empty for calls of a writer, whose file has a tag, and for a loss of power. */
    List<String> paths();

    /** The path that the call makes when it succeeds; its parent must exist. */
    default Optional<String> made() {
        return Optional.empty();
    }

    /** The paths that must exist for the call to succeed. */
    default List<String> required() {
        return paths();
    }

    /** Names in a history, by type; a name is never given to another call. */
    Map<Class<? extends Operation>, String> NAMES = Map.ofEntries(
            Map.entry(Create.class, "create"),
            Map.entry(Append.class, "append"),
            Map.entry(Flush.class, "flush"),
            Map.entry(Close.class, "close"),
            Map.entry(Rename.class, "rename"),
            Map.entry(Delete.class, "delete"),
            Map.entry(Mkdirs.class, "mkdirs"),
            Map.entry(Truncate.class, "truncate"),
            Map.entry(Concat.class, "concat"),
            Map.entry(Recover.class, "recover"),
            Map.entry(PowerLoss.class, "powerloss"),
            Map.entry(Status.class, "status"),
            Map.entry(Read.class, "read"));

    /** The types by their names. */
    static Map<String, Class<? extends Operation>> types() {
        Map<String, Class<? extends Operation>> types = new TreeMap<>();
        NAMES.forEach((type, name) -> types.put(name, type));
        return types;
    }

    /**
     * Makes a file and opens it for writing; parents must exist.
     *
     * @param most bytes that its writer may write, at most
     */
    record Create(String path, long tag, boolean overwrite, long most) implements Operation {
        @Override
        public List<String> paths() {
            return List.of(path);
        }

        @Override
        public Optional<String> made() {
            return Optional.of(path);
        }

        @Override
        public List<String> required() {
            return List.of();
        }
    }

    /** Opens a closed file for writing behind its end. */
    record Append(String path, long tag, long most) implements Operation {
        @Override
        public List<String> paths() {
            return List.of(path);
        }
    }

    /** The writer's first {@code bytes} bytes are acknowledged, by hflush or with {@code sync} by hsync. */
    record Flush(long tag, long bytes, boolean sync) implements Operation {
        @Override
        public List<String> paths() {
            return List.of();
        }
    }

    /** The writer closes the file after {@code bytes} bytes of its own. */
    record Close(long tag, long bytes, boolean sync) implements Operation {
        @Override
        public List<String> paths() {
            return List.of();
        }
    }

    record Rename(String from, String to, boolean overwrite) implements Operation {
        @Override
        public List<String> paths() {
            return List.of(from, to);
        }

        @Override
        public Optional<String> made() {
            return Optional.of(to);
        }

        @Override
        public List<String> required() {
            return List.of(from);
        }
    }

    record Delete(String path, boolean recursive) implements Operation {
        @Override
        public List<String> paths() {
            return List.of(path);
        }
    }

    /** Makes one directory; its parent must exist. */
    record Mkdirs(String path) implements Operation {
        @Override
        public List<String> paths() {
            return List.of(path);
        }

        @Override
        public Optional<String> made() {
            return Optional.of(path);
        }

        @Override
        public List<String> required() {
            return List.of();
        }
    }

    record Truncate(String path, long length) implements Operation {
        @Override
        public List<String> paths() {
            return List.of(path);
        }
    }

    record Concat(String path, List<String> sources) implements Operation {
        public Concat {
            sources = List.copyOf(sources);
        }

        @Override
        public List<String> paths() {
            return Stream.concat(Stream.of(path), sources.stream()).toList();
        }
    }

    record Recover(String path) implements Operation {
        @Override
        public List<String> paths() {
            return List.of(path);
        }
    }

    /**
     * Not a call: machines of several datanodes lose power at once, so that of every file only what was synced is sure
     * to stay.
     */
    record PowerLoss() implements Operation {
        @Override
        public List<String> paths() {
            return List.of();
        }
    }

    record Status(String path) implements Operation {
        @Override
        public List<String> paths() {
            return List.of(path);
        }
    }

    /** Reads the whole file; {@code how} says by which call of the client. */
    record Read(String path, String how) implements Operation {
        @Override
        public List<String> paths() {
            return List.of(path);
        }
    }
}
