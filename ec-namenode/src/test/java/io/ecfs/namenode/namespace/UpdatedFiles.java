package io.ecfs.namenode.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.NamespaceRequest.AddGroup;
import io.ecfs.message.namespace.NamespaceRequest.Append;
import io.ecfs.message.namespace.NamespaceRequest.CommitFiles;
import io.ecfs.message.namespace.NamespaceRequest.CompleteFile;
import io.ecfs.message.namespace.NamespaceRequest.Concat;
import io.ecfs.message.namespace.NamespaceRequest.CreateWithoutGroup;
import io.ecfs.message.namespace.NamespaceRequest.OpenPack;
import io.ecfs.message.namespace.NamespaceRequest.OpenUpdate;
import io.ecfs.message.namespace.NamespaceRequest.ReplaceLayout;
import io.ecfs.message.namespace.NamespaceRequest.SealGroup;
import io.ecfs.message.namespace.NamespaceRequest.SetQuota;
import io.ecfs.message.namespace.NamespaceRequest.Truncate;
import io.ecfs.message.namespace.PackedFile;
import io.ecfs.message.namespace.PatchGroup;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.Garbage;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.GroupOwner;
import io.ecfs.namenode.group.Groups;
import io.ecfs.namenode.group.PackedGroups;
import io.ecfs.namenode.group.RewritePiece;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.namespace.inode.Quotas;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.state.Ledger;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Random calls on a few files that are updated, and a model of what these are then. */
final class UpdatedFiles {
    private static final long LONGEST = 400_000;
    private static final Policy OTHER = Policy.parse("rs-2-1-64k");

    private final Ledger ledger;
    private final Random random;
    private final Map<InodeId, Model> files = new TreeMap<>();
    private final List<GroupFacts> dropped = new ArrayList<>();
    private final Map<GroupId, GroupFacts> seen = new TreeMap<>();
    private int replaced;
    private int refused;
    private long nonces;

    /** One file. */
    private static final class Model {
        List<Extent> extents = new ArrayList<>();
        List<PatchGroup> patches = new ArrayList<>();
        long length;
        long version;
        long nonce;
        boolean updating;
        Optional<GroupFacts> open = Optional.empty();
    }

    UpdatedFiles(Ledger ledger, long seed) {
        this.ledger = ledger;
        this.random = new Random(seed);
    }

    void play(int steps) {
        ledger.done(new SetQuota(ledger.request(), FilePath.ROOT, Optional.of(1L << 40), Optional.empty()));
        for (int step = 0; step < steps; step++) {
            String path = "/f" + random.nextInt(5);
            Optional<InodeId> inode = ledger.status(path).map(status -> status.inode());
            if (inode.isEmpty()) {
                create(path);
            } else {
                step(path, inode.get(), files.get(inode.get()));
            }
            check();
        }
        assertThat(replaced).as("layouts that were replaced").isGreaterThan(steps / 50);
        assertThat(refused).as("layouts that were refused").isGreaterThan(steps / 50);
        end();
    }

    private void step(String path, InodeId inode, Model file) {
        switch (random.nextInt(24)) {
            case 0, 1, 2 -> openUpdate(path, file);
            case 3, 4, 5, 6 -> addOrSeal(inode, file);
            case 7 -> complete(inode, file);
            case 8 -> recover(inode, file);
            case 9, 10, 11, 12 -> replace(inode, file);
            case 13, 14, 20, 21, 22, 23 -> replaceWrongly(inode, file);
            case 15 -> truncate(path, file);
            case 16 -> append(path, inode, file);
            case 17 -> move(path);
            case 18 -> rewrite(inode, file);
            default -> {
                if (random.nextInt(3) == 0) {
                    ledger.done(ledger.delete(path));
                }
                ledger.apply(new Command.PurgeStep(ledger.now, 1 + random.nextInt(20)));
            }
        }
    }

    private void create(String path) {
        if (random.nextBoolean()) {
            Model file = new Model();
            long length = 1L + random.nextInt((int) LONGEST);
            CommandResult.Created created = ledger.open(path);
            ledger.close(created, length);
            file.extents.add(new Extent(0, length, created.first().group(), 0));
            file.length = length;
            files.put(created.status().inode(), file);
            return;
        }
        List<InodeId> inodes = new ArrayList<>();
        for (String each : List.of(path, path + "p")) {
            ledger.call(ledger.delete(each));
            CommandResult created = ledger.call(new CreateWithoutGroup(ledger.create(each, false)));
            inodes.add(((CommandResult.Status) created).status().inode());
        }
        CommandResult.Created pack =
                (CommandResult.Created) ledger.call(new OpenPack(ledger.request(), inodes.get(0), List.of()));
        List<PackedFile> committed = new ArrayList<>();
        for (InodeId inode : inodes) {
            Model file = new Model();
            long at = 8192L * committed.size();
            file.length = 2000;
            file.extents.add(new Extent(0, 1500, pack.first().group(), at));
            file.extents.add(new Extent(1500, 500, pack.first().group(), at + 4096));
            files.put(inode, file);
            committed.add(new PackedFile(
                    inode,
                    List.of(
                            new PackedFile.Piece(pack.first().group(), at, 1500),
                            new PackedFile.Piece(pack.first().group(), at + 4096, 500))));
        }
        ledger.call(new CommitFiles(ledger.request(), pack.status().inode(), committed));
        ledger.call(ledger.complete(pack, 16_384));
    }

    private void openUpdate(String path, Model file) {
        OpenUpdate open = new OpenUpdate(ledger.request(), new FilePath(path), ++nonces);
        if (file.updating) {
            ledger.refused(open, ErrorCode.LEASE_CONFLICT);
            return;
        }
        CommandResult.Updating opened = (CommandResult.Updating) ledger.call(open);
        file.updating = true;
        file.version++;
        file.nonce = file.patches.isEmpty() ? nonces : file.nonce;
        assertThat(opened.version()).isEqualTo(file.version);
        assertThat(opened.patches()).isEqualTo(file.patches);
    }

    private void addOrSeal(InodeId inode, Model file) {
        Optional<SealedGroup> word = word(file);
        if (!file.updating) {
            ledger.refused(new AddGroup(ledger.request(), inode, word, List.of()), ErrorCode.LEASE_CONFLICT);
        } else if (word.isPresent() && random.nextBoolean()) {
            ledger.call(new SealGroup(ledger.request(), inode, word.get()));
            seal(file, word);
        } else {
            CommandResult added = ledger.call(new AddGroup(ledger.request(), inode, word, List.of()));
            seal(file, word);
            file.open = Optional.of(((CommandResult.Allocated) added).group());
        }
    }

    private Optional<SealedGroup> word(Model file) {
        return file.open.map(group -> Ledger.sealed(group, random.nextInt(5) == 0 ? 0 : 1 + random.nextInt(99_999)));
    }

    private static void seal(Model file, Optional<SealedGroup> word) {
        word.filter(w -> w.length() > 0)
                .ifPresent(w -> file.patches.add(new PatchGroup(w.group(), Optional.empty(), w.length(), w.length())));
        file.open = Optional.empty();
    }

    private void complete(InodeId inode, Model file) {
        Optional<SealedGroup> word = word(file);
        CompleteFile complete = new CompleteFile(ledger.request(), inode, word);
        if (file.updating) {
            CommandResult closed = ledger.call(complete);
            seal(file, word);
            file.updating = false;
            assertThat(closed).isInstanceOf(CommandResult.Status.class);
            assertThat(ledger.call(new CompleteFile(ledger.request(), inode, word)))
                    .isEqualTo(closed);
        }
    }

    private void recover(InodeId inode, Model file) {
        if (!file.updating) {
            return;
        }
        ledger.apply(new Command.BeginRecovery(ledger.now, inode, "client"));
        if (file.open.isPresent()) {
            Optional<SealedGroup> word = word(file);
            ledger.apply(new Command.FinishRecovery(ledger.now, inode, word));
            seal(file, word);
        }
        file.updating = false;
    }

    private void replace(InodeId inode, Model file) {
        if (!file.updating) {
            ledger.refused(
                    new ReplaceLayout(ledger.request(), inode, file.version, file.length, file.extents, file.patches),
                    ErrorCode.LEASE_CONFLICT);
            return;
        }
        ReplaceLayout replace = layout(inode, file);
        CommandResult.Updating opened = (CommandResult.Updating) ledger.call(replace);
        file.extents = new ArrayList<>(replace.extents().orElse(file.extents));
        file.patches = new ArrayList<>(replace.patches());
        file.length = replace.length();
        file.version++;
        replaced++;
        assertThat(opened.version()).isEqualTo(file.version);
        assertThat(opened.patches()).isEqualTo(file.patches);
        assertThat(opened.status().length()).isEqualTo(file.length);
    }

    /** One that is allowed: parts of the extents, bytes of patch groups between them, some of the patches. */
    private ReplaceLayout layout(InodeId inode, Model file) {
        List<Extent> extents = new ArrayList<>();
        long at = random.nextInt(3) == 0 ? random.nextInt(1000) : 0;
        for (Extent old : file.extents) {
            if (at < old.fileOffset() && random.nextBoolean()) {
                at = fill(file, extents, at, old.fileOffset());
            }
            long from = Math.max(at, old.fileOffset() + (random.nextInt(3) == 0 ? random.nextInt(5000) : 0));
            if (random.nextInt(5) > 0 && from < old.fileEnd()) {
                long most = old.fileEnd() - from;
                long bytes = random.nextInt(3) == 0 ? 1 + random.nextInt((int) most) : most;
                extents.add(old.part(from - old.fileOffset(), bytes));
                at = from + bytes;
            }
        }
        long end = fill(file, extents, at, LONGEST * 2);
        List<PatchGroup> patches = new ArrayList<>();
        boolean few = random.nextBoolean();
        for (PatchGroup patch : file.patches) {
            if (random.nextInt(4) > (few ? 2 : 0)) {
                Optional<Long> index = patch.indexOffset().isEmpty() && random.nextBoolean()
                        ? Optional.of((long) random.nextInt((int) patch.length()))
                        : patch.indexOffset();
                long live = random.nextInt((int) patch.length() + 1);
                patches.add(new PatchGroup(patch.group(), index, patch.length(), live));
            }
        }
        long length = end + (random.nextBoolean() ? 0 : random.nextInt(10_000));
        return new ReplaceLayout(ledger.request(), inode, file.version, length, extents, patches);
    }

    /** Adds bytes of patch groups at most up to there; returns where they end. */
    private long fill(Model file, List<Extent> extents, long from, long to) {
        long at = from;
        while (!file.patches.isEmpty() && at < to && random.nextInt(3) > 0) {
            PatchGroup patch = file.patches.get(random.nextInt(file.patches.size()));
            long offset = random.nextInt((int) patch.length());
            long bytes = Math.min(to - at, 1 + random.nextInt((int) (patch.length() - offset)));
            extents.add(new Extent(at, bytes, patch.group(), offset));
            at += bytes;
        }
        return at;
    }

    private void replaceWrongly(InodeId inode, Model file) {
        ReplaceLayout right = layout(inode, file);
        if (!file.updating) {
            return;
        }
        Optional<ReplaceLayout> wrong = wrong(right, file);
        wrong.ifPresent(replace -> {
            refused++;
            ledger.refused(
                    replace, replace.version() == file.version ? ErrorCode.INVALID_ARGUMENT : ErrorCode.FILE_CHANGED);
        });
    }

    private Optional<ReplaceLayout> wrong(ReplaceLayout right, Model file) {
        List<Extent> extents = new ArrayList<>(right.extents().orElseThrow());
        List<PatchGroup> patches = new ArrayList<>(right.patches());
        long end = extents.isEmpty() ? 0 : extents.get(extents.size() - 1).fileEnd();
        int which = random.nextInt(12);
        PatchGroup some = patches.isEmpty() ? null : patches.remove(random.nextInt(patches.size()));
        Extent last = extents.isEmpty() ? null : extents.get(extents.size() - 1);
        switch (which) {
            case 0 -> {
                return Optional.of(with(right, file.version + (random.nextBoolean() ? 1 : -1), right.length()));
            }
            case 1 -> {
                return end == 0 ? Optional.empty() : Optional.of(with(right, file.version, end - 1));
            }
            case 2 -> {
                return Optional.of(with(right, file.version, ReplaceLayout.MOST_BYTES + 1));
            }
            case 3 -> { // bytes that it has nowhere
                GroupId nowhere = file.open.map(GroupFacts::group).orElse(new GroupId(99_999));
                extents.add(new Extent(end, 1, nowhere, 0));
            }
            case 4 -> {
                if (last == null) {
                    return Optional.empty();
                }
                extents.add(last);
            }
            case 5 -> { // an origin that the bytes do not have
                if (some == null) {
                    return Optional.empty();
                }
                Extent.Origin origin = new Extent.Origin(some.group(), 0);
                extents.add(new Extent(end, 1, some.group(), 0, Optional.of(origin)));
            }
            case 6 -> {
                if (some == null) {
                    return Optional.empty();
                }
                extents.add(new Extent(end, 2, some.group(), some.length() - 1));
            }
            case 7 -> { // the bytes of a base extent elsewhere in the file
                Optional<Extent> base = file.extents.stream()
                        .filter(extent ->
                                file.patches.stream().noneMatch(p -> p.group().equals(extent.group())))
                        .findAny();
                if (base.isEmpty()) {
                    return Optional.empty();
                }
                extents.add(base.get().at(Math.max(end, file.length) + 1));
            }
            case 8 -> {
                if (some == null) {
                    return Optional.empty();
                }
                patches.clear();
                patches.add(new PatchGroup(some.group(), some.indexOffset(), some.length(), some.length() + 1));
            }
            case 9 -> {
                if (some == null) {
                    return Optional.empty();
                }
                patches.clear();
                patches.add(new PatchGroup(some.group(), Optional.of(some.length()), some.length(), some.liveBytes()));
            }
            case 10 -> {
                Optional<PatchGroup> indexed = file.patches.stream()
                        .filter(patch -> patch.indexOffset().isPresent())
                        .findAny();
                if (indexed.isEmpty()) {
                    return Optional.empty();
                }
                PatchGroup of = indexed.get();
                patches.clear();
                patches.add(new PatchGroup(of.group(), Optional.empty(), of.length(), 0));
            }
            default -> { // twice, or a group that is no patch
                patches.clear();
                GroupId group = file.open
                        .map(GroupFacts::group)
                        .orElse(
                                file.extents.isEmpty()
                                        ? new GroupId(99_999)
                                        : file.extents.get(0).group());
                PatchGroup other = new PatchGroup(group, Optional.empty(), 1, 0);
                patches.addAll(some == null ? List.of(other) : List.of(some, some));
                if (some == null
                        && file.patches.stream().anyMatch(p -> p.group().equals(group))) {
                    return Optional.empty();
                }
            }
        }
        long length = Math.max(right.length(), LONGEST * 10);
        return Optional.of(
                new ReplaceLayout(ledger.request(), right.file(), right.version(), length, extents, patches));
    }

    private ReplaceLayout with(ReplaceLayout layout, long version, long length) {
        return new ReplaceLayout(
                ledger.request(),
                layout.file(),
                version,
                length,
                layout.extents().orElseThrow(),
                layout.patches());
    }

    private void truncate(String path, Model file) {
        long length = random.nextInt((int) LONGEST);
        Truncate truncate = new Truncate(ledger.request(), new FilePath(path), length, Optional.empty());
        if (file.updating) {
            ledger.refused(truncate, ErrorCode.LEASE_CONFLICT);
        } else if (!file.patches.isEmpty() || length > file.length) {
            ledger.refused(truncate, ErrorCode.INVALID_ARGUMENT);
        } else {
            ledger.call(truncate);
            file.length = length;
            file.extents.removeIf(extent -> extent.fileOffset() >= length);
            file.extents.replaceAll(e -> e.first(Math.min(e.length(), length - e.fileOffset())));
        }
    }

    private void append(String path, InodeId inode, Model file) {
        Append append = new Append(ledger.request(), new FilePath(path));
        if (!file.patches.isEmpty()) {
            ledger.refused(append, ErrorCode.INVALID_ARGUMENT);
        } else if (file.updating) {
            ledger.refused(append, ErrorCode.LEASE_CONFLICT);
        } else {
            CommandResult.Created again = (CommandResult.Created) ledger.call(append);
            ledger.refused(
                    new ReplaceLayout(ledger.request(), inode, 0, file.length, file.extents, List.of()),
                    ErrorCode.INVALID_ARGUMENT);
            long bytes = 1L + random.nextInt(9999);
            ledger.close(again, bytes);
            file.extents.add(new Extent(file.length, bytes, again.first().group(), 0));
            file.length += bytes;
            file.version = 0;
            file.nonce = 0;
        }
    }

    /** A rename over another file, or a concat of it. */
    private void move(String path) {
        String other = "/f" + random.nextInt(5);
        if (path.equals(other) || ledger.status(other).isEmpty()) {
            return;
        }
        Model target = files.get(ledger.status(path).orElseThrow().inode());
        Model source = files.get(ledger.status(other).orElseThrow().inode());
        Concat concat = new Concat(ledger.request(), new FilePath(path), List.of(new FilePath(other)));
        if (random.nextBoolean()) {
            ledger.call(ledger.rename(other, path, true));
        } else if (target.updating) {
            ledger.refused(concat, ErrorCode.LEASE_CONFLICT);
        } else if (!target.patches.isEmpty() || (!source.updating && !source.patches.isEmpty())) {
            ledger.refused(concat, ErrorCode.INVALID_ARGUMENT);
        } else if (source.updating) {
            ledger.refused(concat, ErrorCode.LEASE_CONFLICT);
        } else if (source.length > 0) {
            ledger.call(concat);
            source.extents.forEach(e -> target.extents.add(e.at(target.length + e.fileOffset())));
            target.length += source.length;
        }
    }

    /** Moves the extents of a file to another group, which an updatable one does not suffer. */
    private void rewrite(InodeId inode, Model file) {
        List<RewritePiece> pieces =
                file.extents.stream().map(e -> new RewritePiece(inode, e)).toList();
        CommandResult begun = pieces.isEmpty()
                ? new CommandResult.Done()
                : ledger.apply(new Command.BeginRewrite(ledger.now, pieces, OTHER, ledger.volumes, Ledger.STAMP));
        if (!file.patches.isEmpty() || file.updating) {
            assertThat(begun).isNotInstanceOf(CommandResult.Allocated.class);
        } else if (begun instanceof CommandResult.Allocated allocated) {
            ledger.apply(new Command.AbortRewrite(ledger.now, allocated.group().group()));
        }
    }

    private void check() {
        try (View view = ledger.store.view()) {
            Map<GroupId, Set<InodeId>> referrers = new HashMap<>();
            Map<GroupId, Long> live = new HashMap<>();
            long[] space = {0};
            view.scan(Table.INODES, new byte[0], null, (key, row) -> {
                Inode inode = Inodes.get(view, new InodeId(new RowReader(key).i64()));
                if (inode.body() instanceof Inode.File file) {
                    Stream.concat(
                                    file.extents().stream().map(Extent::group),
                                    file.patches().stream().map(Inode.Patch::group))
                            .forEach(group -> referrers
                                    .computeIfAbsent(group, each -> new HashSet<>())
                                    .add(inode.id()));
                    file.extents().forEach(e -> live.merge(e.group(), e.length(), Long::sum));
                    if (inode.parent().isPresent()) {
                        compare(view, inode, file, files.get(inode.id()));
                        space[0] += space(view, file, files.get(inode.id()));
                    }
                }
                return true;
            });
            files.values()
                    .forEach(file -> file.open.ifPresent(
                            group -> referrers.computeIfAbsent(group.group(), each -> new HashSet<>())));
            long[] counted = new long[2];
            Set<GroupId> present = new HashSet<>();
            Groups.scan(view, new GroupId(1), group -> {
                present.add(group.group());
                seen.put(group.group(), group);
                counted[group.open() ? 0 : 1]++;
                assertThat(referrers).as("who has %s", group).containsKey(group.group());
                if (PackedGroups.packed(group)) {
                    assertThat(group.liveBytes()).contains(live.get(group.group()));
                    assertThat(PackedGroups.files(view, group.group(), 0, 99))
                            .containsExactlyInAnyOrderElementsOf(referrers.get(group.group()));
                } else if (!group.open()) {
                    assertThat(referrers.get(group.group()))
                            .as("files of %s", group)
                            .hasSize(1);
                }
                return true;
            });
            assertThat(Counter.OPEN_GROUPS.of(view)).isEqualTo(counted[0]);
            assertThat(Counter.SEALED_GROUPS.of(view)).isEqualTo(counted[1]);
            seen.values().stream()
                    .filter(group -> !present.contains(group.group()))
                    .forEach(dropped::add);
            seen.keySet().retainAll(present);
            assertThat(Quotas.find(view, InodeId.ROOT).orElseThrow().used().space())
                    .isEqualTo(space[0]);
        }
    }

    private static void compare(View view, Inode inode, Inode.File file, Model model) {
        assertThat(file.extents()).as("extents of %s", inode).isEqualTo(model.extents);
        assertThat(file.length()).as("length of %s", inode).isEqualTo(model.length);
        assertThat(file.version()).as("version of %s", inode).isEqualTo(model.version);
        assertThat(file.nonce()).as("nonce of %s", inode).isEqualTo(model.nonce);
        assertThat(file.updating()).as("%s is being updated", inode).isEqualTo(model.updating);
        assertThat(PatchFacts.of(view, file).listed(file.patches()))
                .as("patches of %s", inode)
                .isEqualTo(model.patches);
        Set<GroupId> patched = new HashSet<>();
        for (PatchGroup patch : model.patches) {
            patched.add(patch.group());
            GroupOwner owner = Groups.find(view, patch.group()).orElseThrow().owner();
            assertThat(owner).isEqualTo(new GroupOwner.Patch(inode.id()));
        }
        for (Extent extent : file.extents()) {
            GroupFacts group = Groups.find(view, extent.group()).orElseThrow();
            if (!patched.contains(extent.group()) && !PackedGroups.packed(group)) {
                assertThat(group.owner()).as("owner of %s", extent).isEqualTo(new GroupOwner.File(inode.id()));
            }
        }
    }

    /** Each group once, but for packs; a group that is written as a full one. */
    private static long space(View view, Inode.File file, Model model) {
        Set<GroupId> counted = new HashSet<>();
        long sum = model.open.isPresent()
                ? new GroupLayout(file.policy(), file.policy().groupBytes()).storedBytes()
                : 0;
        List<GroupId> groups =
                new ArrayList<>(model.patches.stream().map(PatchGroup::group).toList());
        for (Extent extent : model.extents) {
            GroupFacts group = Groups.find(view, extent.group()).orElseThrow();
            if (PackedGroups.packed(group)) {
                sum += GroupLayout.storedBytes(group.policy(), extent.length());
            } else {
                groups.add(extent.group());
            }
        }
        for (GroupId id : groups) {
            GroupFacts group = Groups.find(view, id).orElseThrow();
            sum += counted.add(id) ? new GroupLayout(group.policy(), group.length()).storedBytes() : 0;
        }
        return sum;
    }

    /** Nothing is left of files that are deleted, and each chunk that was placed is garbage. */
    private void end() {
        ledger.list("/").forEach(name -> ledger.done(ledger.delete("/" + name)));
        while (!(ledger.apply(new Command.PurgeStep(ledger.now, 3)) instanceof CommandResult.Purged purged
                && purged.pending() == 0)) {
            check();
        }
        check();
        assertThat(seen).as("groups that are left").isEmpty();
        try (View view = ledger.store.view()) {
            for (GroupFacts group : dropped) {
                for (ChunkOnVolume chunk : group.stored()) {
                    assertThat(Garbage.contains(view, chunk))
                            .as("%s is garbage", chunk)
                            .isTrue();
                }
            }
        }
    }
}
