package io.ecfs.namenode.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.Policy;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.MemoryStore;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterIdentityTest {
    private static final ClusterIdentity IDENTITY =
            new ClusterIdentity("id-é", "ada", Policy.parse("lrc-12-2-2"), Long.MAX_VALUE);

    @Test
    void anIdentityIsReadAsItWasWritten() {
        try (MemoryStore store = new MemoryStore();
                Transaction transaction = store.begin()) {
            assertThat(ClusterIdentity.find(transaction)).isEmpty();
            IDENTITY.put(transaction);
            assertThat(ClusterIdentity.find(transaction)).contains(IDENTITY);
        }
    }

    @Test
    void superusersAreTheOwnerAndTheSupergroup() {
        assertThat(IDENTITY.superuser("ada", List.of())).isTrue();
        assertThat(IDENTITY.superuser("bob", List.of("staff", "supergroup"))).isTrue();
        assertThat(IDENTITY.superuser("bob", List.of("ada", "Supergroup"))).isFalse();
        assertThat(IDENTITY.superuser("supergroup", List.of())).isFalse();
    }
}
