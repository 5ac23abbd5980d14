package io.ecfs.namenode.namespace;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.namenode.namespace.inode.Directories;
import io.ecfs.namenode.namespace.inode.Inherited;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.namespace.path.Permissions;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * One page of a search by name: walks a tree from the top down, each directory in name order, and examines a bounded
 * number of names. The next page begins behind the last name that was examined, by its path: names that appear or
 * vanish between the pages shift nothing, and a directory that is renamed meanwhile may be missed or found twice.
 *
 * <pre>
 *   after = /top/b/x:   stack  /top behind "b"  |  /top/b behind "x"  |  /top/b/x from its first name
 * </pre>
 *
 * For one page and one thread.
 */
final class NameSearch {
    /** Matches after which a page ends early: bounds the reply. */
    private static final int MOST_FOUND = 1000;
    /** Comparisons after which a page ends early: some tens of milliseconds of a thread that others wait for. */
    private static final long MOST_COMPARISONS = 4_000_000;
    /** Names of a directory that are read at once. */
    private static final int READ_AHEAD = 256;

    private final View view;
    private final Permissions permissions;
    private final NamePattern pattern;
    private final int limit;
    private final List<FileStatus> found = new ArrayList<>();
    private final Deque<Place> places = new ArrayDeque<>();
    private int examined;
    private int denied;

    NameSearch(View view, Permissions permissions, NamePattern pattern, int limit) {
        this.view = view;
        this.permissions = permissions;
        this.pattern = pattern;
        this.limit = limit;
    }

    /** A directory, and how far it is examined. */
    private final class Place {
        final Inode directory;
        final FilePath path;
        final Inherited inherited;
        private String after;
        private Iterator<Directories.Entry> ahead = Collections.emptyIterator();

        Place(Inode directory, FilePath path, Inherited inherited, String after) {
            this.directory = directory;
            this.path = path;
            this.inherited = inherited;
            this.after = after;
        }

        Optional<Directories.Entry> next() {
            if (!ahead.hasNext()) {
                ahead = Directories.page(view, directory.id(), after, READ_AHEAD)
                        .iterator();
            }
            if (!ahead.hasNext()) {
                return Optional.empty();
            }
            Directories.Entry entry = ahead.next();
            after = entry.name();
            return Optional.of(entry);
        }
    }

    /**
     * @param inherited what holds in the top
     * @param after the {@code next} of the page before
     * @throws EcfsException {@code ACCESS_DENIED} when the caller may not list the top
     */
    NamespaceReply.Found page(Inode top, FilePath path, Inherited inherited, Optional<FilePath> after)
            throws EcfsException {
        if (!top.isDirectory()) {
            return file(top, path, inherited);
        }
        permissions.check(top, Permissions.Access.READ_EXECUTE, path);
        if (!roomBelow(path)) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT, "paths below " + path + " may be too long: search below a shorter one");
        }
        open(new Place(top, path, inherited, ""), after);
        FilePath last = after.orElse(path);
        while (!places.isEmpty()) {
            Place place = places.peek();
            Optional<Directories.Entry> entry = place.next();
            if (entry.isEmpty()) {
                places.pop();
            } else if (examined == limit || found.size() == MOST_FOUND || pattern.comparisons() > MOST_COMPARISONS) {
                return new NamespaceReply.Found(found, Optional.of(last), examined, denied);
            } else {
                last = examine(place, entry.get());
            }
        }
        return new NamespaceReply.Found(found, Optional.empty(), examined, denied);
    }

    private NamespaceReply.Found file(Inode file, FilePath path, Inherited inherited) {
        if (pattern.matches(path.name())) {
            found.add(NamespaceView.status(file, path, inherited));
        }
        return new NamespaceReply.Found(found, Optional.empty(), 1, 0);
    }

    /** Pushes the directories that lead to where the page before ended, the innermost on top. */
    private void open(Place top, Optional<FilePath> after) {
        Place at = top;
        int depth = top.path.names().size();
        List<String> names = after.map(FilePath::names).orElse(List.of());
        for (String name : names.subList(Math.min(depth, names.size()), names.size())) {
            places.push(new Place(at.directory, at.path, at.inherited, name));
            FilePath path = at.path.child(name);
            Optional<Inode> child =
                    Directories.find(view, at.directory.id(), name).map(id -> Inodes.get(view, id));
            if (child.isEmpty() || !descends(child.get(), path)) {
                return;
            }
            at = new Place(child.get(), path, at.inherited.in(child.get()), "");
        }
        places.push(at);
    }

    private FilePath examine(Place place, Directories.Entry entry) {
        examined++;
        FilePath path = place.path.child(entry.name());
        Inode inode = Inodes.get(view, entry.inode());
        Inherited inherited = place.inherited.in(inode);
        if (pattern.matches(entry.name())) {
            found.add(NamespaceView.status(inode, path, inherited));
        }
        if (descends(inode, path)) {
            places.push(new Place(inode, path, inherited, ""));
        } else if (inode.isDirectory()) {
            denied++;
        }
        return path;
    }

    private boolean descends(Inode inode, FilePath path) {
        return inode.isDirectory() && roomBelow(path) && listable(inode, path);
    }

    private boolean listable(Inode directory, FilePath path) {
        try {
            permissions.check(directory, Permissions.Access.READ_EXECUTE, path);
            return true;
        } catch (EcfsException e) {
            return false;
        }
    }

    /** Returns whether every name below a directory has a path that is as short as paths must be. */
    private static boolean roomBelow(FilePath directory) {
        return directory.text().getBytes(StandardCharsets.UTF_8).length + 1 + FilePath.MAX_NAME_BYTES
                        <= FilePath.MAX_BYTES
                && directory.names().size() < FilePath.MAX_DEPTH;
    }
}
