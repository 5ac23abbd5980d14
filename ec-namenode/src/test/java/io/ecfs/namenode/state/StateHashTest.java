package io.ecfs.namenode.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.ErrorCode;
import io.ecfs.message.RequestId;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.entry.CommandCodec;
import io.ecfs.namenode.store.KeyValueStore;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import io.ecfs.namenode.store.MemoryStore;
import org.junit.jupiter.api.Test;

class StateHashTest {
    private static long hashOf(long number, String refusal) {
        return hashOf(number, 1, refusal);
    }

    private static long hashOf(long number, long oldestOpen, String refusal) {
        KeyValueStore store = new MemoryStore();
        try (Transaction transaction = store.begin()) {
            byte[] answer = new CommandCodec().encode(new CommandResult.Refused(ErrorCode.NOT_FOUND, refusal));
            NamespaceRequest.OpenSession call =
                    new NamespaceRequest.OpenSession(RequestId.of("client", number, oldestOpen));
            RetryCache.of(transaction, "ada", call).remember(transaction, answer, 1000);
            transaction.commit();
        }
        try (View view = store.view()) {
            return StateHash.of(view);
        }
    }

    @Test
    void aRewordedRefusalIsTheSameStateAndAnAnswerToAnotherCallIsNot() {
        assertThat(hashOf(7, "no such file: /a")).isEqualTo(hashOf(7, "/a does not exist"));
        assertThat(hashOf(7, "no such file: /a")).isNotEqualTo(hashOf(8, "no such file: /a"));
    }

    /** What a session refuses is decided by its row: namenodes on which it differs answer differently. */
    @Test
    void anotherFloorOfASessionIsAnotherState() {
        assertThat(hashOf(7, 5, "no such file: /a")).isNotEqualTo(hashOf(7, 6, "no such file: /a"));
    }
}
