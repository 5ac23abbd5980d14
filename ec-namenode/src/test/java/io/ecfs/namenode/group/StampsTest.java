package io.ecfs.namenode.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.MemoryStore;
import org.junit.jupiter.api.Test;

class StampsTest {
    @Test
    void theLastNumberOfAnEpochIsFollowedByARefusal() throws EcfsException {
        try (MemoryStore store = new MemoryStore();
                Transaction transaction = store.begin()) {
            Counter.LAST_GROUP.add(transaction, GroupId.MAX_NUMBER - 1);
            assertThat(Stamps.next(transaction)).isEqualTo(GroupId.of(0, GroupId.MAX_NUMBER));
            assertThatThrownBy(() -> Stamps.next(transaction))
                    .isInstanceOfSatisfying(
                            EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_SPACE))
                    .hasMessageContaining("all group numbers of epoch 0 are given out");
            assertThat(Counter.LAST_GROUP.of(transaction)).isEqualTo(GroupId.MAX_NUMBER);

            assertThat(Stamps.beginEpoch(transaction)).isEqualTo(1);
            assertThat(Stamps.next(transaction)).isEqualTo(GroupId.of(1, 1));
        }
    }

    @Test
    void anEpochInWhichNothingWasAllocatedHasNoLastNumber() throws EcfsException {
        try (MemoryStore store = new MemoryStore();
                Transaction transaction = store.begin()) {
            assertThat(Stamps.beginEpoch(transaction)).isEqualTo(1);
            assertThat(Stamps.lastNumber(transaction, 0)).isZero();
            assertThat(Stamps.next(transaction)).isEqualTo(GroupId.of(1, 1));
            assertThat(Stamps.lastNumber(transaction, 1)).isEqualTo(1);
            assertThat(Stamps.lastNumber(transaction, 0)).isZero();
        }
    }

    @Test
    void noEpochFollowsTheLastOne() {
        try (MemoryStore store = new MemoryStore();
                Transaction transaction = store.begin()) {
            Counter.LAST_GROUP.add(
                    transaction, GroupId.of(GroupId.MAX_EPOCH, 17).value());
            assertThatThrownBy(() -> Stamps.beginEpoch(transaction))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("epoch 4096");
        }
    }
}
