package io.ecfs.namenode.namespace;

import io.ecfs.dispatch.HandlerTable;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.InodeId;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.Delete;
import io.ecfs.message.namespace.NamespaceRequest.Mkdirs;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.namespace.inode.Acl;
import io.ecfs.namenode.namespace.inode.Attributes;
import io.ecfs.namenode.namespace.inode.Directories;
import io.ecfs.namenode.namespace.inode.DirectorySettings;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.namespace.path.PathResolution;
import io.ecfs.namenode.namespace.path.Permissions;
import java.util.List;
import java.util.Optional;

/** Making and removing names (HDFS: FSDirMkdirOp, FSDirDeleteOp). */
final class TreeCalls {
    static final HandlerTable<Mutation, Scope, CommandResult> HANDLERS =
            HandlerTable.<Mutation, Scope, CommandResult>builder()
                    .on(NamespaceRequest.Mkdirs.class, TreeCalls::mkdirs)
                    .on(NamespaceRequest.Rename.class, RenameCall::rename)
                    .on(NamespaceRequest.Delete.class, TreeCalls::delete)
                    .build();

    /** Directories made on the way to the last one can be entered and filled by their owner. */
    static final int PARENT_BITS = 0300;

    private TreeCalls() {}

    static CommandResult mkdirs(Scope scope, Mkdirs call) throws EcfsException {
        checkMode(call.mode());
        PathResolution resolved = scope.resolve(call.path());
        if (resolved.exists()) {
            if (!resolved.last().isDirectory()) {
                throw new EcfsException(ErrorCode.ALREADY_EXISTS, call.path() + " exists and is a file");
            }
            return new CommandResult.Done();
        }
        if (!call.createParents()) {
            resolved.directoryForMissing();
        }
        makeMissing(scope, resolved, resolved.missing(), call.mode());
        return new CommandResult.Done();
    }

    /**
     * Makes directories {@code names} one below the other, beginning in the last directory that the resolution found.
     *
     * @param mode of the last one; the others also get {@link #PARENT_BITS}
     * @return the last one; without names the directory in which they would begin
     */
    static Inode makeMissing(Scope scope, PathResolution resolved, List<String> names, int mode) throws EcfsException {
        Inode directory = resolved.last();
        scope.permissions().check(directory, Permissions.Access.WRITE, resolved.path());
        for (int i = 0; i < names.size(); i++) {
            int bits = i < names.size() - 1 ? mode | PARENT_BITS : mode;
            directory = add(scope, directory, names.get(i), bits, new Inode.Directory(DirectorySettings.NONE));
        }
        return directory;
    }

    /** A new inode in a directory; it belongs to the caller and to the directory's group, as in HDFS. */
    static Inode add(Scope scope, Inode directory, String name, int mode, Inode.Body body) throws EcfsException {
        NewNames.checkEntry(scope, name);
        Acl.Stored list = Acl.inherited(mode, directory.attributes().acl(), body instanceof Inode.Directory);
        Inode inode = new Inode(
                new InodeId(Counter.LAST_INODE.next(scope.transaction())),
                Optional.of(directory.id()),
                name,
                new Attributes(mode, scope.user(), directory.attributes().group(), scope.now(), scope.now()).with(list),
                body);
        Inodes.put(scope.transaction(), inode);
        Directories.put(scope.transaction(), directory.id(), name, inode.id());
        (inode.isDirectory() ? Counter.DIRECTORIES : Counter.FILES).add(scope.transaction(), 1);
        scope.touch(directory);
        return inode;
    }

    static CommandResult delete(Scope scope, Delete call) throws EcfsException {
        PathResolution resolved = scope.resolve(call.path());
        Inode target = resolved.target();
        if (target.isRoot()) {
            throw new EcfsException(ErrorCode.INVALID_ARGUMENT, "the root directory cannot be deleted");
        }
        scope.checkRemovable(resolved);
        if (target.isDirectory() && !Directories.isEmpty(scope.transaction(), target.id())) {
            if (!call.recursive()) {
                throw new EcfsException(
                        ErrorCode.NOT_EMPTY, "directory " + call.path() + " is not empty: delete it recursively");
            }
            if (scope.strict() && !scope.permissions().superuser()) {
                SubtreeRights.check(scope, target, call.path());
            } else {
                scope.permissions().check(target, Permissions.Access.ALL, call.path());
            }
        }
        Deletions.unlink(scope, resolved.parent(), target);
        return new CommandResult.Done();
    }

    static void checkMode(int mode) throws EcfsException {
        if (mode < 0 || mode > Attributes.MAX_MODE) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT, "mode must be octal 0 to 01777, got " + Integer.toOctalString(mode));
        }
    }
}
