package io.ecfs.namenode.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.AddGroup;
import io.ecfs.message.namespace.NamespaceRequest.CommitFiles;
import io.ecfs.message.namespace.NamespaceRequest.CompleteFile;
import io.ecfs.message.namespace.NamespaceRequest.Concat;
import io.ecfs.message.namespace.NamespaceRequest.CreateWithoutGroup;
import io.ecfs.message.namespace.NamespaceRequest.OpenPack;
import io.ecfs.message.namespace.NamespaceRequest.SetMode;
import io.ecfs.message.namespace.NamespaceRequest.SetQuota;
import io.ecfs.message.namespace.NamespaceRequest.Truncate;
import io.ecfs.message.namespace.PackedFile;
import io.ecfs.message.namespace.RefusedFile;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.Groups;
import io.ecfs.namenode.group.PackedGroups;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.namespace.inode.Quotas;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.state.Ledger;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.View;
import io.ecfs.namenode.store.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that share groups of a pack: commit, what a group counts as live, and what is left when files go. */
class PackFactsTest {
    private final Ledger ledger = new Ledger(new MemoryStore());

    private InodeId create(String path) {
        NamespaceRequest.Create create = ledger.create(path, true);
        return ((CommandResult.Status) ledger.call(new CreateWithoutGroup(create)))
                .status()
                .inode();
    }

    private CommandResult.Created pack(InodeId like) {
        return (CommandResult.Created) ledger.call(new OpenPack(ledger.request(), like, List.of()));
    }

    private List<RefusedFile> commit(CommandResult.Created pack, PackedFile... files) {
        CommandResult done =
                ledger.call(new CommitFiles(ledger.request(), pack.status().inode(), List.of(files)));
        return ((CommandResult.Committed) done).refused();
    }

    private static PackedFile piece(InodeId file, GroupId group, long offset, long length) {
        return new PackedFile(file, List.of(new PackedFile.Piece(group, offset, length)));
    }

    private Optional<GroupFacts> group(GroupId id) {
        try (View view = ledger.store.view()) {
            return Groups.find(view, id);
        }
    }

    private long live(GroupId id) {
        return group(id).orElseThrow().liveBytes().orElseThrow();
    }

    private void purge() {
        ledger.apply(new Command.PurgeStep(ledger.now, 1000));
    }

    private CommandResult close(CommandResult.Created pack, long length) {
        return ledger.call(ledger.complete(pack, length));
    }

    @Test
    void filesOfAPackAreClosedTogetherAndTheirGroupOutlivesIt() {
        InodeId a = create("/a");
        InodeId b = create("/b");
        assertThat(ledger.status("/a").orElseThrow().open()).as("seen at once").isTrue();
        CommandResult.Created pack = pack(a);
        GroupId group = pack.first().group();
        assertThat(commit(pack, piece(a, group, 0, 100), piece(b, group, 4096, 50)))
                .isEmpty();
        assertThat(ledger.status("/a").orElseThrow().open()).isFalse();
        assertThat(ledger.status("/b").orElseThrow().length()).isEqualTo(50);
        assertThat(ledger.hasLease(a)).isFalse();
        assertThat(live(group)).isEqualTo(150);
        close(pack, 4146);
        assertThat(ledger.hasLease(pack.status().inode())).isFalse();
        assertThat(group(group).orElseThrow().length()).isEqualTo(4146);
        assertThat(ledger.list("/")).containsExactly("a", "b");
    }

    @Test
    void aGroupGoesWithItsLastFile() {
        InodeId a = create("/a");
        InodeId b = create("/b");
        CommandResult.Created pack = pack(a);
        GroupId group = pack.first().group();
        commit(pack, piece(a, group, 0, 100), piece(b, group, 4096, 50));
        close(pack, 4146);
        ledger.done(ledger.delete("/a"));
        purge();
        assertThat(live(group)).isEqualTo(50);
        ledger.call(new Truncate(ledger.request(), new FilePath("/b"), 20, Optional.empty()));
        assertThat(live(group)).isEqualTo(20);
        ledger.call(new Truncate(ledger.request(), new FilePath("/b"), 0, Optional.empty()));
        purge();
        assertThat(group(group)).isEmpty();
    }

    @Test
    void anOpenGroupStaysWithoutFilesAndGoesWhenItIsSealed() {
        InodeId a = create("/a");
        CommandResult.Created pack = pack(a);
        GroupId group = pack.first().group();
        commit(pack, piece(a, group, 0, 100));
        ledger.done(ledger.delete("/a"));
        purge();
        assertThat(live(group)).isZero();
        InodeId b = create("/b");
        AddGroup next = new AddGroup(
                ledger.request(), pack.status().inode(), Optional.of(Ledger.sealed(pack.first(), 100)), List.of());
        CommandResult.Allocated second = (CommandResult.Allocated) ledger.call(next);
        assertThat(group(group)).isEmpty();
        assertThat(commit(pack, piece(b, second.group().group(), 0, 10))).isEmpty();
    }

    @Test
    void oneRefusedFileKeepsNothingFromTheOthers() {
        InodeId a = create("/a");
        InodeId b = create("/b");
        InodeId c = create("/c");
        CommandResult.Created pack = pack(a);
        GroupId group = pack.first().group();
        ledger.done(new SetMode(ledger.request(), new FilePath("/b"), 0600));
        CommandResult.Created own = ledger.open("/own");
        List<RefusedFile> refused = commit(
                pack,
                piece(a, group, 0, 1),
                piece(b, group, 4096, 1),
                piece(c, own.first().group(), 0, 1),
                piece(own.status().inode(), group, 8192, 1),
                piece(new InodeId(999), group, 0, 1));
        assertThat(refused)
                .extracting(RefusedFile::code)
                .containsExactly(
                        ErrorCode.INVALID_ARGUMENT,
                        ErrorCode.INVALID_ARGUMENT,
                        ErrorCode.INVALID_ARGUMENT,
                        ErrorCode.NOT_FOUND);
        assertThat(ledger.status("/a").orElseThrow().length()).isEqualTo(1);
        assertThat(ledger.status("/b").orElseThrow().open()).isTrue();
        assertThat(live(group)).isEqualTo(1);
    }

    @Test
    void nothingIsCommittedToAPackThatWasTakenFromItsClient() {
        InodeId a = create("/a");
        CommandResult.Created pack = pack(a);
        InodeId inode = pack.status().inode();
        ledger.apply(new Command.BeginRecovery(ledger.now, inode, "client"));
        ledger.refused(
                new CommitFiles(
                        ledger.request(), inode, List.of(piece(a, pack.first().group(), 0, 1))),
                ErrorCode.LEASE_CONFLICT);
        ledger.apply(new Command.FinishRecovery(ledger.now, inode, Optional.of(Ledger.sealed(pack.first(), 5))));
        assertThat(ledger.hasLease(inode)).isFalse();
        assertThat(group(pack.first().group())).as("no file has bytes in it").isEmpty();
    }

    @Test
    void aFileOverItsQuotaIsRefusedAlone() {
        ledger.done(ledger.mkdirs("/q"));
        ledger.done(new SetQuota(ledger.request(), new FilePath("/q"), Optional.empty(), Optional.of(1000L)));
        InodeId big = create("/q/big");
        InodeId free = create("/free");
        CommandResult.Created pack = pack(big);
        GroupId group = pack.first().group();
        assertThat(commit(pack, piece(big, group, 0, 5000), piece(free, group, 8192, 5000)))
                .extracting(RefusedFile::code)
                .containsExactly(ErrorCode.QUOTA_EXCEEDED);
        assertThat(live(group)).isEqualTo(5000);
    }

    /** Calls in any order; after each, what the groups count is what the files have. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void liveBytesAndQuotasAreThoseOfTheExtents(long seed) {
        Random random = new Random(seed);
        ledger.done(new SetQuota(ledger.request(), new FilePath("/"), Optional.of(1L << 40), Optional.empty()));
        CommandResult.Created pack = pack(create("/first"));
        GroupFacts open = pack.first();
        long end = 0;
        for (int step = 0; step < 400; step++) {
            String path = "/f" + random.nextInt(12);
            String other = "/f" + random.nextInt(12);
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    InodeId file = create(path);
                    long length = 1L + random.nextInt(10_000);
                    assertThat(commit(pack, piece(file, open.group(), end, length)))
                            .isEmpty();
                    end += length;
                }
                case 3 -> ledger.call(ledger.delete(path));
                case 4 ->
                    ledger.call(
                            new Truncate(ledger.request(), new FilePath(path), random.nextInt(6000), Optional.empty()));
                case 5 -> ledger.call(new Concat(ledger.request(), new FilePath(path), List.of(new FilePath(other))));
                case 6 -> ledger.apply(new Command.PurgeStep(ledger.now, 1 + random.nextInt(5)));
                default -> {
                    if (end > 0 && random.nextInt(3) == 0) {
                        ledger.call(new CompleteFile(
                                ledger.request(), pack.status().inode(), Optional.of(Ledger.sealed(open, end))));
                        pack = pack(create("/first"));
                        open = pack.first();
                        end = 0;
                    }
                }
            }
            check();
        }
    }

    private void check() {
        Map<GroupId, Long> live = new TreeMap<>();
        Map<GroupId, TreeSet<InodeId>> files = new TreeMap<>();
        try (View view = ledger.store.view()) {
            List<Inode> inodes = new ArrayList<>();
            view.scan(Table.INODES, new byte[0], null, (key, row) -> {
                inodes.add(Inodes.get(view, new InodeId(new RowReader(key).i64())));
                return true;
            });
            long space = 0;
            for (Inode inode : inodes) {
                if (inode.body() instanceof Inode.File file) {
                    for (Extent extent : file.extents()) {
                        live.merge(extent.group(), extent.length(), Long::sum);
                        files.computeIfAbsent(extent.group(), g -> new TreeSet<>())
                                .add(inode.id());
                    }
                    space += inode.parent().isPresent() ? Quotas.space(view, file) : 0;
                }
            }
            Groups.scan(view, new GroupId(1), group -> {
                assertThat(group.liveBytes()).contains(live.getOrDefault(group.group(), 0L));
                assertThat(group.open() || group.liveBytes().orElseThrow() > 0).isTrue();
                assertThat(PackedGroups.files(view, group.group(), 0, 1000))
                        .containsExactlyElementsOf(files.getOrDefault(group.group(), new TreeSet<>()));
                return true;
            });
            live.keySet().forEach(group -> assertThat(Groups.find(view, group)).isPresent());
            assertThat(Quotas.find(view, InodeId.ROOT).orElseThrow().used().space())
                    .isEqualTo(space);
            assertThat(Counter.FILES.of(view))
                    .isEqualTo(inodes.stream()
                            .filter(inode -> !inode.isDirectory() && !inode.isPack())
                            .count());
        }
    }
}
