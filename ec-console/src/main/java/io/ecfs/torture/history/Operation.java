package io.ecfs.torture.history;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A call of a client. Paths are absolute, in text. A file that is open for writing is named by the tag of its create or
 * append, since its path may change meanwhile.
 */
public sealed interface Operation {
    /** The call's name in a history. */
    default String call() {
        return NAMES.get(getClass());
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
    record Create(String path, long tag, boolean overwrite, long most) implements Operation {}

    /** Opens a closed file for writing behind its end. */
    record Append(String path, long tag, long most) implements Operation {}

    /** The writer's first {@code bytes} bytes are acknowledged, by hflush or with {@code sync} by hsync. */
    record Flush(long tag, long bytes, boolean sync) implements Operation {}

    /** The writer closes the file after {@code bytes} bytes of its own. */
    record Close(long tag, long bytes, boolean sync) implements Operation {}

    record Rename(String from, String to, boolean overwrite) implements Operation {}

    record Delete(String path, boolean recursive) implements Operation {}

    /** Makes one directory; its parent must exist. */
    record Mkdirs(String path) implements Operation {}

    record Truncate(String path, long length) implements Operation {}

    record Concat(String path, List<String> sources) implements Operation {
        public Concat {
            sources = List.copyOf(sources);
        }
    }

    record Recover(String path) implements Operation {}

    /**
     * Not a call: machines of several datanodes lose power at once, so that of every file only what was synced is sure
     * to stay.
     */
    record PowerLoss() implements Operation {}

    record Status(String path) implements Operation {}

    /** Reads the whole file; {@code how} says by which call of the client. */
    record Read(String path, String how) implements Operation {}
}
