package io.ecfs.client;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.RingId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.RequestId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.PatchGroup;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.message.ring.RingState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The namenode's side of the namespace messages over plain maps: one open group a file, sealing by min(k+1, n). Used by
 * one thread.
 */
public final class MemoryNamenode {
    public static final class File {
        final FilePath path;
        final InodeId inode;
        final Policy policy;
        final int mode;
        public final List<Extent> extents = new ArrayList<>();
        Optional<LocatedGroup> open = Optional.empty();
        boolean writing = true;

        /** Of a file that was opened for update. */
        private Optional<NamespaceReply.Patches> updated = Optional.empty();

        private long updatedLength;

        File(FilePath path, InodeId inode, Policy policy, int mode) {
            this.path = path;
            this.inode = inode;
            this.policy = policy;
            this.mode = mode;
        }

        /** Sealed patch groups, the oldest first. */
        public List<PatchGroup> patches() {
            return updated.map(NamespaceReply.Patches::sealed).orElse(List.of());
        }

        void update(long version, long nonce, List<PatchGroup> sealed) {
            updated = Optional.of(new NamespaceReply.Patches(version, nonce, sealed, List.of()));
        }

        long length() {
            if (updated.isPresent()) {
                return updatedLength;
            }
            return extents.isEmpty() ? 0 : extents.get(extents.size() - 1).fileEnd();
        }
    }

    public final Map<FilePath, File> files = new TreeMap<>();
    public final Set<FilePath> directories = new TreeSet<>(Set.of(FilePath.ROOT));
    public final Map<GroupId, LocatedGroup> groups = new TreeMap<>();
    public final Set<DatanodeId> placeable = new TreeSet<>();
    public final List<BadChunk> badChunks = new ArrayList<>();
    public final List<NamespaceRequest> requests = new ArrayList<>();
    public final Map<DatanodeId, ChunkLocation.State> states = new HashMap<>();
    /** A directory with more in it is not deleted in one step. */
    public int mostDeletedAtOnce = Integer.MAX_VALUE;

    /** What GetRings is answered with; new groups are in the first of them. */
    public List<RingState> rings = List.of();

    /** So many chunks of a group get no place, the last ones. */
    public int unplaced;

    public Policy defaultPolicy = Policy.parse("rs-3-2-4k");
    public List<Address> namenodes = List.of();
    public Consumer<GroupId> onDrop = group -> {};
    private final Map<DatanodeId, Address> datanodes;
    private final Map<RequestId, NamespaceReply> remembered = new HashMap<>();
    private long nextInode = 2;
    private long nextGroup = 1;
    private int nextPlace;

    public MemoryNamenode(Map<DatanodeId, Address> datanodes) {
        this.datanodes = datanodes;
        placeable.addAll(datanodes.keySet());
    }

    public NamespaceReply answer(NamespaceRequest request) throws EcfsException {
        requests.add(request);
        if (request instanceof NamespaceRequest.Mutation mutation) {
            NamespaceReply before = remembered.get(mutation.request());
            if (before != null) {
                return before;
            }
            NamespaceReply reply = change(mutation);
            remembered.put(mutation.request(), reply);
            return reply;
        } else if (request instanceof NamespaceRequest.GetInodeStatus get) {
            Optional<File> file = files.values().stream()
                    .filter(f -> f.inode.equals(get.inode()))
                    .findFirst();
            check(file.isPresent(), ErrorCode.NOT_FOUND, get.inode() + " is gone");
            return new NamespaceReply.Status(status(file.get().path));
        } else if (request instanceof NamespaceRequest.GetStatus get) {
            return new NamespaceReply.Status(status(get.path()));
        } else if (request instanceof NamespaceRequest.Locate locate) {
            return locate(locate);
        } else if (request instanceof NamespaceRequest.LocateAll all) {
            return locateAll(all);
        } else if (request instanceof NamespaceRequest.ListStatus list) {
            return list(list);
        } else if (request instanceof NamespaceRequest.GetCluster) {
            return new NamespaceReply.Cluster("memory", namenodes);
        } else if (request instanceof NamespaceRequest.GetRings) {
            return new NamespaceReply.Rings(rings);
        } else if (request instanceof NamespaceRequest.CountPlaces count) {
            int chunks = writing(count.file()).policy.chunks() - unplaced;
            long usable =
                    placeable.stream().filter(d -> !count.avoid().contains(d)).count();
            return new NamespaceReply.Places((int) Math.min(chunks, usable));
        } else if (request instanceof NamespaceRequest.GetSpace) {
            return new NamespaceReply.Space(1000, 300, 700);
        } else if (request instanceof NamespaceRequest.ReportBadChunks report) {
            badChunks.addAll(report.chunks());
            return new NamespaceReply.Done();
        } else if (request instanceof NamespaceRequest.RenewLease || request instanceof NamespaceRequest.ConfirmGroup) {
            return new NamespaceReply.Done(); // there is nobody else
        }
        throw new EcfsException(ErrorCode.UNSUPPORTED, "not here: " + request);
    }

    private NamespaceReply change(NamespaceRequest.Mutation change) throws EcfsException {
        if (change instanceof NamespaceRequest.OpenSession) {
            return new NamespaceReply.Done();
        } else if (change instanceof NamespaceRequest.Create create) {
            return create(create);
        } else if (change instanceof NamespaceRequest.Append append) {
            File file = file(append.path());
            check(!file.writing, ErrorCode.LEASE_CONFLICT, append.path() + " is open");
            file.writing = true;
            file.open = Optional.of(allocate(file, List.of()));
            return new NamespaceReply.Created(status(append.path()), file.open.get());
        } else if (change instanceof NamespaceRequest.OpenUpdate open) {
            return openUpdate(open);
        } else if (change instanceof NamespaceRequest.ReplaceLayout replace) {
            return replace(replace);
        } else if (change instanceof NamespaceRequest.AddGroup add) {
            File file = writing(add.file());
            check(
                    add.previous().map(SealedGroup::group).equals(file.open.map(LocatedGroup::group)),
                    ErrorCode.INVALID_ARGUMENT,
                    "open is " + file.open + ", said is " + add.previous());
            LocatedGroup next = allocate(file, add.avoid());
            seal(file, add.previous());
            file.open = Optional.of(next);
            return new NamespaceReply.Allocated(next);
        } else if (change instanceof NamespaceRequest.SealGroup seal) {
            File file = writing(seal.file());
            seal(file, Optional.of(seal.sealed()));
            return new NamespaceReply.Status(status(file.path));
        } else if (change instanceof NamespaceRequest.CompleteFile complete) {
            File file = writing(complete.file());
            seal(file, complete.last());
            file.writing = false;
            return new NamespaceReply.Status(status(file.path));
        } else if (change instanceof NamespaceRequest.LeaveOut without) {
            File file = writing(without.file());
            file.open = file.open.map(open -> without(open, without.indexes()));
        } else if (change instanceof NamespaceRequest.AbandonFile abandon) {
            files.remove(writing(abandon.file()).path);
        } else if (change instanceof NamespaceRequest.RecoverLease recover) {
            check(
                    recover.file().isEmpty() || recover.file().get().equals(file(recover.path()).inode),
                    ErrorCode.NOT_FOUND,
                    recover.path() + " is another file");
            file(recover.path()).writing = false;
            return new NamespaceReply.Recovery(true);
        } else if (change instanceof NamespaceRequest.Mkdirs mkdirs) {
            mkdirs(mkdirs.path());
        } else if (change instanceof NamespaceRequest.Delete delete) {
            status(delete.path());
            check(
                    delete.recursive() || children(delete.path()).isEmpty(),
                    ErrorCode.NOT_EMPTY,
                    delete.path() + " is not empty");
            check(
                    children(delete.path()).size() <= mostDeletedAtOnce,
                    ErrorCode.NOT_EMPTY,
                    delete.path() + " has too much in it");
            files.keySet().removeIf(delete.path()::contains);
            directories.removeIf(d -> !d.isRoot() && delete.path().contains(d));
        } else if (change instanceof NamespaceRequest.Rename rename) {
            rename(rename);
        } else {
            throw new EcfsException(ErrorCode.UNSUPPORTED, "not here: " + change);
        }
        return new NamespaceReply.Done();
    }

    private NamespaceReply openUpdate(NamespaceRequest.OpenUpdate open) throws EcfsException {
        File file = file(open.path());
        check(!file.writing, ErrorCode.LEASE_CONFLICT, open.path() + " is open");
        file.updatedLength = file.length();
        long version = file.updated.map(NamespaceReply.Patches::version).orElse(0L) + 1;
        long nonce = file.patches().isEmpty()
                ? open.nonce()
                : file.updated.orElseThrow().nonce();
        file.update(version, nonce, file.patches());
        file.writing = true;
        return new NamespaceReply.Updating(status(open.path()), version, file.patches());
    }

    private NamespaceReply replace(NamespaceRequest.ReplaceLayout replace) throws EcfsException {
        File file = writing(replace.file());
        NamespaceReply.Patches before = file.updated.orElseThrow();
        check(replace.version() == before.version(), ErrorCode.FILE_CHANGED, "version is " + before.version());
        replace.extents().ifPresent(extents -> {
            file.extents.clear();
            file.extents.addAll(extents);
        });
        file.updatedLength = replace.length();
        file.update(before.version() + 1, before.nonce(), replace.patches());
        return new NamespaceReply.Updating(status(file.path), before.version() + 1, replace.patches());
    }

    private NamespaceReply create(NamespaceRequest.Create create) throws EcfsException {
        check(!directories.contains(create.path()), ErrorCode.IS_A_DIRECTORY, create.path() + " is a directory");
        check(
                create.overwrite() || !files.containsKey(create.path()),
                ErrorCode.ALREADY_EXISTS,
                create.path() + " exists");
        check(!files.containsKey(create.path().parent()), ErrorCode.PARENT_NOT_DIRECTORY, "parent is a file");
        if (create.createParents()) {
            mkdirs(create.path().parent());
        }
        check(directories.contains(create.path().parent()), ErrorCode.NOT_FOUND, "no parent");
        Policy policy = create.policy().orElse(defaultPolicy);
        File file = new File(create.path(), new InodeId(nextInode++), policy, create.mode());
        file.open = Optional.of(allocate(file, List.of()));
        files.put(create.path(), file);
        return new NamespaceReply.Created(status(create.path()), file.open.get());
    }

    private void mkdirs(FilePath path) throws EcfsException {
        check(!files.containsKey(path), ErrorCode.ALREADY_EXISTS, path + " is a file");
        if (!path.isRoot()) {
            if (files.containsKey(path.parent())) {
                throw new EcfsException(ErrorCode.PARENT_NOT_DIRECTORY, path.parent() + " is a file");
            }
            mkdirs(path.parent());
        }
        directories.add(path);
    }

    private void rename(NamespaceRequest.Rename rename) throws EcfsException {
        status(rename.from());
        check(!rename.from().contains(rename.to()), ErrorCode.INVALID_ARGUMENT, "below itself");
        check(directories.contains(rename.to().parent()), ErrorCode.NOT_FOUND, "no parent of " + rename.to());
        check(
                !files.containsKey(rename.to()) && !directories.contains(rename.to()),
                ErrorCode.ALREADY_EXISTS,
                rename.to() + " exists");
        int prefix = rename.from().text().length();
        for (FilePath path : List.copyOf(files.keySet())) {
            if (rename.from().contains(path)) {
                File old = files.remove(path);
                FilePath target = new FilePath(rename.to() + path.text().substring(prefix));
                File moved = new File(target, old.inode, old.policy, old.mode);
                moved.extents.addAll(old.extents);
                moved.writing = old.writing;
                files.put(target, moved);
            }
        }
        for (FilePath path : List.copyOf(directories)) {
            if (rename.from().contains(path)) {
                directories.remove(path);
                directories.add(new FilePath(rename.to() + path.text().substring(prefix)));
            }
        }
    }

    private LocatedGroup allocate(File file, List<DatanodeId> avoid) throws EcfsException {
        List<DatanodeId> candidates = new ArrayList<>(
                placeable.stream().filter(d -> !avoid.contains(d)).toList());
        int n = file.policy.chunks() - unplaced;
        check(candidates.size() >= n, ErrorCode.NO_SPACE, candidates.size() + " datanodes for " + n + " chunks");
        GroupId id = new GroupId(nextGroup++);
        List<ChunkLocation> chunks = new ArrayList<>();
        for (int index = 0; index < n; index++) {
            DatanodeId datanode = candidates.get((nextPlace + index) % candidates.size());
            chunks.add(new ChunkLocation(
                    new ChunkId(id, index, 0),
                    volume(datanode),
                    datanode,
                    datanodes.get(datanode),
                    "/rack",
                    ChunkLocation.State.LIVE));
        }
        nextPlace++;
        Optional<RingId> ring = rings.stream().map(RingState::ring).findFirst();
        LocatedGroup group = new LocatedGroup(
                        id, file.policy, LocatedGroup.OPEN, chunks, token(id, BlockToken.Right.WRITE))
                .in(ring);
        groups.put(id, group);
        return group;
    }

    private static LocatedGroup without(LocatedGroup open, List<Integer> indexes) {
        List<ChunkLocation> left = open.chunks().stream()
                .filter(c -> !indexes.contains(c.chunk().index()))
                .toList();
        return new LocatedGroup(open.group(), open.policy(), open.length(), left, open.token()).in(open.ring());
    }

    private void seal(File file, Optional<SealedGroup> word) throws EcfsException {
        check(
                word.map(SealedGroup::group).equals(file.open.map(LocatedGroup::group)),
                ErrorCode.INVALID_ARGUMENT,
                "open is " + file.open + ", said is " + word);
        if (word.isEmpty()) {
            return;
        }
        LocatedGroup open = file.open.orElseThrow();
        file.open = Optional.empty();
        if (word.get().length() == 0) {
            groups.remove(open.group());
            onDrop.accept(open.group());
            return;
        }
        int needed = Math.min(file.policy.dataChunks() + 1, file.policy.chunks());
        check(word.get().finished().size() >= needed, ErrorCode.INVALID_ARGUMENT, "too few chunks in " + word);
        Set<ChunkId> finished = new HashSet<>(word.get().finished());
        List<ChunkLocation> left =
                open.chunks().stream().filter(c -> finished.contains(c.chunk())).toList();
        groups.put(
                open.group(),
                new LocatedGroup(open.group(), file.policy, word.get().length(), left, open.token()).in(open.ring()));
        if (file.updated.isPresent()) {
            NamespaceReply.Patches before = file.updated.get();
            List<PatchGroup> patches = new ArrayList<>(before.sealed());
            patches.add(new PatchGroup(
                    open.group(),
                    Optional.empty(),
                    word.get().length(),
                    word.get().length()));
            file.update(before.version(), before.nonce(), patches);
        } else {
            file.extents.add(new Extent(file.length(), word.get().length(), open.group(), 0));
        }
    }

    /** Three files in one answer, so that whoever asks for more has to ask again. */
    private NamespaceReply locateAll(NamespaceRequest.LocateAll all) {
        return new NamespaceReply.LocatedAll(all.paths().stream()
                .limit(3)
                .map(path -> {
                    try {
                        return NamespaceReply.LocatedAll.Answer.of(
                                locate(new NamespaceRequest.Locate(path, 0, all.length())));
                    } catch (EcfsException e) {
                        return NamespaceReply.LocatedAll.Answer.of(e);
                    }
                })
                .toList());
    }

    private NamespaceReply.Located locate(NamespaceRequest.Locate locate) throws EcfsException {
        FileStatus status = status(locate.path());
        if (status.directory()) {
            return new NamespaceReply.Located(status, List.of(), List.of());
        }
        File file = file(locate.path());
        List<Extent> extents = file.extents.stream()
                .filter(e -> e.fileOffset() < locate.offset() + locate.length() && e.fileEnd() > locate.offset())
                .toList();
        List<LocatedGroup> located = new ArrayList<>(
                extents.stream().map(e -> withStates(groups.get(e.group()))).toList());
        if (file.updated.isEmpty() && locate.length() > status.length() - locate.offset()) {
            file.open.ifPresent(open -> located.add(withStates(open)));
        }
        return new NamespaceReply.Located(status, extents, located, file.updated.map(known -> located(file, known)));
    }

    private NamespaceReply.Patches located(File file, NamespaceReply.Patches known) {
        List<LocatedGroup> located = new ArrayList<>();
        known.sealed().forEach(patch -> located.add(withStates(groups.get(patch.group()))));
        file.open.ifPresent(open -> located.add(withStates(open)));
        return new NamespaceReply.Patches(known.version(), known.nonce(), known.sealed(), located);
    }

    /** A repair makes a chunk of a group that had none. */
    public void rebuilt(GroupId id, int index) {
        LocatedGroup group = groups.get(id);
        Set<DatanodeId> used =
                group.chunks().stream().map(ChunkLocation::datanode).collect(Collectors.toSet());
        DatanodeId target =
                placeable.stream().filter(d -> !used.contains(d)).findFirst().orElseThrow();
        List<ChunkLocation> chunks = new ArrayList<>(group.chunks());
        chunks.add(new ChunkLocation(
                new ChunkId(id, index, 1),
                volume(target),
                target,
                datanodes.get(target),
                "/rack",
                ChunkLocation.State.LIVE));
        groups.put(id, new LocatedGroup(id, group.policy(), group.length(), chunks, group.token()));
    }

    private LocatedGroup withStates(LocatedGroup group) {
        List<ChunkLocation> chunks = group.chunks().stream()
                .map(c -> new ChunkLocation(
                        c.chunk(),
                        c.volume(),
                        c.datanode(),
                        c.address(),
                        c.rack(),
                        states.getOrDefault(c.datanode(), ChunkLocation.State.LIVE)))
                .toList();
        BlockToken token = token(group.group(), BlockToken.Right.READ);
        return new LocatedGroup(group.group(), group.policy(), group.length(), chunks, token).in(group.ring());
    }

    private NamespaceReply list(NamespaceRequest.ListStatus list) throws EcfsException {
        FileStatus self = status(list.path());
        if (!self.directory()) {
            return new NamespaceReply.Listing(List.of(self), false);
        }
        List<FilePath> after = children(list.path()).stream()
                .filter(p -> p.name().compareTo(list.startAfter()) > 0)
                .toList();
        List<FileStatus> page = new ArrayList<>();
        for (FilePath path : after.subList(0, Math.min(list.limit(), after.size()))) {
            page.add(status(path));
        }
        return new NamespaceReply.Listing(page, page.size() < after.size());
    }

    private List<FilePath> children(FilePath directory) {
        Set<FilePath> all = new TreeSet<>(files.keySet());
        all.addAll(directories);
        return all.stream()
                .filter(p -> !p.isRoot() && p.parent().equals(directory))
                .toList();
    }

    public FileStatus status(FilePath path) throws EcfsException {
        if (directories.contains(path)) {
            return new FileStatus(path, InodeId.ROOT, true, 0, false, 0755, "u", "g", 1, 1, defaultPolicy);
        }
        File file = file(path);
        return new FileStatus(
                path, file.inode, false, file.length(), file.writing, file.mode, "u", "g", 1, 1, file.policy);
    }

    public File file(FilePath path) throws EcfsException {
        check(files.containsKey(path), ErrorCode.NOT_FOUND, "no file " + path);
        return files.get(path);
    }

    private File writing(InodeId inode) throws EcfsException {
        Optional<File> file = files.values().stream()
                .filter(f -> f.inode.equals(inode) && f.writing)
                .findFirst();
        check(file.isPresent(), ErrorCode.LEASE_CONFLICT, inode + " is not being written");
        return file.get();
    }

    private static VolumeId volume(DatanodeId datanode) {
        return new VolumeId(Integer.parseInt(datanode.name().substring(2)) + 1);
    }

    private static BlockToken token(GroupId group, BlockToken.Right right) {
        return new BlockToken(group, Stamp.NONE, right, Long.MAX_VALUE, 1, new byte[BlockToken.SIGNATURE_BYTES]);
    }

    private static void check(boolean holds, ErrorCode code, String message) throws EcfsException {
        if (!holds) {
            throw new EcfsException(code, message);
        }
    }
}
