package io.ecfs.namenode.rewriting;

import io.ecfs.layout.InodeId;
import io.ecfs.message.namespace.ConversionRule;
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
    private final List<ConversionRule> inherited;

    /** A directory, the last name that was visited in it, and the rules of the nearest one above that has some. */
    private record Place(InodeId directory, String after, List<ConversionRule> rules) {}

    /** A file, and the conversion rules that hold for it. */
    record Met(Inode file, List<ConversionRule> rules) {}

    /**
     * @param directory whether {@code top} is one; else it is the only file
     * @param inherited rules of the directories above
     */
    TreeCursor(InodeId top, boolean directory, List<ConversionRule> inherited) {
        this.inherited = inherited;
        if (directory) {
            open.push(new Place(top, "", inherited));
        } else {
            single = Optional.of(top);
        }
    }

    boolean ended() {
        return open.isEmpty() && single.isEmpty();
    }

    /** The next files, from at most so many names; possibly none although more follow. */
    List<Met> next(NamespaceView view, int names) {
        List<Met> files = new ArrayList<>();
        single.flatMap(view::inode)
                .filter(inode -> !inode.isDirectory())
                .ifPresent(file -> files.add(new Met(file, inherited)));
        single = Optional.empty();
        int left = names;
        while (left > 0 && !open.isEmpty()) {
            Place place = open.pop();
            List<ConversionRule> rules = rules(view, place);
            List<Inode> page = view.children(place.directory(), place.after(), left);
            left -= Math.max(1, page.size());
            if (!page.isEmpty()) {
                open.push(new Place(place.directory(), page.get(page.size() - 1).name(), place.rules()));
            }
            for (Inode child : page) {
                if (child.isDirectory()) {
                    open.push(new Place(child.id(), "", rules));
                } else {
                    files.add(new Met(child, rules));
                }
            }
        }
        return files;
    }

    private static List<ConversionRule> rules(NamespaceView view, Place place) {
        return view.inode(place.directory())
                .filter(Inode::isDirectory)
                .map(directory ->
                        ((Inode.Directory) directory.body()).settings().conversion())
                .filter(own -> !own.isEmpty())
                .orElse(place.rules());
    }
}
