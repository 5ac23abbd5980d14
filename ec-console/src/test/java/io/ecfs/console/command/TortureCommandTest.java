package io.ecfs.console.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.torture.Torture;
import io.ecfs.torture.check.HistoryCheck;
import io.ecfs.torture.check.Verdict;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a torture's end says, to people and to scripts. */
class TortureCommandTest {
    private static final List<Verdict.Undecided> UNDECIDED = List.of(new Verdict.Undecided(900, 500_000));
    private static final List<Verdict.Impossible> IMPOSSIBLE = List.of(new Verdict.Impossible(List.of(), List.of()));

    @Test
    void whatWasNotDecidedIsNeitherWellNorFailed() {
        Torture.Outcome outcome = outcome(12, List.of(), UNDECIDED);

        assertThat(TortureCommand.code(outcome.judgement())).isEqualTo(3);
        assertThat(lines(outcome))
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("UNDECIDED: a part of 900 calls"),
                        line -> assertThat(line).startsWith("undecided: only 11 of 12 parts could be decided"));
    }

    @Test
    void aRunWithoutCallsShowsNothing() {
        assertThat(TortureCommand.code(outcome(0, List.of(), List.of()).judgement()))
                .isEqualTo(3);
    }

    @Test
    void whatIsImpossibleFailsWhateverElseIsUndecided() {
        Torture.Outcome outcome = outcome(12, IMPOSSIBLE, UNDECIDED);

        assertThat(TortureCommand.code(outcome.judgement())).isEqualTo(1);
        assertThat(lines(outcome)).noneMatch(line -> line.contains("one order"));
    }

    @Test
    void aDecidedRunIsWell() {
        Torture.Outcome outcome = outcome(12, List.of(), List.of());

        assertThat(TortureCommand.code(outcome.judgement())).isZero();
        assertThat(lines(outcome)).singleElement().asString().startsWith("one order explains all answers in 12 of 12");
    }

    private static Torture.Outcome outcome(
            int parts, List<Verdict.Impossible> impossible, List<Verdict.Undecided> undecided) {
        return new Torture.Outcome(
                Map.of(), Map.of(), new HistoryCheck.Result(parts, impossible, undecided), List.of());
    }

    private static List<String> lines(Torture.Outcome outcome) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        TortureCommand.conclude(out, outcome);
        out.flush();
        return text.toString().lines().toList();
    }
}
