package io.ecfs.namenode.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.ErrorCode;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.FilePath;
import io.ecfs.message.RequestId;
import io.ecfs.message.namespace.NamespaceRequest.Create;
import io.ecfs.message.namespace.NamespaceRequest.Delete;
import io.ecfs.message.namespace.NamespaceRequest.Mkdirs;
import io.ecfs.message.namespace.NamespaceRequest.OpenSession;
import io.ecfs.message.namespace.NamespaceRequest.SetMode;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import io.ecfs.namenode.store.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A call has its effect once, however late its repeat comes. */
class RetryCacheTest {
    private static final FilePath A = new FilePath("/a");
    private static final CallerIdentity EVE = new CallerIdentity("eve", List.of());

    private final Ledger ledger = new Ledger(new MemoryStore());

    private static Delete deleteA(RequestId id) {
        return new Delete(id, A, true);
    }

    /** A call of a client of this release: all below it are answered. */
    private static RequestId id(String client, long number) {
        return RequestId.of(client, number, number);
    }

    private void open(String client) {
        ledger.done(new OpenSession(id(client, 1)));
    }

    private void others(String client, long first, int calls) {
        ledger.applyTogether(LongStream.range(first, first + calls)
                .<Command>mapToObj(i -> ledger.command(new Mkdirs(id(client, i), new FilePath("/other"), 0755, true)))
                .toList());
    }

    private long rows() {
        long[] rows = {0};
        try (View view = ledger.store.view()) {
            view.scan(Table.RETRIES, new byte[0], null, (key, row) -> rows[0]++ >= 0);
        }
        return rows[0];
    }

    /** Lets log time pass, as a busy log has it. */
    private void pass(long millis, String client) {
        long number = 1_000_000;
        open(client);
        List<Command> entry = new ArrayList<>();
        for (long passed = 0; passed < millis; passed += LogTime.MOST_STEP_MILLIS) {
            ledger.now += LogTime.MOST_STEP_MILLIS;
            entry.add(ledger.command(new OpenSession(id(client, number++))));
        }
        ledger.applyTogether(entry);
    }

    @Test
    void aRepeatDeletesNothingAnewAfterTwoHundredThousandOtherAnswers() {
        Delete delete = deleteA(new RequestId("slow", 2));
        ledger.done(ledger.mkdirs("/a"));
        CommandResult deleted = ledger.call(delete);
        ledger.done(ledger.mkdirs("/a"));
        long began = ledger.now;
        int together = 5000;
        for (int entry = 0; entry <= 200_000 / together; entry++) {
            ledger.now = began + entry * 29_000L * together / 200_000;
            long first = (long) entry * together;
            ledger.applyTogether(LongStream.rangeClosed(first + 1, first + together)
                    .<Command>mapToObj(i -> ledger.command(new OpenSession(new RequestId("busy", i))))
                    .toList());
        }
        assertThat(ledger.call(delete)).isEqualTo(deleted);
        assertThat(ledger.status("/a")).as("what was made after the deletion").isPresent();
    }

    @Test
    void aLeaderWhoseClockIsAheadLetsNoAnswerGo() {
        Delete delete = deleteA(new RequestId("slow", 2));
        ledger.done(ledger.mkdirs("/a"));
        CommandResult deleted = ledger.call(delete);
        ledger.done(ledger.mkdirs("/a"));
        for (int i = 1; i <= 100; i++) {
            ledger.now += (i % 2 == 0 ? -1 : 1)
                    * Duration.ofMinutes(i % 2 == 0 ? 10 : 70).toMillis();
            ledger.call(new Mkdirs(new RequestId("other", i), new FilePath("/other"), 0755, true));
        }
        assertThat(ledger.call(delete)).isEqualTo(deleted);
        assertThat(ledger.status("/a")).isPresent();
    }

    @Test
    void anotherRequestOfTheSameNumberIsRefused() {
        open("c");
        Mkdirs first = new Mkdirs(RequestId.of("c", 2, 2), A, 0755, true);
        ledger.done(first);
        ledger.refused(deleteA(RequestId.of("c", 2, 2)), ErrorCode.INVALID_ARGUMENT);
        ledger.refused(new Mkdirs(RequestId.of("c", 2, 2), A, 0700, true), ErrorCode.INVALID_ARGUMENT);
        assertThat(ledger.call(first)).isEqualTo(new CommandResult.Done());
        assertThat(ledger.status("/a")).isPresent();
    }

    @Test
    void aUsersAnswerIsForNoOtherUserAndNoOthersCallsTakeItsNumbers() {
        open("c");
        ledger.done(ledger.mkdirs("/a"));
        ledger.done(new SetMode(ledger.request(), A, 0777));
        Create create =
                new Create(RequestId.of("c", 2, 2), new FilePath("/a/secret"), 0600, false, false, Optional.empty());
        ledger.refused(ledger.call(EVE, create), ErrorCode.SESSION_EXPIRED);
        assertThat(ledger.call(EVE, new OpenSession(RequestId.of("c", 1, 1)))).isEqualTo(new CommandResult.Done());
        assertThat(ledger.call(EVE, new OpenSession(RequestId.of("c", 1_000_000, 1_000_000))))
                .as("this floor is not the victim's")
                .isEqualTo(new CommandResult.Done());
        CommandResult.Created created = (CommandResult.Created) ledger.call(create);
        assertThat(ledger.call(create)).isEqualTo(created);
        ledger.refused(ledger.call(EVE, create), ErrorCode.DUPLICATE_CALL);
    }

    /** A call that was carried out before the level rose must be known after it. */
    @Test
    void aSessionOfLevelOneGoesOnAboveItUntilItEnds() {
        Ledger old = new Ledger(new MemoryStore(), FeatureLevel.FIRST);
        old.done(new OpenSession(id("c", 1)));
        old.done(old.mkdirs("/a"));
        Delete delete = deleteA(RequestId.of("c", 2, 2));
        CommandResult deleted = old.call(delete);
        old.done(old.mkdirs("/a"));
        old.apply(new Command.RaiseLevel(old.now, FeatureLevel.OF_USERS));
        assertThat(old.call(delete)).isEqualTo(deleted);
        assertThat(old.status("/a")).isPresent();
        old.done(new Mkdirs(RequestId.of("c", 3, 3), new FilePath("/b"), 0755, true));
        old.refused(delete, ErrorCode.DUPLICATE_CALL);
    }

    @Test
    void aCallWhoseAnswerWasAcknowledgedIsRefused() {
        open("c");
        ledger.done(ledger.mkdirs("/a"));
        Delete delete = deleteA(RequestId.of("c", 2, 2));
        CommandResult deleted = ledger.call(delete);
        ledger.done(new Mkdirs(RequestId.of("c", 3, 2), A, 0755, true));
        assertThat(ledger.call(delete)).as("call 2 is open").isEqualTo(deleted);
        ledger.done(new Mkdirs(RequestId.of("c", 4, 4), new FilePath("/b"), 0755, true));
        ledger.refused(delete, ErrorCode.DUPLICATE_CALL);
        assertThat(ledger.status("/a")).isPresent();
    }

    @Test
    void whatACallHadNotBegunBeforeIsNotBegunBelowTheFloorEither() {
        open("c");
        others("c", 5, 1);
        ledger.refused(deleteA(RequestId.of("c", 3, 2)), ErrorCode.DUPLICATE_CALL);
    }

    @Test
    void anIdleSessionEndsAfterAnHourOfLogTime() {
        open("c");
        ledger.done(ledger.mkdirs("/a"));
        Delete delete = deleteA(RequestId.of("c", 2, 1));
        ledger.call(delete);
        ledger.done(ledger.mkdirs("/a"));
        pass(RetryCache.SESSION_MILLIS - Duration.ofMinutes(1).toMillis(), "busy");
        assertThat(ledger.call(delete)).as("remembered").isEqualTo(new CommandResult.Done());
        pass(Duration.ofMinutes(2).toMillis(), "busier");

        ledger.refused(delete, ErrorCode.SESSION_EXPIRED);
        ledger.refused(deleteA(RequestId.of("c", 3, 2)), ErrorCode.SESSION_EXPIRED);
        assertThat(ledger.status("/a")).isPresent();
        ledger.done(new OpenSession(RequestId.of("c", 4, 3)));
        ledger.refused(delete, ErrorCode.DUPLICATE_CALL);
        ledger.done(deleteA(RequestId.of("c", 3, 2)));
        assertThat(ledger.status("/a")).isEmpty();
    }

    @Test
    void aSessionInUseOutlivesItsHours() {
        open("c");
        for (int hour = 0; hour < 3; hour++) {
            pass(RetryCache.SESSION_MILLIS - Duration.ofMinutes(1).toMillis(), "busy" + hour);
            others("c", 2 + hour, 1);
        }
        ledger.done(new Mkdirs(id("c", 10), A, 0755, true));
    }

    @Test
    void rowsAreBoundedWhetherClientsAcknowledgeOrNot() {
        long before = rows();
        open("c");
        others("c", 2, 1000);
        assertThat(rows() - before)
                .as("one answer, a session and its place in the queue")
                .isLessThanOrEqualTo(4);

        open("open");
        ledger.applyTogether(LongStream.rangeClosed(2, RetryCache.MOST_ANSWERS + 500)
                .<Command>mapToObj(
                        i -> ledger.command(new Mkdirs(RequestId.of("open", i, 2), new FilePath("/other"), 0755, true)))
                .toList());
        assertThat(rows() - before).isBetween(1000L, RetryCache.MOST_ANSWERS + 20);
        pass(RetryCache.SESSION_MILLIS * 2, "last");
        assertThat(rows() - before).as("of all but the last").isLessThanOrEqualTo(8);
    }

    @Test
    void ofOneClientTheNewestTenThousandAnswersAreRemembered() {
        ledger.done(ledger.mkdirs("/a"));
        Delete delete = deleteA(new RequestId("c", 1));
        CommandResult deleted = ledger.call(delete);
        ledger.done(ledger.mkdirs("/a"));
        ledger.done(new OpenSession(new RequestId("c", RetryCache.MOST_ANSWERS)));
        assertThat(ledger.call(delete)).isEqualTo(deleted);
        ledger.done(new OpenSession(new RequestId("c", RetryCache.MOST_ANSWERS + 1)));
        ledger.refused(delete, ErrorCode.DUPLICATE_CALL);
        assertThat(ledger.status("/a")).isPresent();
    }

    /** A namenode with very many clients lets the idle ones go sooner. */
    @Test
    void amongMoreThanAMillionSessionsAnIdleOneEndsAfterTenMinutes() {
        open("c");
        open("d");
        pass(RetryCache.CROWDED_MILLIS, "busy");
        crowd(RetryCache.MOST_SESSIONS);
        ledger.done(new Mkdirs(id("d", 2), A, 0755, true));
        crowd(RetryCache.MOST_SESSIONS + 1);
        others("busy", 2_000_000, 1);
        ledger.refused(new Mkdirs(id("c", 2), A, 0755, true), ErrorCode.SESSION_EXPIRED);
    }

    /** Makes the queue of sessions look so long; the others are behind those that are there. */
    private void crowd(long sessions) {
        try (Transaction others = ledger.store.begin()) {
            long there = Counter.LAST_SESSION.of(others) - Counter.ENDED_SESSION.of(others);
            Counter.LAST_SESSION.add(others, sessions - there);
            others.commit();
        }
    }
}
