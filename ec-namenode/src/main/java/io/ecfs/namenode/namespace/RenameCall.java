package io.ecfs.namenode.namespace;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.namespace.NamespaceRequest.Rename;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.namespace.inode.Directories;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.namespace.inode.Quotas;
import io.ecfs.namenode.namespace.path.PathResolution;
import io.ecfs.namenode.namespace.path.Permissions;

/** Moves one entry from one directory to another, whatever lies below it (HDFS: FSDirRenameOp with Options.Rename). */
final class RenameCall {
    private RenameCall() {}

    static CommandResult rename(Scope scope, Rename call) throws EcfsException {
        checkPaths(call);
        if (!call.to().name().equals(call.from().name())) {
            NewNames.checkEntry(scope, call.to().name());
        }
        PathResolution from = scope.resolve(call.from());
        Inode source = from.target();
        scope.checkRemovable(from);
        PathResolution to = scope.resolve(call.to());
        Inode directory = to.exists() ? to.parent() : to.directoryForMissing();
        scope.permissions().check(directory, Permissions.Access.WRITE, call.to());
        Quotas.requireMovable(scope.transaction(), source, directory, call.from());
        if (to.exists()) {
            replace(scope, call, source, to);
        }
        Directories.delete(scope.transaction(), from.parent().id(), source.name());
        Directories.put(scope.transaction(), directory.id(), call.to().name(), source.id());
        Inodes.put(scope.transaction(), source.movedTo(directory.id(), call.to().name()));
        scope.touch(from.parent());
        scope.touch(directory);
        return new CommandResult.Done();
    }

    private static void checkPaths(Rename call) throws EcfsException {
        if (call.from().isRoot() || call.to().isRoot()) {
            throw new EcfsException(ErrorCode.INVALID_ARGUMENT, "the root directory cannot be renamed or replaced");
        }
        if (call.from().equals(call.to())) {
            throw new EcfsException(ErrorCode.ALREADY_EXISTS, "old and new path are the same: " + call.from());
        }
        if (call.from().contains(call.to())) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT, call.from() + " cannot be moved below itself to " + call.to());
        }
    }

    private static void replace(Scope scope, Rename call, Inode source, PathResolution to) throws EcfsException {
        Inode target = to.last();
        if (!call.overwrite()) {
            throw new EcfsException(ErrorCode.ALREADY_EXISTS, call.to() + " exists");
        }
        if (target.isDirectory() && !source.isDirectory()) {
            throw new EcfsException(ErrorCode.IS_A_DIRECTORY, "a file cannot replace the directory " + call.to());
        }
        if (!target.isDirectory() && source.isDirectory()) {
            throw new EcfsException(ErrorCode.NOT_A_DIRECTORY, "a directory cannot replace the file " + call.to());
        }
        if (target.isDirectory() && !Directories.isEmpty(scope.transaction(), target.id())) {
            throw new EcfsException(ErrorCode.NOT_EMPTY, "directory " + call.to() + " is not empty");
        }
        scope.permissions().checkSticky(to.parent(), target, call.to());
        Deletions.unlink(scope, to.parent(), target);
    }
}
