package io.ecfs.namenode.rewriting;

import io.ecfs.layout.InodeId;
import io.ecfs.namenode.namespace.NamespaceView;
import io.ecfs.namenode.namespace.inode.Inode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * A walk over the files below an inode, page by page, each with the facts of its moment. A file that is moved in
 * between may be met twice or not at all.
 */
final class TreeCursor {
    private final Deque<Place> open = new ArrayDeque<>();
    private Optional<InodeId> single = Optional.empty();

    /** A directory, and the last name that was visited in it. */
    private record Place(InodeId directory, String after) {}

    /** @param directory whether {@code top} is one; else it is the only file */
    TreeCursor(InodeId top, boolean directory) {
        if (directory) {
            open.push(new Place(top, ""));
        } else {
            single = Optional.of(top);
        }
    }

    boolean ended() {
        return open.isEmpty() && single.isEmpty();
    }

    /** The next files, from at most so many names; possibly none although more follow. */
    List<Inode> next(NamespaceView view, int names) {
        List<Inode> files = new ArrayList<>();
        single.flatMap(view::inode).filter(inode -> !inode.isDirectory()).ifPresent(files::add);
        single = Optional.empty();
        int left = names;
        while (left > 0 && !open.isEmpty()) {
            Place place = open.pop();
            List<Inode> page = view.children(place.directory(), place.after(), left);
            left -= Math.max(1, page.size());
            if (!page.isEmpty()) {
                open.push(new Place(place.directory(), page.get(page.size() - 1).name()));
            }
            for (Inode child : page) {
                if (child.isDirectory()) {
                    open.push(new Place(child.id(), ""));
                } else {
                    files.add(child);
                }
            }
        }
        return files;
    }
}
