package io.ecfs.namenode.namespace;

import io.ecfs.dispatch.HandlerTable;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.message.namespace.NamespaceRequest.RemoveXAttr;
import io.ecfs.message.namespace.NamespaceRequest.SetXAttr;
import io.ecfs.message.namespace.XAttr;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.XAttrs;
import io.ecfs.namenode.namespace.path.Permissions;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Extended attributes (HDFS: FSDirXAttrOp, XAttrPermissionFilter). {@code user.} ones follow the read and write rights
 * of the file, {@code trusted.} ones belong to the superuser; other namespaces are for file systems themselves and
 * rejected.
 */
final class XAttrCalls {
    static final HandlerTable<Mutation, Scope, CommandResult> HANDLERS =
            HandlerTable.<Mutation, Scope, CommandResult>builder()
                    .on(NamespaceRequest.SetXAttr.class, XAttrCalls::set)
                    .on(NamespaceRequest.RemoveXAttr.class, XAttrCalls::remove)
                    .build();

    private static final int MAX_OF_INODE = 32;
    private static final int MAX_BYTES = 16 << 10;
    private static final String USER = "user.";
    private static final String TRUSTED = "trusted.";

    private XAttrCalls() {}

    static CommandResult set(Scope scope, SetXAttr call) throws EcfsException {
        XAttr attribute = call.attribute();
        Inode inode = changeable(scope, call.path(), attribute.name());
        int bytes = attribute.name().getBytes(StandardCharsets.UTF_8).length + attribute.value().length;
        if (bytes > MAX_BYTES) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "attribute " + attribute.name() + " of " + call.path() + " has " + bytes
                            + " bytes with its name, the limit is " + MAX_BYTES);
        }
        Optional<XAttr> present = XAttrs.find(scope.transaction(), inode.id(), attribute.name());
        if (present.isPresent() ? !call.replace() : !call.create()) {
            throw new EcfsException(
                    present.isPresent() ? ErrorCode.ALREADY_EXISTS : ErrorCode.NOT_FOUND,
                    "attribute " + attribute.name() + " of " + call.path()
                            + (present.isPresent()
                                    ? " exists and was not to be replaced"
                                    : " does not exist and was not to be created"));
        }
        if (present.isEmpty() && XAttrs.all(scope.transaction(), inode.id()).size() >= MAX_OF_INODE) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    call.path() + " has " + MAX_OF_INODE + " attributes, which is the limit: remove one first");
        }
        XAttrs.put(scope.transaction(), inode.id(), attribute);
        return new CommandResult.Done();
    }

    static CommandResult remove(Scope scope, RemoveXAttr call) throws EcfsException {
        Inode inode = changeable(scope, call.path(), call.name());
        if (XAttrs.find(scope.transaction(), inode.id(), call.name()).isEmpty()) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "No matching attributes found for remove operation: " + call.path() + " has no attribute "
                            + call.name());
        }
        XAttrs.delete(scope.transaction(), inode.id(), call.name());
        return new CommandResult.Done();
    }

    /** Returns whether the caller, who may read the inode, may see this attribute. */
    static boolean visible(Permissions permissions, String name) {
        return name.startsWith(USER) || (name.startsWith(TRUSTED) && permissions.superuser());
    }

    private static Inode changeable(Scope scope, FilePath path, String name) throws EcfsException {
        Inode inode = scope.resolve(path).target();
        Permissions permissions = scope.permissions();
        if (name.length() <= USER.length() || (!name.startsWith(USER) && !name.startsWith(TRUSTED))) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "attribute '" + name + "' of " + path + " must be named user.NAME or trusted.NAME");
        }
        if (name.startsWith(TRUSTED)) {
            permissions.checkSuperuser(inode, path);
        } else if (inode.isDirectory() && inode.attributes().sticky()) {
            permissions.checkOwner(inode, path);
        } else {
            permissions.check(inode, Permissions.Access.WRITE, path);
        }
        return inode;
    }
}
