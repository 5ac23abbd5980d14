package io.ecfs.namenode.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.message.datanode.TokenKey;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.MemoryStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TokenKeysTest {
    private final MemoryStore store = new MemoryStore();
    private final Transaction transaction = store.begin();

    @AfterEach
    void close() {
        transaction.close();
        store.close();
    }

    private static TokenKey key(int id, long expires) {
        byte[] secret = new byte[TokenKey.SECRET_BYTES];
        secret[0] = (byte) id;
        return new TokenKey(id, secret, expires);
    }

    @Test
    void keysAreInTheOrderOfTheirIds() throws EcfsException {
        for (int id : new int[] {1, 255, 256, 65536}) {
            TokenKeys.roll(transaction, key(id, 1000), 0);
        }
        assertThat(TokenKeys.all(transaction))
                .containsExactly(key(1, 1000), key(255, 1000), key(256, 1000), key(65536, 1000));
    }

    @Test
    void expiredKeysGoWithTheNextOne() throws EcfsException {
        TokenKeys.roll(transaction, key(1, 100), 0);
        TokenKeys.roll(transaction, key(2, 200), 0);
        TokenKeys.roll(transaction, key(3, 300), 99);
        assertThat(TokenKeys.all(transaction)).containsExactly(key(1, 100), key(2, 200), key(3, 300));
        TokenKeys.roll(transaction, key(4, 400), 100);
        assertThat(TokenKeys.all(transaction)).containsExactly(key(2, 200), key(3, 300), key(4, 400));
    }

    @Test
    void anIdIsNeverUsedAgain() throws EcfsException {
        TokenKeys.roll(transaction, key(5, 100), 0);
        for (int id : new int[] {5, 4, 1}) {
            assertThatThrownBy(() -> TokenKeys.roll(transaction, key(id, 9000), 1000))
                    .hasMessage("token key " + id + " comes after key 5");
        }
        TokenKeys.roll(transaction, key(6, 9000), 1000);
        assertThat(TokenKeys.all(transaction)).containsExactly(key(6, 9000));
    }
}
