package io.ecfs.namenode.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CounterTest {
    private final MemoryStore store = new MemoryStore();
    private final Transaction transaction = store.begin();

    @AfterEach
    void close() {
        transaction.close();
        store.close();
    }

    @Test
    void countersAreThoseOfAMap() {
        Random random = new Random(4);
        List<Counter> counters = List.of(Counter.values());
        Map<Counter, Long> naive = new EnumMap<>(Counter.class);
        for (int step = 0; step < 500; step++) {
            Counter counter = counters.get(random.nextInt(counters.size()));
            long before = naive.getOrDefault(counter, 0L);
            long change = random.nextInt(10) - Math.min(before, random.nextInt(10));
            naive.put(counter, before + change);
            assertThat(counter.add(transaction, change)).isEqualTo(before + change);
        }
        for (Counter counter : Counter.values()) {
            assertThat(counter.of(transaction)).isEqualTo(naive.getOrDefault(counter, 0L));
        }
    }

    @Test
    void numbersOfAKindBeginAtOne() {
        assertThat(Counter.LAST_GROUP.next(transaction)).isEqualTo(1);
        assertThat(Counter.LAST_GROUP.next(transaction)).isEqualTo(2);
        assertThat(Counter.LAST_INODE.next(transaction)).isEqualTo(1);
    }

    @Test
    void aCounterDoesNotFallBelowZero() {
        Counter.FILES.add(transaction, 2);
        assertThatThrownBy(() -> Counter.FILES.add(transaction, -3)).hasMessageContaining("FILES fell to -1");
        assertThat(Counter.FILES.of(transaction)).isEqualTo(2);
        assertThat(Counter.FILES.add(transaction, -2)).isZero();
    }

    @Test
    void aCounterDoesNotOverflow() {
        Counter.SEALED_BYTES.add(transaction, Long.MAX_VALUE);
        assertThatThrownBy(() -> Counter.SEALED_BYTES.add(transaction, 1)).isInstanceOf(ArithmeticException.class);
    }

    @Test
    void theRowOfACounterHasItsNameAndEightBytes() {
        Counter.OPEN_GROUPS.add(transaction, 258);
        assertThat(transaction.get(Table.META, "count/open_groups".getBytes(StandardCharsets.UTF_8)))
                .containsExactly(0, 0, 0, 0, 0, 0, 1, 2);
    }
}
