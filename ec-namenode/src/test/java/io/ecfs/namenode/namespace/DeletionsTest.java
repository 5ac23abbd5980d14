package io.ecfs.namenode.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.EcfsException;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.namespace.inode.Leases;
import io.ecfs.namenode.store.KeyValueStore.Table;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeletionsTest {
    /**
     * Below {@code /d}: two empty directories, one of three files, and four files of 0 to 3 groups, the last one open.
     */
    private static Inode tree(NamespaceRows rows) throws EcfsException {
        Inode top = rows.directory(rows.root, "d");
        rows.directory(top, "empty");
        rows.directory(rows.directory(top, "outer"), "inner");
        Inode full = rows.directory(top, "full");
        for (int i = 0; i < 3; i++) {
            rows.append(rows.file(full, "f" + i), 100);
        }
        for (int groups = 0; groups < 4; groups++) {
            Inode file = rows.file(top, "g" + groups);
            for (int i = 0; i < groups; i++) {
                rows.append(file, 100);
            }
            if (groups == 3) {
                rows.openGroup(file);
            }
        }
        return top;
    }

    private static final int GROUPS = 3 + 6 + 1;

    private static void unlink(NamespaceRows rows, Inode inode) {
        Deletions.unlink(rows.scope(NamespaceRows.SUPERUSER), rows.root, Inodes.get(rows.transaction, inode.id()));
    }

    @Test
    void purgingLeavesNothingButGarbageWhateverTheBudget() throws EcfsException {
        for (int budget = 1; budget <= 60; budget += budget < 12 ? 1 : 16) {
            try (NamespaceRows rows = new NamespaceRows()) {
                unlink(rows, tree(rows));
                int steps = 0;
                while (Deletions.purge(rows.transaction, budget, 0) > 0) {
                    steps++;
                    assertThat(steps).isLessThan(100);
                }
                assertThat(rows.count(Table.INODES)).isEqualTo(1);
                for (Table empty : List.of(
                        Table.ENTRIES, Table.GROUPS, Table.CHUNKS_BY_VOLUME, Table.LEASES, Table.PENDING_DELETIONS)) {
                    assertThat(rows.count(empty))
                            .as("%s, budget %d", empty, budget)
                            .isZero();
                }
                assertThat(rows.count(Table.GARBAGE)).isEqualTo(GROUPS * NamespaceRows.POLICY.chunks());
                assertThat(Counter.FILES.of(rows.transaction)).isZero();
                assertThat(Counter.DIRECTORIES.of(rows.transaction)).isEqualTo(1);
                assertThat(Counter.OPEN_GROUPS.of(rows.transaction)).isZero();
                assertThat(Counter.SEALED_GROUPS.of(rows.transaction)).isZero();
                assertThat(Counter.SEALED_BYTES.of(rows.transaction)).isZero();
            }
        }
    }

    @Test
    void aStepTouchesAboutAsManyRowsAsItsBudget() throws EcfsException {
        try (NamespaceRows rows = new NamespaceRows()) {
            Inode top = rows.directory(rows.root, "d");
            for (int i = 0; i < 50; i++) {
                rows.file(top, "f" + i);
            }
            unlink(rows, top);
            for (int inodes = rows.count(Table.INODES);
                    rows.count(Table.INODES) > 1;
                    inodes = rows.count(Table.INODES)) {
                Deletions.purge(rows.transaction, 10, 0);
                assertThat(inodes - rows.count(Table.INODES)).isBetween(1, 10);
            }
        }
    }

    @Test
    void unlinkingTouchesOnlyTheTop() throws EcfsException {
        try (NamespaceRows rows = new NamespaceRows()) {
            Inode top = tree(rows);
            int inodes = rows.count(Table.INODES);
            int entries = rows.count(Table.ENTRIES);
            unlink(rows, top);
            assertThat(rows.count(Table.INODES)).isEqualTo(inodes);
            assertThat(rows.count(Table.ENTRIES)).isEqualTo(entries - 1);
            assertThat(rows.count(Table.GARBAGE)).isZero();
            assertThat(Inodes.get(rows.transaction, top.id()).parent()).isEmpty();
            assertThat(Inodes.get(rows.transaction, rows.root.id()).attributes().modifiedMillis())
                    .isEqualTo(NamespaceRows.NOW);
        }
    }

    @Test
    void theWriterOfAnUnlinkedFileLosesLeaseAndGroupAtOnce() throws EcfsException {
        try (NamespaceRows rows = new NamespaceRows()) {
            Inode file = rows.file(rows.root, "f");
            GroupFacts open = rows.openGroup(file);
            unlink(rows, file);
            assertThat(Leases.find(rows.transaction, file.id())).isEmpty();
            assertThat(rows.count(Table.GROUPS)).isZero();
            assertThat(rows.count(Table.GARBAGE)).isEqualTo(open.stored().size());
            assertThat(Inodes.find(rows.transaction, file.id())).isPresent();
        }
    }

    @Test
    void deletionsAreFinishedInTheirOrderUpToTheGivenOne() throws EcfsException {
        try (NamespaceRows rows = new NamespaceRows()) {
            Inode first = rows.file(rows.root, "first");
            Inode second = rows.file(rows.root, "second");
            Inode third = rows.file(rows.root, "third");
            List.of(second, first, third).forEach(file -> unlink(rows, file));
            assertThat(Deletions.purge(rows.transaction, 1000, 1)).isEqualTo(2);
            assertThat(Inodes.find(rows.transaction, second.id())).isEmpty();
            assertThat(Inodes.find(rows.transaction, first.id())).isPresent();
            assertThat(Deletions.purge(rows.transaction, 1000, 2)).isEqualTo(1);
            assertThat(Inodes.find(rows.transaction, first.id())).isEmpty();
            assertThat(Deletions.purge(rows.transaction, 1000, 2)).isEqualTo(1);
            assertThat(Deletions.purge(rows.transaction, 1000, 0)).isZero();
        }
    }
}
