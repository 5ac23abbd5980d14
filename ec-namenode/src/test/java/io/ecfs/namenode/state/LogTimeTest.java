package io.ecfs.namenode.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.message.RequestId;
import io.ecfs.message.namespace.NamespaceRequest.OpenSession;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import io.ecfs.namenode.store.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Time as the log has it, and what was remembered before there were sessions. */
class LogTimeTest {
    private static final String CLIENT = "earlier";

    private final MemoryStore store = new MemoryStore();

    private <T> T change(Function<Transaction, T> change) {
        try (Transaction transaction = store.begin()) {
            T result = change.apply(transaction);
            transaction.commit();
            return result;
        }
    }

    private long advance(long clock) {
        return change(t -> LogTime.advance(t, clock));
    }

    @Test
    void itRunsWithTheLeadersClockBySecondsAtMostAndNeverBack() {
        assertThat(advance(50_000)).isZero();
        assertThat(advance(50_000)).isZero();
        assertThat(advance(50_999)).isEqualTo(999);
        assertThat(advance(51_999)).isEqualTo(1999);
        assertThat(advance(90_000)).as("another leader's clock").isEqualTo(2999);
        assertThat(advance(60_000)).as("the first one leads again").isEqualTo(2999);
        assertThat(advance(60_001)).isEqualTo(3000);
    }

    @Test
    void aRowThatIsLongerThanThisReleaseWritesIsNotTakenForItsTime() {
        advance(50_000);
        change(t -> {
            t.put(Table.META, "logtime".getBytes(StandardCharsets.UTF_8), new byte[17]);
            return null;
        });
        assertThatThrownBy(() -> advance(51_000)).hasMessageContaining("bytes after its end");
    }

    /** As the release without sessions left an answer. */
    private void remembered(long number, long atMillis) {
        change(t -> {
            byte[] request = request(number);
            t.put(Table.RETRIES, request, new byte[] {(byte) number});
            t.put(
                    Table.RETRIES,
                    new RowWriter()
                            .u8('a')
                            .raw(Keys.number(Counter.LAST_ANSWER.next(t)))
                            .bytes(),
                    new RowWriter().i64(atMillis).raw(request).bytes());
            return null;
        });
    }

    private static byte[] request(long number) {
        return new RowWriter().u8('r').text(CLIENT).i64(number).bytes();
    }

    private List<Long> remembered() throws EcfsException {
        List<Long> numbers = new ArrayList<>();
        try (View view = store.view()) {
            for (long number = 1; number <= 10; number++) {
                OpenSession repeated = new OpenSession(new RequestId(CLIENT, number));
                if (RetryCache.of(view, "ada", repeated).answer(view).isPresent()) {
                    numbers.add(number);
                }
            }
        }
        return numbers;
    }

    private long rows() {
        long[] rows = {0};
        try (View view = store.view()) {
            view.scan(Table.RETRIES, new byte[0], null, (key, row) -> rows[0]++ >= 0);
        }
        return rows[0];
    }

    private void clear(long now) {
        change(t -> {
            EarlierAnswers.clear(t, now);
            return null;
        });
    }

    @Test
    void earlierAnswersAreFoundForTenMinutes() throws EcfsException {
        for (long number = 1; number <= 7; number++) {
            remembered(number, 1000 * number);
        }
        long tenMinutes = Duration.ofMinutes(10).toMillis();
        clear(tenMinutes + 999);
        assertThat(remembered()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
        clear(tenMinutes + 1000);
        assertThat(remembered()).containsExactly(2L, 3L, 4L, 5L, 6L, 7L);
        clear(tenMinutes + 10_000);
        assertThat(remembered()).containsExactly(6L, 7L);
        assertThat(rows()).as("each answer is there with its age").isEqualTo(4);
        clear(tenMinutes + 6000);
        assertThat(remembered()).containsExactly(7L);
        clear(tenMinutes + 10_000);
        clear(tenMinutes + 10_000);
        assertThat(rows()).isZero();
        try (View view = store.view()) {
            assertThat(Counter.FORGOTTEN_ANSWER.of(view)).isEqualTo(7);
        }
    }

    @Test
    void everyNewAnswerClearsOldOnesAway() throws EcfsException {
        remembered(1, 1000);
        long later = 1000 + Duration.ofMinutes(10).toMillis();
        change(t -> {
            OpenSession call = new OpenSession(RequestId.of("new", 1, 1));
            RetryCache.of(t, "ada", call).remember(t, new byte[] {1}, later);
            return null;
        });
        assertThat(remembered()).isEmpty();
    }
}
