package io.ecfs.namenode.state;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The rules of names over plain path strings: slow, and too simple to be wrong. A directory has length -1. */
public final class NaiveNamespace {
    public static final long DIRECTORY = -1;
    public final NavigableMap<String, Long> paths = new TreeMap<>();

    public NaiveNamespace() {
        paths.put("/", DIRECTORY);
    }

    public boolean mkdirs(String path) {
        if (isFile(path) || throughFile(path)) {
            return false;
        }
        for (String at = path; !at.equals("/"); at = parent(at)) {
            paths.put(at, DIRECTORY);
        }
        return true;
    }

    public boolean write(String path, long length, boolean overwrite) {
        if (isDirectory(path) || throughFile(path) || (paths.containsKey(path) && !overwrite)) {
            return false;
        }
        mkdirs(parent(path));
        paths.put(path, length);
        return true;
    }

    public boolean delete(String path) {
        if (!paths.containsKey(path) || path.equals("/")) {
            return false;
        }
        below(path).forEach(paths::remove);
        return true;
    }

    public boolean rename(String from, String to, boolean overwrite) {
        boolean possible = paths.containsKey(from)
                && !from.equals("/")
                && !to.equals("/")
                && !to.equals(from)
                && !to.startsWith(from + "/")
                && isDirectory(parent(to));
        if (!possible || (paths.containsKey(to) && !(overwrite && replaceable(from, to)))) {
            return false;
        }
        paths.remove(to);
        for (String path : below(from)) {
            paths.put(
                    to + path.substring(from.length()),
                    Optional.ofNullable(paths.remove(path)).orElseThrow());
        }
        return true;
    }

    private boolean replaceable(String from, String to) {
        return isFile(from) ? isFile(to) : isDirectory(to) && below(to).size() == 1;
    }

    private boolean isFile(String path) {
        return paths.getOrDefault(path, DIRECTORY) != DIRECTORY;
    }

    private boolean isDirectory(String path) {
        return paths.containsKey(path) && !isFile(path);
    }

    private boolean throughFile(String path) {
        for (String at = parent(path); !at.equals("/"); at = parent(at)) {
            if (isFile(at)) {
                return true;
            }
        }
        return false;
    }

    private List<String> below(String path) {
        return new ArrayList<>(paths.keySet().stream()
                .filter(p -> p.equals(path) || p.startsWith(path + "/"))
                .toList());
    }

    private static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash == 0 ? "/" : path.substring(0, slash);
    }
}
