package io.ecfs.namenode.namespace.path;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.InodeId;
import io.ecfs.message.FilePath;
import io.ecfs.namenode.cluster.ClusterIdentity;
import io.ecfs.namenode.namespace.inode.Directories;
import io.ecfs.namenode.namespace.inode.Inherited;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A path followed from the root as far as it exists. The caller may execute every directory on it.
 * @param found the inodes from the root down; at least the root
 * @param missing the names that do not exist, from the first missing one down
 */
public record PathResolution(FilePath path, List<Inode> found, List<String> missing) {

    /** @throws EcfsException {@code PARENT_NOT_DIRECTORY} when the path leads through a file, {@code ACCESS_DENIED} */
    public static PathResolution of(View view, FilePath path, Permissions permissions) throws EcfsException {
        List<String> names = path.names();
        List<Inode> found = new ArrayList<>(names.size() + 1);
        found.add(Inodes.get(view, InodeId.ROOT));
        for (int i = 0; i < names.size(); i++) {
            Inode directory = found.get(i);
            if (!directory.isDirectory()) {
                throw new EcfsException(
                        ErrorCode.PARENT_NOT_DIRECTORY,
                        "'" + directory.name() + "' of path " + path + " is a file, not a directory");
            }
            permissions.check(directory, Permissions.Access.EXECUTE, path);
            Optional<InodeId> child = Directories.find(view, directory.id(), names.get(i));
            if (child.isEmpty()) {
                return new PathResolution(path, found, names.subList(i, names.size()));
            }
            found.add(Inodes.get(view, child.get()));
        }
        return new PathResolution(path, found, List.of());
    }

    public boolean exists() {
        return missing.isEmpty();
    }

    /** The last inode that exists: the target itself when {@link #exists()}. */
    public Inode last() {
        return found.get(found.size() - 1);
    }

    /** The directory that holds the existing target, which is not the root. */
    public Inode parent() {
        return found.get(found.size() - 2);
    }

    /** @throws EcfsException {@code NOT_FOUND} */
    public Inode target() throws EcfsException {
        if (!exists()) {
            throw new EcfsException(ErrorCode.NOT_FOUND, "no such file or directory: " + path);
        }
        return last();
    }

    /** The target when it is a file. */
    public Inode.File file() throws EcfsException {
        if (target().body() instanceof Inode.File file) {
            return file;
        }
        throw new EcfsException(ErrorCode.IS_A_DIRECTORY, path + " is a directory");
    }

    /**
     * The directory into which the missing last name can be put; a resolution that misses a name ended in a directory.
     *
     * @throws EcfsException {@code NOT_FOUND} when more than the last name is missing
     */
    public Inode directoryForMissing() throws EcfsException {
        if (missing.size() > 1) {
            throw new EcfsException(ErrorCode.NOT_FOUND, "parent directory does not exist: " + path.parent());
        }
        return last();
    }

    /** The settings for a new file below the last existing directory. */
    public Inherited inherited(ClusterIdentity identity) {
        Inherited inherited = Inherited.ofPolicy(identity.defaultPolicy());
        for (Inode inode : found) {
            inherited = inherited.in(inode);
        }
        return inherited;
    }
}
