package io.ecfs.namenode.namespace;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceRequest.ReplaceLayout;
import io.ecfs.message.namespace.PackedFile;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.GroupOwner;
import io.ecfs.namenode.group.Groups;
import io.ecfs.namenode.group.PackedGroups;
import io.ecfs.namenode.group.Sealing;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.namespace.inode.Lease;
import io.ecfs.namenode.namespace.inode.Leases;
import io.ecfs.namenode.namespace.path.Paths;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One open file, its lease and its extents, while a command changes it. Only {@link #goOn} and {@link #close} write the
 * changes.
 */
final class OpenFile {
    private final Transaction transaction;
    private final Inode inode;
    private final FilePath path;
    private final Lease lease;
    private final Inode.File file;
    private final List<Extent> extents;
    private final List<Inode.Patch> patches;

    private OpenFile(Transaction transaction, Inode inode, FilePath path, Lease lease) {
        this.transaction = transaction;
        this.inode = inode;
        this.path = path;
        this.lease = lease;
        this.file = (Inode.File) inode.body();
        this.extents = new ArrayList<>(file.extents());
        this.patches = new ArrayList<>(file.patches());
    }

    /**
     * @throws EcfsException {@code NOT_FOUND} when the file is gone, {@code LEASE_CONFLICT} when the client is not its
     *     writer (any more)
     */
    static OpenFile of(Scope scope, InodeId file) throws EcfsException {
        OpenFile writing = open(scope.transaction(), file);
        if (writing.lease.recovering() || !scope.holds(writing.lease)) {
            throw new EcfsException(
                    ErrorCode.LEASE_CONFLICT,
                    "client " + scope.client() + " of user " + scope.user() + " does not hold the lease of file " + file
                            + ": " + writing.lease.holderInWords());
        }
        return writing;
    }

    /** The file in recovery. */
    static OpenFile inRecovery(Transaction transaction, InodeId file) throws EcfsException {
        OpenFile writing = open(transaction, file);
        if (!writing.lease.recovering()) {
            throw new EcfsException(
                    ErrorCode.LEASE_CONFLICT, "file " + file + " is not in recovery: " + writing.lease.holderInWords());
        }
        return writing;
    }

    /**
     * The status of a closed file that equals what its writer, who sends this last request again, asked for; empty
     * otherwise.
     */
    static Optional<FileStatus> completed(Transaction transaction, InodeId id, Optional<SealedGroup> word) {
        if (Leases.find(transaction, id).isPresent()) {
            return Optional.empty();
        }
        Optional<Inode> inode = Inodes.find(transaction, id);
        Optional<FilePath> path = inode.flatMap(i -> Paths.find(transaction, i));
        if (path.isEmpty()
                || !(inode.get().body() instanceof Inode.File file)
                || word.filter(w -> !endsWith(transaction, file, w)).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(NamespaceView.status(inode.get(), path.get(), file.policy()));
    }

    /**
     * Returns whether this group is the last that the file has of its kind. False for a file that recovery closed at
     * the same length but without one of the writer's chunks: fewer chunks than the writer acknowledged.
     */
    private static boolean endsWith(Transaction transaction, Inode.File file, SealedGroup word) {
        Optional<GroupFacts> group = Groups.find(transaction, word.group());
        if (word.length() == 0) {
            return group.isEmpty();
        }
        boolean patch =
                group.filter(facts -> facts.owner() instanceof GroupOwner.Patch).isPresent();
        List<GroupId> groups = patch
                ? file.patches().stream().map(Inode.Patch::group).toList()
                : file.extents().stream().map(Extent::group).toList();
        return !groups.isEmpty()
                && groups.get(groups.size() - 1).equals(word.group())
                && group.filter(facts -> facts.length() == word.length()
                                && word.finished().stream()
                                        .allMatch(chunk -> facts.volumeOf(chunk).isPresent()))
                        .isPresent();
    }

    private static OpenFile open(Transaction transaction, InodeId file) throws EcfsException {
        Optional<Inode> inode = Inodes.find(transaction, file);
        Optional<FilePath> path = inode.flatMap(i -> Paths.find(transaction, i));
        if (path.isEmpty()) {
            throw new EcfsException(ErrorCode.NOT_FOUND, "file " + file + " was deleted or never existed");
        }
        Lease lease = Leases.find(transaction, file)
                .orElseThrow(
                        () -> new EcfsException(ErrorCode.LEASE_CONFLICT, "file " + file + " is not open for writing"));
        return new OpenFile(transaction, inode.get(), path.get(), lease);
    }

    Inode inode() {
        return inode;
    }

    Lease lease() {
        return lease;
    }

    FileStatus status() {
        return NamespaceView.status(inode, path, file.policy());
    }

    Policy policy() {
        return file.policy();
    }

    /** Seals the open group as its writer reports it; {@code word} is empty exactly when there is no open group. */
    void seal(Optional<SealedGroup> word) throws EcfsException {
        checkWord(word);
        if (word.isPresent()) {
            append(Sealing.byWriter(transaction, openGroup(), word.get()));
        }
    }

    /** As {@link #seal}, before the file is closed; of an unused group nothing is left. */
    void sealLast(Optional<SealedGroup> word, boolean unused) throws EcfsException {
        if (!unused) {
            seal(word);
            return;
        }
        checkWord(word);
        if (word.isEmpty() || word.get().length() > 0) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT, path + " (" + inode.id() + ") has no unused group in " + word);
        }
        Sealing.forgetUnused(transaction, openGroup());
    }

    void sealRecovered(Optional<SealedGroup> found) throws EcfsException {
        checkWord(found);
        if (found.isPresent()) {
            append(Sealing.byRecovery(transaction, openGroup(), found.get()));
        }
    }

    /** The open group goes on without these chunks; neither the file nor its lease changes. */
    void leaveOut(GroupId group, List<Integer> indexes) throws EcfsException {
        if (!lease.openGroup().equals(Optional.of(group))) {
            throw new EcfsException(
                    ErrorCode.LEASE_CONFLICT,
                    "the open group of " + path + " (" + inode.id() + ") is " + lease.openGroup() + ", not " + group);
        }
        Sealing.leaveOut(transaction, openGroup(), indexes);
    }

    /** Keeps the lease, now with this open group. */
    FileStatus goOn(Optional<GroupId> openGroup, long nowMillis) {
        Leases.put(transaction, lease.withOpenGroup(openGroup));
        return keep(true, nowMillis);
    }

    /** Of a pack nothing is left but its groups. */
    FileStatus close(long nowMillis) {
        Leases.delete(transaction, inode.id());
        FileStatus closed = keep(false, nowMillis);
        if (inode.isPack()) {
            Inodes.delete(transaction, inode.id());
        }
        return closed;
    }

    /**
     * Gives the file, which must have no bytes yet and no group, its bytes in groups of a pack, and closes it.
     *
     * @throws EcfsException {@code INVALID_ARGUMENT} for a file that is not as the others of the pack, and for bytes
     *     that the pack does not have
     */
    void commit(Inode pack, PackedFile packed, long nowMillis) throws EcfsException {
        if (inode.isPack()
                || file.updating()
                || file.length() > 0
                || lease.openGroup().isPresent()) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    path + " (" + inode.id() + ") has bytes or a group of its own, or is open for update: it is not"
                            + " packed");
        }
        if (!file.policy().equals(((Inode.File) pack.body()).policy())
                || !inode.attributes().grantsAs(pack.attributes())) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    path + " (" + inode.id() + ") has another policy, owner, group or mode than the files of pack "
                            + pack.id() + ": write it to a group of its own");
        }
        for (Extent extent : packed.extents()) {
            PackedGroups.add(transaction, new GroupOwner.Pack(pack.id()), inode.id(), extent);
        }
        extents.addAll(packed.extents());
        close(nowMillis);
    }

    /**
     * The owner of the groups that are allocated for it.
     *
     * @throws EcfsException {@code INVALID_ARGUMENT} when it has as many patches as a file may have
     */
    GroupOwner groupOwner() throws EcfsException {
        if (file.updating()) {
            if (patches.size() >= ReplaceLayout.MOST_PATCHES) {
                throw new EcfsException(
                        ErrorCode.INVALID_ARGUMENT,
                        path + " has " + patches.size() + " patches, more than that are not made: compact it first"
                                + " ('ecfs admin compact " + path + "')");
            }
            return new GroupOwner.Patch(inode.id());
        }
        return inode.isPack() ? new GroupOwner.Pack(inode.id()) : new GroupOwner.File(inode.id());
    }

    private void checkWord(Optional<SealedGroup> word) throws EcfsException {
        if (!word.map(SealedGroup::group).equals(lease.openGroup())) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    path + " (" + inode.id() + ") has "
                            + lease.openGroup().map(g -> "the open group " + g).orElse("no open group")
                            + ", sealed is said to be "
                            + word.map(w -> w.group().toString()).orElse("none"));
        }
    }

    private GroupFacts openGroup() {
        GroupId open = lease.openGroup().orElseThrow();
        return Groups.find(transaction, open)
                .orElseThrow(() -> new IllegalStateException("group " + open + " has no row"));
    }

    /** The bytes of a pack are those of the files that are committed to it. */
    private void append(Optional<GroupFacts> sealed) {
        if (file.updating()) {
            sealed.ifPresent(group -> patches.add(new Inode.Patch(group.group(), Optional.empty())));
        } else if (!inode.isPack()) {
            sealed.ifPresent(group -> extents.add(new Extent(length(), group.length(), group.group(), 0)));
        }
    }

    private long length() {
        return extents.isEmpty()
                ? file.length()
                : Math.max(file.length(), extents.get(extents.size() - 1).fileEnd());
    }

    private FileStatus keep(boolean open, long nowMillis) {
        Inode changed = inode.withBody(file.with(open, extents, length()).with(patches))
                .withAttributes(inode.attributes().modifiedAt(nowMillis));
        Inodes.put(transaction, changed);
        return NamespaceView.status(changed, path, file.policy());
    }
}
