package io.ecfs.torture.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.ErrorCode;
import io.ecfs.torture.history.Answer;
import io.ecfs.torture.history.Call;
import io.ecfs.torture.history.Operation;
import io.ecfs.torture.history.Run;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whether the checker accepts what a correct namespace does, and nothing else. */
class HistoryCheckTest {
    private static final long BOUND = 100_000;
    private static final Answer DONE = new Answer.Done();
    private static final Answer UNKNOWN = new Answer.Unknown("TIMEOUT");

    private final List<Call> calls = new ArrayList<>();
    private long now;

    @Test
    void agreesWithTheDefinitionOnSmallHistories() {
        assertThat(wrongAmongSmallHistories(1500, 8)).as("wrong histories").isGreaterThan(300);
    }

    /** What may take effect late is what the search saves most steps on. */
    @Test
    void agreesWithTheDefinitionWhereMostOutcomesAreUnknown() {
        assertThat(wrongAmongSmallHistories(1500, 2)).as("wrong histories").isGreaterThan(100);
    }

    private int wrongAmongSmallHistories(long seeds, int unknownOneIn) {
        int impossible = 0;
        for (long seed = 0; seed < seeds; seed++) {
            List<Call> correct = SmallHistories.correct(seed, 7, unknownOneIn);
            List<Call> changed = SmallHistories.wrong(seed, correct);
            assertThat(check(correct).impossible())
                    .as("seed %d: a correct namespace did %s", seed, correct)
                    .isEmpty();
            boolean linearizable = BruteForce.linearizable(changed);
            assertThat(new Linearizability(changed, BOUND).check() instanceof Verdict.Linearizable)
                    .as("seed %d: %s", seed, changed)
                    .isEqualTo(linearizable);
            assertThat(check(changed).impossible().isEmpty())
                    .as("seed %d, in parts: %s", seed, changed)
                    .isEqualTo(linearizable);
            impossible += linearizable ? 0 : 1;
        }
        return impossible;
    }

    /**
     * Each of twenty deletes may have its effect between any two of the other calls; one search after another could not
     * be decided so.
     */
    @Test
    void manyUnknownOutcomesOfOnePathAreDecided() {
        for (int file = 0; file < 20; file++) {
            call(new Operation.Create("/a", file, true, 0), DONE);
            call(new Operation.Delete("/a", false), UNKNOWN);
            call(new Operation.Create("/b", 100 + file, true, 0), UNKNOWN);
        }
        call(new Operation.Create("/a", 99, true, 0), DONE);
        call(new Operation.Close(99, 0, false), DONE);
        call(new Operation.Status("/a"), new Answer.Seen(false, 1, false));

        HistoryCheck.Result result = HistoryCheck.check(calls, 5_000);

        assertThat(result.undecided()).isEmpty();
        assertThat(result.impossible()).hasSize(1);
    }

    /** Neither of the two calls needs the other, and the rename needs both. */
    @Test
    void aCallMayNeedTheEffectsOfTwoUnknownOutcomesThatCommute() {
        call(new Operation.Mkdirs("/g"), DONE);
        call(new Operation.Create("/g/a", 1, false, 0), UNKNOWN);
        call(new Operation.Mkdirs("/g/d"), UNKNOWN);
        call(new Operation.Rename("/g/a", "/g/d/x", false), DONE);
        assertThat(check(calls).impossible()).isEmpty();

        call(new Operation.Rename("/g/a", "/g/d/y", false), DONE);
        assertThat(check(calls).impossible()).hasSize(1);
    }

    @Test
    void correctHistoriesOfHundredsOfCallsAreDecided() {
        for (long seed = 0; seed < 20; seed++) {
            HistoryCheck.Result result = check(SmallHistories.correct(seed, 400, 100));
            assertThat(result.impossible()).as("seed %d", seed).isEmpty();
            assertThat(result.undecided()).as("seed %d", seed).isEmpty();
        }
    }

    @Test
    void aShrunkHistoryIsStillImpossibleByItself() {
        int shrunk = 0;
        for (long seed = 0; seed < 30; seed++) {
            List<Call> wrong = SmallHistories.wrong(seed, SmallHistories.correct(seed, 40, 20));
            for (Verdict.Impossible found : check(wrong).impossible()) {
                assertThat(new Linearizability(found.calls(), BOUND).check())
                        .as("seed %d", seed)
                        .isInstanceOf(Verdict.Impossible.class);
                assertThat(found.calls().stream().filter(call -> !call.unknown()))
                        .as("seed %d: certain calls that contradict each other", seed)
                        .hasSizeLessThan(20);
                shrunk++;
            }
        }
        assertThat(shrunk).isGreaterThan(5);
    }

    @Test
    void anAcknowledgedByteThatIsGoneIsImpossible() {
        call(new Operation.Create("/a", 1, false, 100), DONE);
        call(new Operation.Flush(1, 60, true), DONE);
        call(read("/a"), content(Answer.Access.CLOSED, new Run(1, 59)));

        assertThat(check(calls).impossible()).hasSize(1);
    }

    @Test
    void readersSeeFromTheAcknowledgedToTheWrittenLength() {
        call(new Operation.Create("/a", 1, false, 100), DONE);
        call(new Operation.Flush(1, 60, false), DONE);
        call(read("/a"), content(Answer.Access.OPEN, new Run(1, 80)));
        call(read("/a"), content(Answer.Access.OPEN, new Run(1, 60)));
        assertThat(check(calls).impossible()).isEmpty();

        call(read("/a"), content(Answer.Access.OPEN, new Run(1, 59)));
        assertThat(check(calls).impossible()).hasSize(1);
        calls.remove(calls.size() - 1);

        call(read("/a"), content(Answer.Access.OPEN, new Run(1, 101)));
        assertThat(check(calls).impossible()).hasSize(1);
    }

    @Test
    void aWriterWhoseFileWasClosedForItCannotGoOn() {
        call(new Operation.Create("/a", 1, false, 100), DONE);
        call(new Operation.Recover("/a"), new Answer.Recovered(true));
        call(read("/a"), content(Answer.Access.CLOSED, new Run(1, 50)));
        assertThat(check(calls).impossible()).isEmpty();

        call(new Operation.Flush(1, 51, false), DONE);
        assertThat(check(calls).impossible()).hasSize(1);
        calls.remove(calls.size() - 1);

        call(new Operation.Close(1, 49, false), DONE);
        assertThat(check(calls).impossible()).hasSize(1);
    }

    /** The namenode waits for the end of a recovery; the path names the file when that begins. */
    @Test
    void aFileMayBeRenamedWhileItIsRecovered() {
        call(new Operation.Create("/a", 1, false, 100), DONE);
        long begin = now + 10;
        call(new Operation.Rename("/a", "/b", false), DONE);
        call(new Operation.Status("/b"), new Answer.Seen(false, 0, true));
        Call recovered = new Call(100, new Operation.Recover("/a"), begin, now + 10, new Answer.Recovered(true));
        calls.add(recovered);
        assertThat(check(calls).impossible()).isEmpty();

        now += 10;
        call(new Operation.Status("/b"), new Answer.Seen(false, 50, false));
        assertThat(check(calls).impossible()).isEmpty();
        calls.remove(calls.size() - 1);

        call(new Operation.Status("/b"), new Answer.Seen(false, 0, true));
        assertThat(check(calls).impossible())
                .as("open after the recovery answered that it is closed")
                .hasSize(1);
    }

    @Test
    void aFileMayBeOpenAgainWhenItsRecoveryIsAnswered() {
        call(new Operation.Create("/a", 1, false, 100), DONE);
        long begin = now + 10;
        call(new Operation.Append("/a", 2, 100), new Answer.Sized(50));
        calls.add(new Call(100, new Operation.Recover("/a"), begin, now + 10, new Answer.Recovered(true)));
        now += 10;
        call(new Operation.Status("/a"), new Answer.Seen(false, 50, true));
        assertThat(check(calls).impossible()).isEmpty();
    }

    @Test
    void nothingIsRecoveredAtAPathThatNamesNoFileMeanwhile() {
        call(new Operation.Create("/a", 1, false, 100), DONE);
        call(new Operation.Rename("/a", "/b", false), DONE);
        call(new Operation.Recover("/a"), new Answer.Recovered(true));
        assertThat(check(calls).impossible()).hasSize(1);
    }

    /** The namenode cannot tell it from a close that is repeated, and nothing is missing (HDFS: completeFile). */
    @Test
    void aCloseIsConfirmedAfterARecoveryAtItsLength() {
        call(new Operation.Create("/a", 1, false, 100), DONE);
        call(new Operation.Recover("/a"), new Answer.Recovered(true));
        call(read("/a"), content(Answer.Access.CLOSED, new Run(1, 50)));
        call(new Operation.Close(1, 50, false), DONE);
        assertThat(check(calls).impossible()).isEmpty();
    }

    @Test
    void aCloseIsNotConfirmedOnceAnotherHasWrittenBehind() {
        call(new Operation.Create("/a", 1, false, 100), DONE);
        call(new Operation.Recover("/a"), new Answer.Recovered(true));
        call(new Operation.Append("/a", 2, 100), new Answer.Sized(50));
        call(new Operation.Close(2, 10, false), DONE);
        call(new Operation.Close(1, 50, false), DONE);
        assertThat(check(calls).impossible()).hasSize(1);
    }

    /** What a retry after 200,000 other answers did (docs of correctness, 5). */
    @Test
    void aDeleteThatTakesEffectTwiceIsImpossible() {
        call(new Operation.Create("/a", 1, false, 0), DONE);
        call(new Operation.Close(1, 0, false), DONE);
        call(new Operation.Delete("/a", false), DONE);
        call(new Operation.Create("/a", 2, false, 0), DONE);
        call(new Operation.Status("/a"), new Answer.Refused(ErrorCode.NOT_FOUND));

        assertThat(check(calls).impossible()).hasSize(1);
    }

    @Test
    void anUnknownOutcomeMayTakeEffectLateOnceOrNever() {
        call(new Operation.Create("/a", 1, false, 0), DONE);
        call(new Operation.Delete("/a", false), UNKNOWN);
        call(new Operation.Status("/a"), new Answer.Seen(false, 0, true));
        call(new Operation.Status("/a"), new Answer.Refused(ErrorCode.NOT_FOUND));
        call(new Operation.Create("/a", 2, false, 0), DONE);
        assertThat(check(calls).impossible()).isEmpty();

        call(new Operation.Status("/a"), new Answer.Refused(ErrorCode.NOT_FOUND));
        assertThat(check(calls).impossible()).as("its second effect").hasSize(1);
    }

    @Test
    void aRenameMovesBothPathsAtOnce() {
        call(new Operation.Create("/a", 1, false, 0), DONE);
        call(new Operation.Close(1, 0, false), DONE);
        long begin = now;
        call(new Operation.Status("/a"), new Answer.Refused(ErrorCode.NOT_FOUND));
        call(new Operation.Status("/b"), new Answer.Refused(ErrorCode.NOT_FOUND));
        calls.add(new Call(99, new Operation.Rename("/a", "/b", false), begin, now + 1, DONE));

        assertThat(check(calls).impossible()).hasSize(1);
    }

    @Test
    void bytesOfNobodyAreImpossible() {
        call(read("/a"), new Answer.Wrong("100 bytes: at 8 of nobody"));

        assertThat(check(calls).impossible()).hasSize(1);
    }

    @Test
    void whatWasNotSyncedMayGoWithThePower() {
        call(new Operation.Create("/a", 1, false, 100), DONE);
        call(new Operation.Flush(1, 60, true), DONE);
        call(new Operation.Flush(1, 80, false), DONE);
        call(new Operation.PowerLoss(), DONE);
        call(read("/a"), content(Answer.Access.CLOSED, new Run(1, 60)));
        assertThat(check(calls).impossible()).isEmpty();

        call(read("/a"), lost(60, 59, new Run(1, 59)));
        assertThat(check(calls).impossible())
                .as("a file of what was synced alone")
                .hasSize(1);
    }

    /** It may have come anywhere, and everything behind it depends on it. */
    @Test
    void aLossOfPowerOfWhichTheOutcomeIsUnknownMayHaveTakenBytes() {
        call(new Operation.Create("/a", 1, false, 100), DONE);
        call(new Operation.Flush(1, 60, true), DONE);
        call(new Operation.Flush(1, 80, false), DONE);
        call(new Operation.PowerLoss(), UNKNOWN);
        call(read("/a"), content(Answer.Access.CLOSED, new Run(1, 60)));
        assertThat(check(calls).impossible()).isEmpty();
    }

    @Test
    void whatWasSyncedIsThereAfterThePowerWasLost() {
        call(new Operation.Create("/a", 1, false, 100), DONE);
        call(new Operation.Flush(1, 60, true), DONE);
        call(new Operation.PowerLoss(), DONE);
        call(read("/a"), content(Answer.Access.CLOSED, new Run(1, 59)));

        assertThat(check(calls).impossible()).hasSize(1);
    }

    @Test
    void aFileClosedWithoutASyncIsNeverShorterAfterALossOfPower() {
        call(new Operation.Create("/a", 1, false, 100), DONE);
        call(new Operation.Close(1, 100, false), DONE);
        call(read("/a"), lost(100, 0));
        assertThat(check(calls).impossible()).as("with power").hasSize(1);
        calls.clear();

        call(new Operation.Create("/a", 1, false, 100), DONE);
        call(new Operation.Close(1, 100, false), DONE);
        call(new Operation.PowerLoss(), DONE);
        call(read("/a"), lost(100, 0));
        assertThat(check(calls).impossible()).isEmpty();
        call(read("/a"), content(Answer.Access.CLOSED, new Run(1, 99)));
        assertThat(check(calls).impossible()).hasSize(1);
    }

    @Test
    void aFileThatWasClosedWithASyncOrAfterTheLossOfPowerIsReadable() {
        call(new Operation.Create("/a", 1, false, 100), DONE);
        call(new Operation.Close(1, 100, true), DONE);
        call(new Operation.PowerLoss(), DONE);
        call(new Operation.Create("/b", 2, false, 100), DONE);
        call(new Operation.Close(2, 100, false), DONE);
        assertThat(check(calls).impossible()).isEmpty();

        call(read("/a"), lost(100, 0));
        call(read("/b"), lost(100, 0));
        assertThat(check(calls).impossible())
                .as("a loss of power is of every part")
                .hasSize(2);
    }

    @Test
    void syncedBytesOfAFileClosedWithoutASyncAreReadable() {
        call(new Operation.Create("/a", 1, false, 100), DONE);
        call(new Operation.Flush(1, 60, true), DONE);
        call(new Operation.Close(1, 100, false), DONE);
        call(new Operation.PowerLoss(), DONE);
        call(read("/a"), lost(100, 60, new Run(1, 60)));
        assertThat(check(calls).impossible()).isEmpty();

        assertThatThisWouldBeImpossible(lost(100, 59, new Run(1, 59)));
        assertThatThisWouldBeImpossible(lost(100, 0));
        assertThatThisWouldBeImpossible(lost(99, 60, new Run(1, 60)));
        assertThatThisWouldBeImpossible(lost(100, 60, new Run(2, 60)));
        assertThatThisWouldBeImpossible(lost(100, 60, new Run(1, 50)));
        assertThatThisWouldBeImpossible(new Answer.Lost(100, List.of(new Run(1, 100)), List.of(), "no hole"));
    }

    @Test
    void whatWasClosedWithASyncIsReadableThoughAnAppendBehindItIsGone() {
        call(new Operation.Create("/a", 1, false, 100), DONE);
        call(new Operation.Close(1, 100, true), DONE);
        call(new Operation.Append("/a", 2, 10), new Answer.Sized(100));
        call(new Operation.Close(2, 10, false), DONE);
        call(new Operation.PowerLoss(), DONE);
        call(read("/a"), lost(110, 100, new Run(1, 100)));
        assertThat(check(calls).impossible()).isEmpty();

        assertThatThisWouldBeImpossible(lost(110, 99, new Run(1, 99)));
        assertThatThisWouldBeImpossible(
                new Answer.Lost(110, List.of(), List.of(new Answer.Hole(0, 5), new Answer.Hole(100, 110)), "gone"));
    }

    /** Two writers that vanished, and a cut somewhere in what they wrote. */
    @Test
    void aFileOfUnknownContentIsReadableUntilPowerWasLost() {
        call(new Operation.Create("/a", 1, false, 100), DONE);
        call(new Operation.Append("/a", 2, 100), UNKNOWN);
        call(new Operation.Create("/b", 3, false, 100), DONE);
        call(new Operation.Recover("/b"), new Answer.Recovered(true));
        call(new Operation.Append("/b", 4, 100), new Answer.Sized(50));
        calls.remove(1);
        call(new Operation.Concat("/a", List.of("/b")), new Answer.Sized(90));
        call(new Operation.Truncate("/a", 60), new Answer.Sized(60));
        call(read("/a"), lost(60, 0));
        assertThat(check(calls).impossible()).hasSize(1);

        calls.remove(calls.size() - 1);
        call(new Operation.PowerLoss(), DONE);
        call(read("/a"), lost(60, 0));
        assertThat(check(calls).impossible()).isEmpty();
    }

    @Test
    void whatWasSyncedBehindWhatIsGoneIsReadable() {
        call(new Operation.Create("/a", 1, false, 100), DONE);
        call(new Operation.Close(1, 100, false), DONE);
        call(new Operation.Append("/a", 2, 10), new Answer.Sized(100));
        call(new Operation.Close(2, 10, true), DONE);
        call(new Operation.PowerLoss(), DONE);
        call(read("/a"), new Answer.Lost(110, List.of(), List.of(new Answer.Hole(0, 100)), "gone"));
        assertThat(check(calls).impossible()).isEmpty();

        assertThatThisWouldBeImpossible(lost(110, 0));
        assertThatThisWouldBeImpossible(
                new Answer.Lost(110, List.of(new Run(1, 100)), List.of(new Answer.Hole(100, 110)), "gone"));
    }

    /** Instead of the last answer. */
    private void assertThatThisWouldBeImpossible(Answer.Lost answer) {
        List<Call> others = new ArrayList<>(calls.subList(0, calls.size() - 1));
        Call last = calls.get(calls.size() - 1);
        others.add(new Call(last.process(), last.operation(), last.invokeNanos(), last.returnNanos(), answer));

        assertThat(check(others).impossible()).as("%s", answer).hasSize(1);
    }

    @Test
    void whatIsNotDecidedWithinTheBoundIsReportedAsThat() {
        for (int file = 0; file < 30; file++) {
            calls.add(new Call(file, new Operation.Mkdirs("/d"), 0, 1000, DONE));
            calls.add(new Call(100 + file, new Operation.Delete("/d", false), 0, 1000, DONE));
        }
        calls.add(new Call(200, new Operation.Mkdirs("/d"), 2000, 2001, new Answer.Refused(ErrorCode.ALREADY_EXISTS)));

        assertThat(HistoryCheck.check(calls, 50).undecided()).hasSize(1);
    }

    private static HistoryCheck.Result check(List<Call> history) {
        return HistoryCheck.check(history, BOUND);
    }

    private static Operation read(String path) {
        return new Operation.Read(path, "positioned");
    }

    private static Answer content(Answer.Access access, Run... runs) {
        return new Answer.Content(List.of(runs), access);
    }

    /** Nothing from a byte on can be read. */
    private static Answer.Lost lost(long length, long from, Run... before) {
        return new Answer.Lost(length, List.of(before), List.of(new Answer.Hole(from, length)), "GROUP_UNREADABLE");
    }

    /** After all others. */
    private void call(Operation operation, Answer answer) {
        now += 10;
        calls.add(new Call(calls.size(), operation, now, now + 5, answer));
    }
}
