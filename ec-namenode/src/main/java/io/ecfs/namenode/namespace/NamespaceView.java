package io.ecfs.namenode.namespace;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.RingId;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.ConversionRule;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.PatchGroup;
import io.ecfs.namenode.cluster.ClusterIdentity;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.Groups;
import io.ecfs.namenode.group.PackedGroups;
import io.ecfs.namenode.group.RewritePiece;
import io.ecfs.namenode.namespace.inode.Attributes;
import io.ecfs.namenode.namespace.inode.Directories;
import io.ecfs.namenode.namespace.inode.Inherited;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.namespace.inode.Lease;
import io.ecfs.namenode.namespace.inode.Leases;
import io.ecfs.namenode.namespace.inode.Quotas;
import io.ecfs.namenode.namespace.inode.XAttrs;
import io.ecfs.namenode.namespace.path.PathResolution;
import io.ecfs.namenode.namespace.path.Paths;
import io.ecfs.namenode.namespace.path.Permissions;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Queries of files and directories. As long-lived as the view it reads. */
public final class NamespaceView {
    /** Most files of a packed group that are examined for one that a caller may read, or that has a path. */
    private static final int MOST_ASKED = 100;

    private final View view;
    private final ClusterIdentity identity;

    public NamespaceView(View view, ClusterIdentity identity) {
        this.view = view;
        this.identity = identity;
    }

    /** @param more true: ask again after the last name */
    public record Page(List<FileStatus> entries, boolean more) {}

    /**
     * @param extents in file order; they begin with the one that holds the first byte asked for
     * @param groups of these extents and, when the range reaches the end of a file that is written there, the open
     *     group; each once
     * @param patches of a file that has some, or is open for update
     * @param more true: the page ended before the range
     */
    public record Located(
            FileStatus status, List<Extent> extents, List<GroupFacts> groups, Optional<Patches> patches, boolean more) {
        /** Number of its groups. */
        public int size() {
            return groups.size() + patches.map(p -> p.groups().size()).orElse(0);
        }
    }

    /**
     * @param sealed the oldest first
     * @param groups of these and, behind them, the open patch group
     */
    public record Patches(long version, long nonce, List<PatchGroup> sealed, List<GroupFacts> groups) {}

    /** @throws EcfsException {@code NOT_FOUND}, {@code PARENT_NOT_DIRECTORY}, {@code ACCESS_DENIED} */
    public FileStatus status(FilePath path, CallerIdentity caller) throws EcfsException {
        PathResolution resolved = resolve(path, caller);
        return status(resolved.target(), path, resolved.inherited(identity));
    }

    /** The status of a file that is known by its inode; empty when it was deleted. */
    public Optional<FileStatus> status(InodeId file) {
        return Inodes.find(view, file)
                .filter(inode -> !inode.isDirectory())
                .flatMap(inode -> Paths.find(view, inode).map(path -> status(inode, path, identity.defaultPolicy())));
    }

    /**
     * A file or directory wherever it is by now; the caller must be able to reach it there, and else does not learn
     * where.
     */
    public FileStatus status(InodeId inode, CallerIdentity caller) throws EcfsException {
        FilePath path = Inodes.find(view, inode)
                .flatMap(found -> Paths.find(view, found))
                .orElseThrow(() ->
                        new EcfsException(ErrorCode.NOT_FOUND, "inode " + inode + " was deleted or never existed"));
        try {
            return status(path, caller);
        } catch (EcfsException e) {
            throw e.code() == ErrorCode.ACCESS_DENIED
                    ? new EcfsException(
                            ErrorCode.ACCESS_DENIED, "user " + caller.user() + " may not reach inode " + inode)
                    : e;
        }
    }

    /** @throws EcfsException {@code ACCESS_DENIED} unless the caller may do all of this: 4 read, 2 write, 1 execute */
    public void checkAccess(FilePath path, int bits, CallerIdentity caller) throws EcfsException {
        permissions(caller).check(resolve(path, caller).target(), bits, path);
    }

    /**
     * @throws EcfsException {@code ACCESS_DENIED} unless the caller may list the directory, or read the file; nothing
     *     is asked of the superuser
     */
    public void requireListable(FilePath path, CallerIdentity caller) throws EcfsException {
        Permissions permissions = permissions(caller);
        if (!permissions.superuser()) {
            Inode target = resolve(path, caller).target();
            permissions.check(
                    target, target.isDirectory() ? Permissions.Access.READ_EXECUTE : Permissions.Access.READ, path);
        }
    }

    /** The conversion rules that hold for files at or below a path: those of the nearest directory that has some. */
    public NamespaceReply.ConversionRules conversionRules(FilePath path, CallerIdentity caller) throws EcfsException {
        for (FilePath at = path; ; at = at.parent()) {
            List<ConversionRule> rules = resolve(at, caller).target().body() instanceof Inode.Directory directory
                    ? directory.settings().conversion()
                    : List.of();
            if (!rules.isEmpty()) {
                return new NamespaceReply.ConversionRules(Optional.of(at), rules);
            }
            if (at.equals(FilePath.ROOT)) {
                return new NamespaceReply.ConversionRules(Optional.empty(), List.of());
            }
        }
    }

    /** Returns whether the caller finds a path by listing directories from the top down. */
    public boolean lists(FilePath top, FilePath path, CallerIdentity caller) {
        if (permissions(caller).superuser()) {
            return true;
        }
        try {
            for (FilePath at = path; !at.equals(top); ) {
                at = at.parent();
                requireListable(at, caller);
            }
            return true;
        } catch (EcfsException e) {
            return false;
        }
    }

    /** Returns whether the caller may read a file that has bytes in a group. */
    public boolean mayRead(GroupFacts group, CallerIdentity caller) {
        return permissions(caller).superuser()
                || files(group, MOST_ASKED).stream().anyMatch(file -> mayRead(file, caller));
    }

    private boolean mayRead(InodeId file, CallerIdentity caller) {
        Optional<FilePath> path = Inodes.find(view, file).flatMap(found -> Paths.find(view, found));
        try {
            if (path.isPresent()) {
                permissions(caller).check(resolve(path.get(), caller).target(), Permissions.Access.READ, path.get());
            }
            return path.isPresent();
        } catch (EcfsException e) {
            return false;
        }
    }

    /** The files that have bytes in a group, at most so many of them. */
    public List<InodeId> files(GroupFacts group, int limit) {
        return group.owner()
                .onlyFile()
                .map(List::of)
                .orElseGet(() -> PackedGroups.files(view, group.group(), 0, limit));
    }

    /** The files of a pack's group behind an inode number, at most so many of them. */
    public List<InodeId> packedFiles(GroupId group, long after, int limit) {
        return PackedGroups.files(view, group, after, limit);
    }

    /** The bytes of a file that a group does not have although its extents say so: beyond the end of the group. */
    public long bytesBeyond(GroupFacts group, InodeId file) {
        return Inodes.find(view, file)
                .filter(inode -> inode.body() instanceof Inode.File)
                .map(inode -> ((Inode.File) inode.body())
                        .extents().stream()
                                .filter(extent -> extent.group().equals(group.group()))
                                .mapToLong(extent -> Math.min(
                                        extent.length(),
                                        Math.max(0, extent.groupOffset() + extent.length() - group.length())))
                                .sum())
                .orElse(0L);
    }

    /** The inode, of whatever kind. */
    public Optional<Inode> inode(InodeId inode) {
        return Inodes.find(view, inode);
    }

    /** The inodes in a directory behind this name, in the order of their names. */
    public List<Inode> children(InodeId directory, String after, int limit) {
        return Directories.page(view, directory, after, limit).stream()
                .flatMap(entry -> Inodes.find(view, entry.inode()).stream())
                .toList();
    }

    /** Those of the pieces that can be rewritten together, as {@code BeginRewrite} checks it. */
    public List<RewritePiece> present(List<RewritePiece> pieces) {
        return ExtentSwap.present(view, pieces);
    }

    /** The path of a file that has bytes in a group, the first of those that have a path. */
    public Optional<FilePath> pathOf(GroupFacts group) {
        return files(group, MOST_ASKED).stream()
                .flatMap(file -> status(file).stream())
                .map(FileStatus::path)
                .findFirst();
    }

    /**
     * Present paths of files that have bytes in a group and that the caller could list, in inode order; of a pack those
     * among its first files.
     */
    public List<FilePath> listedPaths(GroupFacts group, int most, CallerIdentity caller) {
        return files(group, MOST_ASKED).stream()
                .flatMap(file -> status(file).stream())
                .map(FileStatus::path)
                .filter(path -> lists(FilePath.ROOT, path, caller))
                .limit(most)
                .toList();
    }

    public NamespaceReply.Acl acl(FilePath path, CallerIdentity caller) throws EcfsException {
        PathResolution resolved = resolve(path, caller);
        return new NamespaceReply.Acl(
                status(resolved.target(), path, resolved.inherited(identity)),
                resolved.last().attributes().acl());
    }

    /** Extended attributes that the caller may see. */
    public NamespaceReply.XAttrs xattrs(FilePath path, CallerIdentity caller) throws EcfsException {
        Inode inode = resolve(path, caller).target();
        Permissions permissions = permissions(caller);
        permissions.check(inode, Permissions.Access.READ, path);
        return new NamespaceReply.XAttrs(XAttrs.all(view, inode.id()).stream()
                .filter(attribute -> XAttrCalls.visible(permissions, attribute.name()))
                .toList());
    }

    public NamespaceReply.Quota quota(FilePath path, CallerIdentity caller) throws EcfsException {
        return Quotas.find(view, resolve(path, caller).target().id())
                .map(quota -> new NamespaceReply.Quota(
                        quota.namesLimit(),
                        quota.spaceLimit(),
                        quota.used().names(),
                        quota.used().space()))
                .orElse(new NamespaceReply.Quota(Optional.empty(), Optional.empty(), 0, 0));
    }

    /** Sums of one page of a directory's entries; a file is its own page. */
    public NamespaceReply.Sums sums(FilePath path, String startAfter, int limit, CallerIdentity caller)
            throws EcfsException {
        Inode target = resolve(path, caller).target();
        List<Inode> page = new ArrayList<>();
        String last = "";
        if (target.isDirectory()) {
            permissions(caller).check(target, Permissions.Access.READ_EXECUTE, path);
            List<Directories.Entry> entries = Directories.page(view, target.id(), startAfter, limit + 1);
            entries.stream().limit(limit).forEach(entry -> page.add(Inodes.get(view, entry.inode())));
            last = entries.size() > limit ? entries.get(limit - 1).name() : "";
        } else {
            page.add(target);
        }
        long files = 0;
        long length = 0;
        long space = 0;
        for (Inode inode : page) {
            if (inode.body() instanceof Inode.File file) {
                files++;
                length += file.length();
                space += Quotas.space(view, file);
            }
        }
        List<String> directories =
                page.stream().filter(Inode::isDirectory).map(Inode::name).toList();
        return new NamespaceReply.Sums(files, length, space, directories, last);
    }

    /** One page of a directory in name order; a file lists itself. */
    public Page list(FilePath path, String startAfter, int limit, CallerIdentity caller) throws EcfsException {
        PathResolution resolved = resolve(path, caller);
        Inode target = resolved.target();
        Inherited inherited = resolved.inherited(identity);
        if (!target.isDirectory()) {
            boolean first = startAfter.isEmpty();
            return new Page(first ? List.of(status(target, path, inherited)) : List.of(), false);
        }
        permissions(caller).check(target, Permissions.Access.READ_EXECUTE, path);
        List<Directories.Entry> entries = Directories.page(view, target.id(), startAfter, limit + 1);
        List<FileStatus> page = new ArrayList<>();
        for (Directories.Entry entry : entries.subList(0, Math.min(limit, entries.size()))) {
            page.add(child(Inodes.get(view, entry.inode()), path, inherited));
        }
        return new Page(page, entries.size() > limit);
    }

    /** One page of the names below a directory that match a pattern. */
    public NamespaceReply.Found find(NamespaceRequest.FindNames find, CallerIdentity caller) throws EcfsException {
        PathResolution resolved = resolve(find.path(), caller);
        Inode top = resolved.target();
        NamePattern pattern = new NamePattern(find.pattern(), find.anyCase());
        return new NameSearch(view, permissions(caller), pattern, find.limit())
                .page(top, find.path(), resolved.inherited(identity), find.after());
    }

    /** Extents and groups of the bytes [offset, offset + length), at most {@code maxGroups} of them. */
    public Located locate(FilePath path, long offset, long length, int maxGroups, CallerIdentity caller)
            throws EcfsException {
        PathResolution resolved = resolve(path, caller);
        Inode.File file = resolved.file();
        permissions(caller).check(resolved.last(), Permissions.Access.READ, path);
        long end = length > Long.MAX_VALUE - offset ? Long.MAX_VALUE : offset + length;
        List<Extent> extents = new ArrayList<>();
        List<GroupFacts> groups = new ArrayList<>();
        boolean more = false;
        for (Extent extent : file.extents()) {
            if (extent.fileEnd() <= offset || extent.fileOffset() >= end) {
                continue;
            }
            boolean known = groups.stream().anyMatch(g -> g.group().equals(extent.group()));
            if (!known && groups.size() == maxGroups) {
                more = true;
                break;
            }
            extents.add(extent);
            if (!known) {
                groups.add(group(extent.group()));
            }
        }
        if (!more && end > file.length() && !file.updating()) {
            openGroup(resolved.last()).ifPresent(groups::add);
        }
        return new Located(
                status(resolved.last(), path, resolved.inherited(identity)),
                extents,
                groups,
                file.movable() ? Optional.empty() : Optional.of(patches(resolved.last(), file)),
                more);
    }

    private Patches patches(Inode inode, Inode.File file) {
        PatchFacts patches = PatchFacts.of(view, file);
        List<GroupFacts> groups = new ArrayList<>(patches.groups());
        if (file.updating()) {
            openGroup(inode).ifPresent(groups::add);
        }
        return new Patches(file.version(), file.nonce(), patches.listed(file.patches()), groups);
    }

    /**
     * Conditions for a new file at a path.
     * @param policy that it would get, as far as the path exists
     * @param ring on whose volumes its groups would lie; empty: on those of none
     * @param lease on the file that is there, if it is open
     */
    public record Room(Policy policy, Optional<RingId> ring, Optional<Lease> lease) {}

    public Room roomFor(FilePath path, CallerIdentity caller) throws EcfsException {
        PathResolution resolved = resolve(path, caller);
        Inherited inherited = resolved.inherited(identity);
        return new Room(
                inherited.policy(),
                inherited.ring(),
                resolved.exists() ? Leases.find(view, resolved.last().id()) : Optional.empty());
    }

    /** The policy of a file. */
    public Optional<Policy> policyOf(InodeId file) {
        return Inodes.find(view, file)
                .flatMap(inode -> inode.body() instanceof Inode.File f ? Optional.of(f.policy()) : Optional.empty());
    }

    /** The ring that the directories of a file set for new groups of it; empty: they set none. */
    public Optional<RingId> ringOf(InodeId file) {
        Optional<Inode> at = Inodes.find(view, file).flatMap(this::parent);
        while (at.isPresent()) {
            if (at.get().body() instanceof Inode.Directory directory
                    && directory.settings().ring().isPresent()) {
                return directory.settings().ring();
            }
            at = parent(at.get());
        }
        return Optional.empty();
    }

    private Optional<Inode> parent(Inode inode) {
        return inode.parent().flatMap(parent -> Inodes.find(view, parent));
    }

    /** The lease on the file at the path, if it is open. */
    public Optional<Lease> lease(FilePath path, CallerIdentity caller) throws EcfsException {
        PathResolution resolved = resolve(path, caller);
        return resolved.exists() ? Leases.find(view, resolved.last().id()) : Optional.empty();
    }

    public Optional<Lease> lease(InodeId file) {
        return Leases.find(view, file);
    }

    /**
     * @throws EcfsException {@code NOT_FOUND} or {@code LEASE_CONFLICT} unless this client of the caller writes this
     *     group of the file
     */
    public void requireWriter(String client, InodeId file, GroupId group, CallerIdentity caller) throws EcfsException {
        Lease lease = lease(client, file, group);
        if (!writes(lease, client, caller) || !lease.openGroup().equals(Optional.of(group))) {
            throw notWritten(lease, client, group, caller);
        }
    }

    /**
     * The group that a client writes, or one of the file that it has written to it before.
     *
     * @throws EcfsException {@code NOT_FOUND} or {@code LEASE_CONFLICT} unless this client of the caller writes the
     *     file, and it has the group
     */
    public GroupFacts writtenGroup(String client, InodeId file, GroupId group, CallerIdentity caller)
            throws EcfsException {
        Lease lease = lease(client, file, group);
        Optional<GroupFacts> facts = Groups.find(view, group);
        if (!writes(lease, client, caller)
                || facts.filter(its -> its.owner().inode().equals(file)).isEmpty()) {
            throw notWritten(lease, client, group, caller);
        }
        return facts.get();
    }

    private Lease lease(String client, InodeId file, GroupId group) throws EcfsException {
        return Leases.find(view, file)
                .orElseThrow(() -> new EcfsException(
                        ErrorCode.NOT_FOUND,
                        "file " + file + ", of which client " + client + " writes group " + group
                                + ", is closed or deleted by now"));
    }

    private static boolean writes(Lease lease, String client, CallerIdentity caller) {
        return !lease.recovering() && lease.heldBy(client, caller.user());
    }

    private static EcfsException notWritten(Lease lease, String client, GroupId group, CallerIdentity caller) {
        return new EcfsException(
                ErrorCode.LEASE_CONFLICT,
                "client " + client + " of user " + caller.user() + " does not write group " + group + " of file "
                        + lease.file()
                        + " any more: "
                        + (writes(lease, client, caller) ? "it writes " + lease.openGroup() : lease.holderInWords()));
    }

    /**
     * Leases of the files after {@code after} (0: from the first), in file order; also of deleted files that wait for
     * their purge.
     */
    public List<Lease> leases(long after, int limit) {
        return Leases.page(view, after, limit);
    }

    /** Without the side that encodes. */
    static FileStatus status(Inode inode, FilePath path, Policy directoryPolicy) {
        return status(inode, path, Inherited.ofPolicy(directoryPolicy));
    }

    /** @param inherited what holds in the directory, or in that of the file */
    static FileStatus status(Inode inode, FilePath path, Inherited inherited) {
        Attributes has = inode.attributes();
        Inode.File file = inode.body() instanceof Inode.File f ? f : null;
        return new FileStatus(
                path,
                inode.id(),
                file == null,
                file == null ? 0 : file.length(),
                file != null && file.open(),
                has.mode() | (has.acl().isEmpty() ? 0 : FileStatus.LISTED),
                has.owner(),
                has.group(),
                has.modifiedMillis(),
                has.accessedMillis(),
                file == null ? inherited.policy() : file.policy(),
                file == null || file.open() ? inherited.encoding() : Optional.empty(),
                file == null || file.open() ? inherited.packedUpTo() : Optional.empty(),
                file == null ? inherited.ring() : Optional.empty());
    }

    private FileStatus child(Inode inode, FilePath directory, Inherited inherited) throws EcfsException {
        try {
            return status(inode, directory.child(inode.name()), inherited.in(inode));
        } catch (IllegalArgumentException e) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "'" + inode.name() + "' in " + directory + " has a path longer than paths may be: rename a"
                            + " directory above it",
                    e);
        }
    }

    private Optional<GroupFacts> openGroup(Inode inode) {
        return Leases.find(view, inode.id()).flatMap(Lease::openGroup).map(this::group);
    }

    private GroupFacts group(GroupId group) {
        return Groups.find(view, group).orElseThrow(() -> new IllegalStateException("group " + group + " has no row"));
    }

    private PathResolution resolve(FilePath path, CallerIdentity caller) throws EcfsException {
        return PathResolution.of(view, path, permissions(caller));
    }

    private Permissions permissions(CallerIdentity caller) {
        return new Permissions(identity, caller);
    }
}
