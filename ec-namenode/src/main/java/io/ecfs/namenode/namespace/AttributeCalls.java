package io.ecfs.namenode.namespace;

import io.ecfs.dispatch.HandlerTable;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.AclEntry;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.ChangeAcl;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.message.namespace.NamespaceRequest.SetConversionRules;
import io.ecfs.message.namespace.NamespaceRequest.SetDirectoryRing;
import io.ecfs.message.namespace.NamespaceRequest.SetEncoding;
import io.ecfs.message.namespace.NamespaceRequest.SetMode;
import io.ecfs.message.namespace.NamespaceRequest.SetOwner;
import io.ecfs.message.namespace.NamespaceRequest.SetPacking;
import io.ecfs.message.namespace.NamespaceRequest.SetPolicy;
import io.ecfs.message.namespace.NamespaceRequest.SetQuota;
import io.ecfs.message.namespace.NamespaceRequest.SetTimes;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.namenode.cluster.RingFacts;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.history.History;
import io.ecfs.namenode.namespace.inode.Acl;
import io.ecfs.namenode.namespace.inode.Attributes;
import io.ecfs.namenode.namespace.inode.DirectorySettings;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.namespace.inode.Quotas;
import io.ecfs.namenode.namespace.path.Permissions;
import java.util.Optional;

/** Changes of mode, owner, times, policy and encoding side (HDFS: FSDirAttrOp, FSDirErasureCodingOp). */
final class AttributeCalls {
    static final HandlerTable<Mutation, Scope, CommandResult> HANDLERS =
            HandlerTable.<Mutation, Scope, CommandResult>builder()
                    .on(NamespaceRequest.SetMode.class, AttributeCalls::setMode)
                    .on(NamespaceRequest.SetOwner.class, AttributeCalls::setOwner)
                    .on(NamespaceRequest.SetTimes.class, AttributeCalls::setTimes)
                    .on(NamespaceRequest.SetPolicy.class, AttributeCalls::setPolicy)
                    .on(NamespaceRequest.SetEncoding.class, AttributeCalls::setEncoding)
                    .on(NamespaceRequest.SetDirectoryRing.class, AttributeCalls::setDirectoryRing)
                    .on(NamespaceRequest.SetConversionRules.class, AttributeCalls::setConversionRules)
                    .on(NamespaceRequest.SetPacking.class, AttributeCalls::setPacking)
                    .on(NamespaceRequest.ChangeAcl.class, AttributeCalls::changeAcl)
                    .on(NamespaceRequest.SetQuota.class, AttributeCalls::setQuota)
                    .build();

    private static final int MAX_NAME_CHARACTERS = 256;

    private AttributeCalls() {}

    static CommandResult setMode(Scope scope, SetMode call) throws EcfsException {
        TreeCalls.checkMode(call.mode());
        Inode inode = scope.resolve(call.path()).target();
        scope.permissions().checkOwner(inode, call.path());
        Inodes.put(scope.transaction(), inode.withAttributes(inode.attributes().withMode(call.mode())));
        return new CommandResult.Done();
    }

    /** Only the superuser gives files away; an owner may change to a group of which it is a member. */
    static CommandResult setOwner(Scope scope, SetOwner call) throws EcfsException {
        Inode inode = scope.resolve(call.path()).target();
        Attributes before = inode.attributes();
        String owner = call.owner().orElse(before.owner());
        String group = call.group().orElse(before.group());
        checkName("owner", owner);
        checkName("group", group);
        if (call.owner().isPresent()) {
            NewNames.checkPrincipal(scope, "owner", owner);
        }
        if (call.group().isPresent()) {
            NewNames.checkPrincipal(scope, "group", group);
        }
        scope.permissions().checkOwner(inode, call.path());
        boolean ownGroup = group.equals(before.group())
                || scope.permissions().caller().groups().contains(group);
        if (!owner.equals(before.owner()) || !ownGroup) {
            scope.permissions().checkSuperuser(inode, call.path());
        }
        Inodes.put(scope.transaction(), inode.withAttributes(before.withOwner(owner, group)));
        return new CommandResult.Done();
    }

    static CommandResult setTimes(Scope scope, SetTimes call) throws EcfsException {
        Inode inode = scope.resolve(call.path()).target();
        Attributes before = inode.attributes();
        long modified = call.modifiedMillis().orElse(before.modifiedMillis());
        long accessed = call.accessedMillis().orElse(before.accessedMillis());
        if (modified < 0 || accessed < 0) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "times must not be before 1970: modified=" + modified + " accessed=" + accessed);
        }
        scope.permissions().check(inode, Permissions.Access.WRITE, call.path());
        Inodes.put(scope.transaction(), inode.withAttributes(before.withTimes(modified, accessed)));
        return new CommandResult.Done();
    }

    /**
     * Only the superuser names a ring: what lies in it bounds the writers of all its volumes. Whoever may change the
     * directory may leave it.
     */
    static CommandResult setDirectoryRing(Scope scope, SetDirectoryRing call) throws EcfsException {
        Inode inode = directory(scope, call.path(), "a ring is set on a directory and holds for new files below it");
        DirectorySettings before = settings(inode);
        Optional<Policy> policy =
                call.policy().isPresent() ? call.policy().get().to() : before.policy();
        DirectorySettings now = before.with(policy)
                .inRing(RingDirectories.named(scope.transaction(), call.ring()).map(RingFacts::ring));
        if (now.ring().isPresent() && !now.ring().equals(before.ring())) {
            scope.permissions().checkSuperuser("naming ring " + call.ring().orElseThrow(), inode, call.path());
        }
        RingDirectories.serve(scope, call.path(), now);
        put(scope, inode, now);
        recordPolicy(scope, call.path(), before.policy(), policy);
        RingDirectories.record(scope, call.path(), before.ring(), now.ring());
        return new CommandResult.Done();
    }

    static CommandResult setPolicy(Scope scope, SetPolicy call) throws EcfsException {
        Inode inode = directory(scope, call.path(), "a policy is set on a directory and holds for new files below it");
        DirectorySettings before = settings(inode);
        RingDirectories.serve(scope, call.path(), before.with(call.policy()));
        put(scope, inode, before.with(call.policy()));
        recordPolicy(scope, call.path(), before.policy(), call.policy());
        return new CommandResult.Done();
    }

    static CommandResult setEncoding(Scope scope, SetEncoding call) throws EcfsException {
        Inode inode = directory(
                scope, call.path(), "an encoding side is set on a directory and holds for what is written below it");
        DirectorySettings before = settings(inode);
        Optional<Policy> policy =
                call.policy().isPresent() ? call.policy().get().to() : before.policy();
        if (call.policy().isPresent()) {
            RingDirectories.serve(scope, call.path(), before.with(policy));
        }
        put(scope, inode, before.encodedBy(call.side()).with(policy));
        recordPolicy(scope, call.path(), before.policy(), policy);
        return new CommandResult.Done();
    }

    /** Files of others below the directory are converted too: its owner must be the caller, or the superuser. */
    static CommandResult setConversionRules(Scope scope, SetConversionRules call) throws EcfsException {
        Inode inode =
                directory(scope, call.path(), "conversion rules are set on a directory and hold for files below it");
        scope.permissions().checkOwner(inode, call.path());
        put(scope, inode, settings(inode).converting(call.rules()));
        return new CommandResult.Done();
    }

    static CommandResult setPacking(Scope scope, SetPacking call) throws EcfsException {
        Inode inode = directory(
                scope, call.path(), "a limit of packing is set on a directory and holds for new files below it");
        put(scope, inode, settings(inode).packedUpTo(call.upTo()));
        return new CommandResult.Done();
    }

    /** A directory that the caller may change. */
    private static Inode directory(Scope scope, FilePath path, String rule) throws EcfsException {
        Inode inode = scope.resolve(path).target();
        if (!inode.isDirectory()) {
            throw new EcfsException(ErrorCode.NOT_A_DIRECTORY, path + " is a file: " + rule);
        }
        scope.permissions().check(inode, Permissions.Access.WRITE, path);
        return inode;
    }

    private static DirectorySettings settings(Inode directory) {
        return ((Inode.Directory) directory.body()).settings();
    }

    private static void put(Scope scope, Inode directory, DirectorySettings settings) {
        RingDirectories.count(scope.transaction(), settings(directory), -1);
        RingDirectories.count(scope.transaction(), settings, 1);
        Inodes.put(scope.transaction(), directory.withBody(new Inode.Directory(settings)));
    }

    private static void recordPolicy(Scope scope, FilePath path, Optional<Policy> before, Optional<Policy> now) {
        if (!before.equals(now)) {
            History.recordSetting(
                    scope.transaction(),
                    scope.now(),
                    new ClusterEvent.PolicyChanged(
                            path.text(),
                            before.map(Policy::name),
                            now.map(Policy::name),
                            scope.call().caller().who()));
        }
    }

    static CommandResult changeAcl(Scope scope, ChangeAcl call) throws EcfsException {
        Inode inode = scope.resolve(call.path()).target();
        scope.permissions().checkOwner(inode, call.path());
        if (call.change() == ChangeAcl.Change.MODIFY || call.change() == ChangeAcl.Change.SET) {
            for (AclEntry entry : call.entries()) {
                if (!entry.name().isEmpty()) {
                    NewNames.checkPrincipal(scope, "a user or group of an ACL", entry.name());
                }
            }
        }
        Attributes before = inode.attributes();
        Acl.Stored list = Acl.change(before.mode(), before.acl(), inode.isDirectory(), call);
        Inodes.put(scope.transaction(), inode.withAttributes(before.with(list)));
        return new CommandResult.Done();
    }

    static CommandResult setQuota(Scope scope, SetQuota call) throws EcfsException {
        Inode inode = scope.resolve(call.path()).target();
        scope.permissions().checkSuperuser(inode, call.path());
        if (!inode.isDirectory()) {
            throw new EcfsException(
                    ErrorCode.NOT_A_DIRECTORY, call.path() + " is a file: a quota is set on a directory");
        }
        Optional<Quotas.Quota> present = Quotas.find(scope.transaction(), inode.id());
        if (present.isEmpty()) {
            Quotas.requireCountable(scope.transaction(), inode, call.path());
        }
        Optional<Long> namesBefore = present.flatMap(Quotas.Quota::namesLimit);
        Optional<Long> spaceBefore = present.flatMap(Quotas.Quota::spaceLimit);
        Optional<Long> names = bound(call.names(), namesBefore);
        Optional<Long> space = bound(call.space(), spaceBefore);
        Quotas.set(scope.transaction(), inode, names, space);
        if (!names.equals(namesBefore) || !space.equals(spaceBefore)) {
            History.recordSetting(
                    scope.transaction(),
                    scope.now(),
                    new ClusterEvent.QuotaChanged(
                            call.path().text(),
                            names,
                            space,
                            scope.call().caller().who()));
        }
        return new CommandResult.Done();
    }

    private static Optional<Long> bound(Optional<Long> wanted, Optional<Long> present) {
        return wanted.isEmpty() ? present : wanted.filter(bound -> bound != SetQuota.UNBOUNDED);
    }

    private static void checkName(String what, String name) throws EcfsException {
        if (name.isEmpty() || name.length() > MAX_NAME_CHARACTERS) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    what + " must have 1 to " + MAX_NAME_CHARACTERS + " characters, got " + name.length());
        }
    }
}
