package io.ecfs.namenode.namespace.inode;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.namenode.namespace.NamespaceRows;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.store.KeyValueStore.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeasesTest {
    private static final Optional<String> ADA = Optional.of("ada");
    private static final Optional<GroupId> GROUP = Optional.of(new GroupId(300));

    private NamespaceRows rows = new NamespaceRows();

    @AfterEach
    void close() {
        rows.close();
    }

    private static Lease lease(long file) {
        return new Lease(new InodeId(file), "c", ADA, 258, false, GROUP);
    }

    private void is(Lease lease, String hex) {
        Leases.put(rows.transaction, lease);
        assertThat(rows.transaction.get(Table.LEASES, Keys.number(lease.file().value())))
                .asHexString()
                .isEqualToIgnoringCase(hex.replace(" ", ""));
    }

    @Test
    void aLeaseBelongsToAClientOfAUser() {
        assertThat(lease(2).heldBy("c", "ada")).isTrue();
        assertThat(lease(2).heldBy("c", "bob")).isFalse();
        assertThat(lease(2).heldBy("d", "ada")).isFalse();
        Lease ofNobody = new Lease(new InodeId(2), "c", Optional.empty(), 1, false, GROUP);
        assertThat(ofNobody.heldBy("c", "bob")).isTrue();
        assertThat(ofNobody.heldBy("d", "bob")).isFalse();
    }

    @Test
    void recoveryBeginsAtItsOwnTimeWithTheSameGroup() {
        assertThat(lease(2).inRecovery(900)).isEqualTo(new Lease(new InodeId(2), "c", ADA, 900, true, GROUP));
        assertThat(lease(2).withOpenGroup(Optional.empty()))
                .isEqualTo(new Lease(new InodeId(2), "c", ADA, 258, false, Optional.empty()));
    }

    @Test
    void refusalsDoNotNameTheHolder() {
        assertThat(lease(2).holderInWords()).isEqualTo("it is being written by another client");
        assertThat(lease(2).inRecovery(1).holderInWords())
                .isEqualTo("it was taken from its writer and is being closed");
    }

    @Test
    void aLeaseIsReadAsItWasWritten() {
        for (boolean recovering : List.of(false, true)) {
            for (Optional<GroupId> group : List.of(GROUP, Optional.<GroupId>empty())) {
                Lease lease = new Lease(new InodeId(2), "client", ADA, Long.MAX_VALUE, recovering, group);
                Leases.put(rows.transaction, lease);
                assertThat(Leases.find(rows.transaction, lease.file())).contains(lease);
            }
        }
        assertThat(Leases.find(rows.transaction, new InodeId(3))).isEmpty();
    }

    @Test
    void theRowOfALeaseHasTheseBytes() {
        is(lease(2), "02 0163 0000000000000102 00 ac02 03616461");
        is(lease(2).inRecovery(1).withOpenGroup(Optional.empty()), "02 0163 0000000000000001 01 00 03616461");
    }

    @Test
    void aLeaseOfLevelOneHasNoUser() {
        rows.close();
        rows = new NamespaceRows(FeatureLevel.FIRST);
        is(lease(2), "01 0163 0000000000000102 00 ac02");
        assertThat(Leases.find(rows.transaction, new InodeId(2)).orElseThrow().user())
                .isEmpty();
    }

    @Test
    void pagesOfLeasesAreInTheOrderOfTheFiles() {
        for (long file = 1000; file >= 100; file -= 100) {
            Leases.put(rows.transaction, lease(file));
        }
        Leases.delete(rows.transaction, new InodeId(500));
        List<Long> files = new ArrayList<>();
        List<Lease> page = Leases.page(rows.transaction, 0, 2);
        while (!page.isEmpty() && files.size() < 20) {
            assertThat(page).hasSizeLessThanOrEqualTo(2);
            page.forEach(lease -> files.add(lease.file().value()));
            page = Leases.page(rows.transaction, files.get(files.size() - 1), 2);
        }
        assertThat(files).containsExactly(100L, 200L, 300L, 400L, 600L, 700L, 800L, 900L, 1000L);
    }
}
