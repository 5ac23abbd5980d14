package io.ecfs.namenode.namespace;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.InodeId;
import io.ecfs.message.FilePath;
import io.ecfs.namenode.namespace.inode.Directories;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.namespace.path.Permissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Checks whether a caller may remove everything below a directory (HDFS: FSPermissionChecker.checkSubAccess): it needs
 * all rights on every directory that is not empty, and in a sticky one it removes only what it owns. Scans each name
 * below on the log's thread, and therefore a bounded number of them.
 */
final class SubtreeRights {
    /** About a second of the log's time. */
    static final int MOST_NAMES = 200_000;

    private static final int PAGE = 1000;

    private final Scope scope;
    private final FilePath top;
    private final Deque<Inode> directories = new ArrayDeque<>();
    private int scanned;

    private SubtreeRights(Scope scope, FilePath top) {
        this.scope = scope;
        this.top = top;
    }

    /**
     * @throws EcfsException {@code ACCESS_DENIED}; {@code NOT_EMPTY} when there are too many names below to scan in one
     *     step
     */
    static void check(Scope scope, Inode directory, FilePath path) throws EcfsException {
        SubtreeRights rights = new SubtreeRights(scope, path);
        rights.directories.add(directory);
        while (!rights.directories.isEmpty()) {
            rights.checkDirectory(rights.directories.pop());
        }
    }

    private void checkDirectory(Inode directory) throws EcfsException {
        String after = "";
        List<Directories.Entry> page;
        do {
            page = Directories.page(scope.transaction(), directory.id(), after, PAGE);
            if (page.isEmpty()) {
                return;
            }
            if (after.isEmpty()) {
                scope.permissions().check(directory, Permissions.Access.ALL, top);
            }
            for (Directories.Entry entry : page) {
                checkEntry(directory, entry.inode());
            }
            after = page.get(page.size() - 1).name();
        } while (page.size() == PAGE);
    }

    private void checkEntry(Inode directory, InodeId entry) throws EcfsException {
        if (++scanned > MOST_NAMES) {
            throw new EcfsException(
                    ErrorCode.NOT_EMPTY,
                    "directory " + top + " has more than " + MOST_NAMES
                            + " files and directories in it, too many to check in one step whether you may delete them:"
                            + " delete the directories in it first");
        }
        Inode child = Inodes.get(scope.transaction(), entry);
        scope.permissions().checkSticky(directory, child, top);
        if (child.isDirectory()) {
            directories.push(child);
        }
    }
}
