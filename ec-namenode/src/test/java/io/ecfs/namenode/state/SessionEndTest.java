package io.ecfs.namenode.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.ErrorCode;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.FilePath;
import io.ecfs.message.RequestId;
import io.ecfs.message.namespace.NamespaceRequest.Delete;
import io.ecfs.message.namespace.NamespaceRequest.Mkdirs;
import io.ecfs.message.namespace.NamespaceRequest.OpenSession;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import io.ecfs.namenode.store.MemoryStore;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Sessions and answers are deleted a bounded piece with each call, and meanwhile no call is carried out anew. */
class SessionEndTest {
    private static final byte[] LOG_TIME = "logtime".getBytes(StandardCharsets.UTF_8);
    private static final long HOUR = RetryCache.SESSION_MILLIS;
    private static final FilePath A = new FilePath("/a");
    private static final int AT_ONCE = RetryCache.CLEARED_AT_ONCE;
    /** A session, its place in the queue, one answer. */
    private static final int LEAST = 3;

    private Ledger ledger = new Ledger(new MemoryStore());

    private void logTime(long millis) {
        try (Transaction clock = ledger.store.begin()) {
            clock.put(
                    Table.META,
                    LOG_TIME,
                    new RowWriter().i64(millis).i64(ledger.now).bytes());
            clock.commit();
        }
    }

    private void open(String client) {
        ledger.done(new OpenSession(RequestId.of(client, 1, 1)));
    }

    private void call(String client, long number, long oldestOpen) {
        ledger.done(new Mkdirs(RequestId.of(client, number, oldestOpen), new FilePath("/other"), 0755, true));
    }

    private static Delete deleteA(String client, long number) {
        return new Delete(RequestId.of(client, number, 1), A, true);
    }

    /** Calls 2 to 4 make, delete and make a directory, which a repeat of call 3 must not delete. */
    private Delete deletedAndMadeAgain(String client) {
        open(client);
        ledger.done(new Mkdirs(RequestId.of(client, 2, 1), A, 0755, true));
        Delete delete = deleteA(client, 3);
        ledger.call(delete);
        ledger.done(new Mkdirs(RequestId.of(client, 4, 1), A, 0755, true));
        return delete;
    }

    private int rows(String client) {
        int[] rows = {0};
        try (View view = ledger.store.view()) {
            view.scan(Table.RETRIES, new byte[0], null, (key, row) -> {
                String text =
                        new String(key, StandardCharsets.ISO_8859_1) + new String(row, StandardCharsets.ISO_8859_1);
                rows[0] += text.contains(client) ? 1 : 0;
                return true;
            });
        }
        return rows[0];
    }

    private long counter(Counter counter) {
        try (MetadataView view = ledger.state.view()) {
            return view.count(counter);
        }
    }

    private void add(Counter counter, long more) {
        try (Transaction transaction = ledger.store.begin()) {
            counter.add(transaction, more);
            transaction.commit();
        }
    }

    @Test
    void noCallOfAnEndingSessionIsAppliedTwice() {
        Delete delete = deletedAndMadeAgain("idle");
        for (int number = 5; number <= 20; number++) {
            call("idle", number, 1);
        }
        logTime(HOUR - 1);
        open("busy");
        assertThat(rows("idle")).isEqualTo(22);
        logTime(HOUR);
        call("busy", 2, 2);
        assertThat(rows("idle")).isEqualTo(22 - AT_ONCE);
        ledger.refused(delete, ErrorCode.SESSION_EXPIRED);
        assertThat(ledger.status("/a")).isPresent();

        ledger.done(new OpenSession(RequestId.of("idle", 30, 30)));
        call("idle", 31, 31);
        ledger.refused(delete, ErrorCode.DUPLICATE_CALL);
        ledger.refused(new OpenSession(RequestId.of("idle", 25, 25)), ErrorCode.DUPLICATE_CALL);
        assertThat(ledger.status("/a")).isPresent();
    }

    /** Any other refusal its client would hand on, call after call, instead of opening a new session. */
    @Test
    void aNewCallOfAnEndingSessionFailsAsExpired() {
        open("idle");
        for (int number = 2; number <= 20; number++) {
            call("idle", number, 1);
        }
        logTime(HOUR);
        open("busy");
        assertThat(rows("idle")).as("some answers are left").isGreaterThan(LEAST);
        Mkdirs fresh = new Mkdirs(RequestId.of("idle", 21, 21), A, 0755, true);
        ledger.refused(fresh, ErrorCode.SESSION_EXPIRED);
        assertThat(ledger.status("/a")).isEmpty();

        // The call still waits, so that the opening names it as the oldest.
        ledger.done(new OpenSession(RequestId.of("idle", 22, 21)));
        ledger.done(fresh);
        assertThat(ledger.status("/a")).isPresent();
    }

    @Test
    void aSessionOfLevelOneIsReplacedByOneWithAUserOnlyOnceItIsEnding() {
        ledger = new Ledger(new MemoryStore(), FeatureLevel.FIRST);
        Delete delete = deletedAndMadeAgain("idle");
        for (int number = 5; number <= 12; number++) {
            call("idle", number, 1);
        }
        ledger.apply(new Command.RaiseLevel(ledger.now, FeatureLevel.OF_USERS));
        ledger.done(new OpenSession(RequestId.of("idle", 13, 1)));
        assertThat(ledger.call(delete)).as("the answer of call 3").isNotInstanceOf(CommandResult.Refused.class);
        assertThat(ledger.status("/a")).as("carried out once").isPresent();

        logTime(HOUR);
        open("busy");
        ledger.refused(delete, ErrorCode.SESSION_EXPIRED);
        ledger.done(new OpenSession(RequestId.of("idle", 30, 30)));
        assertThat(counter(Counter.LAST_SESSION)).as("one more is queued").isEqualTo(3);
        call("idle", 31, 31);
        ledger.refused(delete, ErrorCode.DUPLICATE_CALL);
        assertThat(ledger.status("/a")).isPresent();
    }

    @Test
    void oneCallEndsTwoIdleSessionsAtMostAndNothingStaysOfThem() {
        open("first");
        open("second");
        open("third");
        logTime(HOUR);
        open("busy");
        assertThat(rows("first")).isZero();
        assertThat(rows("second")).isZero();
        assertThat(rows("third")).isEqualTo(LEAST);
        call("busy", 2, 2);
        assertThat(rows("third")).isZero();
        assertThat(rows("busy")).isEqualTo(LEAST);
    }

    @Test
    void aSessionInUseIsQueuedAgainAndEndsOnceItIsIdle() {
        open("quiet");
        logTime(HOUR / 2);
        call("quiet", 2, 2);
        logTime(HOUR);
        open("busy");
        assertThat(rows("quiet")).isEqualTo(LEAST);
        logTime(2 * HOUR);
        call("busy", 2, 2);
        assertThat(rows("quiet")).isZero();
    }

    @Test
    void callsBeforeTheFirstHourIsOverDoNotRewriteTheQueue() {
        logTime(HOUR - 1000);
        open("quiet");
        logTime(HOUR - 500);
        open("busy");
        call("busy", 2, 2);
        assertThat(counter(Counter.LAST_SESSION)).isEqualTo(2);
    }

    /** Ten minutes are for a million sessions that are there, not for a million that have been. */
    @Test
    void onlyPresentSessionsCrowdOneAnotherOut() {
        add(Counter.LAST_SESSION, RetryCache.MOST_SESSIONS);
        add(Counter.ENDED_SESSION, RetryCache.MOST_SESSIONS);
        open("idle");
        logTime(RetryCache.CROWDED_MILLIS);
        open("busy");
        assertThat(rows("idle")).isEqualTo(LEAST);
    }

    @Test
    void amongAMillionSessionsAnIdleOneStaysAndOneSessionMoreEndsIt() {
        open("idle");
        logTime(RetryCache.CROWDED_MILLIS - 1);
        open("busy");
        add(Counter.LAST_SESSION, RetryCache.MOST_SESSIONS - 2);
        logTime(RetryCache.CROWDED_MILLIS);
        call("busy", 2, 2);
        assertThat(rows("idle")).isEqualTo(LEAST);
        add(Counter.LAST_SESSION, 1);
        call("busy", 3, 3);
        assertThat(rows("idle")).isZero();
    }

    @Test
    void acknowledgedAnswersAreDeletedAFewWithEachCallUntilNoneIsLeft() {
        open("slow");
        for (int number = 2; number <= 30; number++) {
            call("slow", number, 1);
        }
        assertThat(rows("slow")).isEqualTo(2 + 30);
        for (int number = 31, left = 30; number <= 34; number++) {
            call("slow", number, number);
            left += 1 - AT_ONCE;
            assertThat(rows("slow")).as("after call %d", number).isEqualTo(2 + left);
        }
        call("slow", 35, 35);
        assertThat(rows("slow")).isEqualTo(LEAST);
        call("slow", 1000, 1000);
        assertThat(rows("slow")).as("across numbers without answers").isEqualTo(LEAST);
    }

    @Test
    void aCallThatArrivesLateMovesTheFloorNotBack() {
        ledger.done(ledger.mkdirs("/a"));
        open("c");
        call("c", 10, 10);
        call("c", 11, 2);
        ledger.refused(deleteA("c", 3), ErrorCode.DUPLICATE_CALL);
        assertThat(ledger.status("/a")).isPresent();
    }

    @Test
    void aSessionThatCannotBeReadCarriesNothingOutAndTheLogGoesOn() {
        open("c");
        try (Transaction damage = ledger.store.begin()) {
            damage.scan(Table.RETRIES, new byte[] {'S'}, new byte[] {'T'}, (key, row) -> {
                damage.put(Table.RETRIES, key, new RowWriter().raw(row).u8(0).bytes());
                return false;
            });
            damage.commit();
        }
        ledger.refused(new Mkdirs(RequestId.of("c", 2, 2), A, 0755, true), ErrorCode.INTERNAL);
        assertThat(ledger.status("/a")).isEmpty();
        ledger.done(ledger.mkdirs("/b"));
    }
}
