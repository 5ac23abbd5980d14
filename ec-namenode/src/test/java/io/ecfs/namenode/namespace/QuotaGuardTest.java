package io.ecfs.namenode.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.error.Invariant;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.namenode.namespace.inode.DirectorySettings;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.namespace.inode.Quotas;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QuotaGuardTest {
    private static final Optional<Long> NO_BOUND = Optional.empty();

    private final NamespaceRows rows = new NamespaceRows();
    private final Inode directory = rows.directory(rows.root, "d");

    @AfterEach
    void close() {
        rows.close();
    }

    private void limit(long names) {
        Quotas.set(rows.transaction, directory, Optional.of(names), NO_BOUND);
    }

    private static Void add(Transaction transaction, Inode parent, long id) {
        Inode.Directory body = new Inode.Directory(DirectorySettings.NONE);
        Inodes.put(
                transaction, new Inode(new InodeId(id), Optional.of(parent.id()), "n" + id, parent.attributes(), body));
        return null;
    }

    @Test
    void aCallMayFillADirectoryExactlyToItsBound() throws EcfsException {
        limit(3);
        QuotaGuard.within(rows.transaction, () -> add(rows.transaction, directory, 50));
        QuotaGuard.within(rows.transaction, () -> add(rows.transaction, directory, 51));
        assertThatThrownBy(() -> QuotaGuard.within(rows.transaction, () -> add(rows.transaction, directory, 52)))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.QUOTA_EXCEEDED))
                .hasMessageContaining("the quota of /d (" + directory.id() + ") is 3 names: there are 3, and it would"
                        + " come to 4");
    }

    @Test
    void onlyTheEndOfACallIsCompared() throws EcfsException {
        limit(1);
        String done = QuotaGuard.within(rows.transaction, () -> {
            add(rows.transaction, directory, 50);
            Inodes.delete(rows.transaction, new InodeId(50));
            return "done";
        });
        assertThat(done).isEqualTo("done");
    }

    @Test
    void aDirectoryAboveItsBoundMayShrinkAndStay() throws EcfsException {
        rows.directory(directory, "one");
        rows.directory(directory, "two");
        Inode child = rows.directory(directory, "child");
        limit(1);
        QuotaGuard.within(rows.transaction, () -> {
            Inode present = Inodes.get(rows.transaction, directory.id());
            Inodes.put(
                    rows.transaction,
                    present.withAttributes(present.attributes().withMode(0700)));
            return null;
        });
        QuotaGuard.within(rows.transaction, () -> {
            Inodes.delete(rows.transaction, child.id());
            return null;
        });
        assertThatThrownBy(() -> QuotaGuard.within(rows.transaction, () -> add(rows.transaction, directory, 52)))
                .hasMessageContaining("is 1 names");
    }

    @Test
    void aQuotaAboveIsCheckedToo() {
        Quotas.set(rows.transaction, rows.root, Optional.of(2L), NO_BOUND);
        assertThatThrownBy(() -> QuotaGuard.within(rows.transaction, () -> add(rows.transaction, directory, 50)))
                .hasMessageContaining("the quota of / (");
    }

    @Test
    void anotherBoundIsBytesOfChunks() {
        Quotas.set(rows.transaction, directory, NO_BOUND, Optional.of(100L));
        Inode file = rows.file(directory, "f");
        assertThatThrownBy(() -> QuotaGuard.within(rows.transaction, () -> {
                    Inodes.put(
                            rows.transaction,
                            Inodes.get(rows.transaction, file.id())
                                    .withBody(new Inode.File(
                                            NamespaceRows.POLICY,
                                            false,
                                            List.of(new Extent(0, 128, new GroupId(9), 0)))));
                    return null;
                }))
                .hasMessageContaining("is 100 bytes of chunks: there are 0, and it would come to 192");
    }

    @Test
    void aGuardedCallDoesNotCommit() {
        limit(10);
        assertThatThrownBy(() -> QuotaGuard.within(rows.transaction, () -> {
                    rows.transaction.commit();
                    return null;
                }))
                .isInstanceOf(Invariant.Broken.class);
    }
}
