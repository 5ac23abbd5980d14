package io.ecfs.namenode.namespace.inode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.namespace.NamespaceRows;
import io.ecfs.namenode.namespace.inode.Quotas.Quota;
import io.ecfs.namenode.namespace.inode.Quotas.Usage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QuotasTest {
    private static final Optional<Long> MANY = Optional.of(1000L);
    private static final Optional<Long> NO_BOUND = Optional.empty();

    /** Of rs-2-1: two of three chunks are data. */
    private static final long STRIPE = NamespaceRows.POLICY.stripeBytes();

    private static final long STORED_STRIPE = STRIPE / 2 * 3;
    private static final long STORED_GROUP = NamespaceRows.POLICY.groupBytes() / 2 * 3;

    private final NamespaceRows rows = new NamespaceRows();
    private long lastGroup = 1000;

    @AfterEach
    void close() {
        rows.close();
    }

    private Inode.File file(int stripes) {
        List<Extent> extents = new ArrayList<>();
        for (int i = 0; i < stripes; i++) {
            extents.add(new Extent(i * STRIPE, STRIPE, new GroupId(++lastGroup), 0));
        }
        return new Inode.File(NamespaceRows.POLICY, false, extents);
    }

    private Usage used(Inode directory) {
        return Quotas.find(rows.transaction, directory.id()).orElseThrow().used();
    }

    private void limit(Inode directory) {
        Quotas.set(rows.transaction, directory, MANY, NO_BOUND);
    }

    private Lease lease(Inode file, boolean group) {
        Optional<GroupId> open = group ? Optional.of(new GroupId(9)) : Optional.empty();
        return new Lease(file.id(), "c", Optional.of("u"), 1, false, open);
    }

    @Test
    void aQuotaCountsTheDirectoryItselfAndAllBelow() {
        Inode top = rows.directory(rows.root, "top");
        Inode below = rows.directory(top, "below");
        rows.add(below, "f", top.attributes(), file(3));
        limit(top);
        assertThat(used(top)).isEqualTo(new Usage(3, 3 * STORED_STRIPE));
        rows.add(below, "g", top.attributes(), file(1));
        assertThat(used(top)).isEqualTo(new Usage(4, 4 * STORED_STRIPE));
    }

    @Test
    void anOpenGroupCountsAsAFullOneWhileItIsLeased() {
        limit(rows.root);
        Inode file = rows.file(rows.root, "f");
        Leases.put(rows.transaction, lease(file, true));
        assertThat(used(rows.root)).isEqualTo(new Usage(2, STORED_GROUP));
        Leases.put(rows.transaction, lease(file, true));
        assertThat(used(rows.root)).isEqualTo(new Usage(2, STORED_GROUP));
        Leases.put(rows.transaction, lease(file, false));
        assertThat(used(rows.root)).isEqualTo(new Usage(2, 0));
        Leases.put(rows.transaction, lease(file, true));
        Leases.delete(rows.transaction, file.id());
        assertThat(used(rows.root)).isEqualTo(new Usage(2, 0));
    }

    @Test
    void aSealedGroupCountsWholeWhereATruncateLeftAPart() throws EcfsException {
        Inode file = rows.file(rows.root, "f");
        GroupId group = rows.append(file, 4 * STRIPE).group();
        Inode.File cut = new Inode.File(NamespaceRows.POLICY, false, List.of(new Extent(0, STRIPE, group, 0)));
        assertThat(Quotas.space(rows.transaction, cut)).isEqualTo(4 * STORED_STRIPE);
    }

    @Test
    void aTailTakesTheSpaceOfItsChunks() {
        Extent tail = new Extent(0, STRIPE + 1, new GroupId(999), 0);
        Inode.File file = new Inode.File(NamespaceRows.POLICY, false, List.of(tail));
        assertThat(Quotas.space(rows.transaction, file))
                .as("one byte in chunk 0, a cell of 64 bytes in the parity")
                .isEqualTo(STORED_STRIPE + 1 + 64);
    }

    @Test
    void aQuotaWithoutBoundsIsForgotten() {
        limit(rows.root);
        assertThat(Counter.QUOTAS.of(rows.transaction)).isEqualTo(1);
        Quotas.set(rows.transaction, rows.root, NO_BOUND, MANY);
        assertThat(Quotas.find(rows.transaction, InodeId.ROOT)).contains(new Quota(NO_BOUND, MANY, new Usage(1, 0)));
        Quotas.set(rows.transaction, rows.root, NO_BOUND, NO_BOUND);
        Quotas.set(rows.transaction, rows.root, NO_BOUND, NO_BOUND);
        assertThat(Quotas.find(rows.transaction, InodeId.ROOT)).isEmpty();
        assertThat(Counter.QUOTAS.of(rows.transaction)).isZero();
    }

    @Test
    void aBoundOfZeroIsABound() {
        Quotas.set(rows.transaction, rows.root, Optional.of(0L), Optional.of(0L));
        assertThat(Quotas.find(rows.transaction, InodeId.ROOT))
                .contains(new Quota(Optional.of(0L), Optional.of(0L), new Usage(1, 0)));
    }

    @Test
    void deletingADirectoryForgetsItsQuota() {
        Inode directory = rows.directory(rows.root, "d");
        limit(directory);
        Inodes.delete(rows.transaction, directory.id());
        assertThat(Quotas.find(rows.transaction, directory.id())).isEmpty();
        assertThat(Counter.QUOTAS.of(rows.transaction)).isZero();
    }

    @Test
    void usagesAddWithoutOverflow() {
        assertThat(new Usage(1, 2).plus(new Usage(3, 4).negated())).isEqualTo(new Usage(-2, -2));
        assertThat(catchThrowable(() -> new Usage(0, Long.MAX_VALUE).plus(new Usage(0, 1))))
                .isInstanceOf(ArithmeticException.class);
    }

    /** Random calls beside a map of parents and sizes, which is added up anew after each. */
    @Test
    void usageIsAlwaysTheSumOfWhatLiesBelow() {
        for (int seed = 1; seed <= 4; seed++) {
            try (NamespaceRows fresh = new NamespaceRows()) {
                new Walk(fresh, new Random(seed)).run();
            }
        }
    }

    private final class Walk {
        private final NamespaceRows rows;
        private final Random random;
        private final List<Inode> directories = new ArrayList<>();
        private final List<Inode> files = new ArrayList<>();
        private final Map<InodeId, InodeId> parents = new HashMap<>();
        private final Map<InodeId, Integer> stripes = new HashMap<>();
        private final Set<InodeId> writing = new HashSet<>();
        private final Set<InodeId> limited = new HashSet<>();

        Walk(NamespaceRows rows, Random random) {
            this.rows = rows;
            this.random = random;
            directories.add(rows.root);
        }

        private Inode any(List<Inode> list) {
            return list.get(random.nextInt(list.size()));
        }

        void run() {
            for (int step = 0; step < 120; step++) {
                step("n" + step);
                for (InodeId directory : limited) {
                    assertThat(Quotas.find(rows.transaction, directory)
                                    .orElseThrow()
                                    .used())
                            .isEqualTo(sum(directory));
                }
            }
        }

        private Usage sum(InodeId directory) {
            long names = 0;
            long space = 0;
            List<Inode> all = new ArrayList<>(directories);
            all.addAll(files);
            for (Inode inode : all) {
                if (isBelow(inode.id(), directory)) {
                    names++;
                    space += stripes.getOrDefault(inode.id(), 0) * STORED_STRIPE
                            + (writing.contains(inode.id()) ? STORED_GROUP : 0);
                }
            }
            return new Usage(names, space);
        }

        private boolean isBelow(InodeId inode, InodeId directory) {
            InodeId at = inode;
            while (at != null && !at.equals(directory)) {
                at = parents.get(at);
            }
            return at != null;
        }

        private void step(String name) {
            switch (files.isEmpty() ? random.nextInt(2) : random.nextInt(7)) {
                case 0 -> add(directories, rows.directory(any(directories), name));
                case 1 -> {
                    int length = random.nextInt(3);
                    Inode file = rows.add(any(directories), name, rows.root.attributes(), file(length));
                    add(files, file);
                    stripes.put(file.id(), length);
                }
                case 2 -> {
                    Inode file = any(files);
                    boolean group = random.nextBoolean();
                    Leases.put(rows.transaction, lease(file, group));
                    note(file, group);
                }
                case 3 -> {
                    Inode file = any(files);
                    int length = random.nextInt(3);
                    Inodes.put(
                            rows.transaction,
                            Inodes.get(rows.transaction, file.id()).withBody(file(length)));
                    stripes.put(file.id(), length);
                }
                case 4 -> {
                    Inode directory = any(directories);
                    Quotas.set(rows.transaction, directory, MANY, NO_BOUND);
                    limited.add(directory.id());
                }
                case 5 -> move(name);
                default -> {
                    Inode file = any(files);
                    Leases.delete(rows.transaction, file.id());
                    Inode present = Inodes.get(rows.transaction, file.id());
                    Directories.delete(rows.transaction, present.parent().orElseThrow(), present.name());
                    Inodes.delete(rows.transaction, file.id());
                    files.remove(file);
                    note(file, false);
                }
            }
        }

        private void note(Inode file, boolean group) {
            if (group) {
                writing.add(file.id());
            } else {
                writing.remove(file.id());
            }
        }

        private void add(List<Inode> list, Inode inode) {
            list.add(inode);
            parents.put(inode.id(), inode.parent().orElseThrow());
        }

        private void move(String name) {
            Inode moved = any(random.nextBoolean() ? files : directories);
            Inode to = any(directories);
            if (moved.isRoot() || isBelow(to.id(), moved.id())) {
                return;
            }
            Inode present = Inodes.get(rows.transaction, moved.id());
            Directories.delete(rows.transaction, present.parent().orElseThrow(), present.name());
            Inodes.put(rows.transaction, present.movedTo(to.id(), name));
            Directories.put(rows.transaction, to.id(), name, moved.id());
            parents.put(moved.id(), to.id());
        }
    }
}
