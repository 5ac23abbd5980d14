package io.ecfs.namenode.namespace.path;

import io.ecfs.layout.InodeId;
import io.ecfs.message.FilePath;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** From an inode to its present path, and to the directories above it. */
public final class Paths {
    private Paths() {}

    /**
     * Empty when the inode is not reachable from the root any more. A path that renames above it have made longer than
     * paths may be is given as {@code /.reserved/.inodes/ID}, HDFS's name for it, and so is a pack, which has none.
     */
    public static Optional<FilePath> find(View view, Inode inode) {
        if (inode.isPack()) {
            return Optional.of(byNumber(inode.id()));
        }
        Deque<String> names = new ArrayDeque<>();
        Inode at = inode;
        while (!at.isRoot()) {
            if (at.parent().isEmpty()) {
                return Optional.empty();
            }
            names.addFirst(at.name());
            at = Inodes.get(view, at.parent().get());
        }
        return Optional.of(path(inode.id(), "/" + String.join("/", names), names.size()));
    }

    /** Returns whether an inode is this one, or lies below it. */
    public static boolean within(View view, Inode inode, InodeId top) {
        Inode at = inode;
        while (!at.id().equals(top)) {
            if (at.parent().isEmpty()) {
                return false;
            }
            at = Inodes.get(view, at.parent().get());
        }
        return true;
    }

    private static FilePath path(InodeId inode, String text, int depth) {
        boolean fits =
                depth <= FilePath.MAX_DEPTH && text.getBytes(StandardCharsets.UTF_8).length <= FilePath.MAX_BYTES;
        return fits ? new FilePath(text) : byNumber(inode);
    }

    private static FilePath byNumber(InodeId inode) {
        return new FilePath("/.reserved/.inodes/" + inode.value());
    }
}
