package io.ecfs.bench.koh.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.bench.koh.ImageState;
import io.ecfs.bench.koh.KohFigure;
import io.ecfs.bench.koh.KohFigures;
import io.ecfs.bench.koh.KohGoal;
import io.ecfs.bench.koh.KohOptions;
import io.ecfs.bench.koh.KohPlan;
import io.ecfs.bench.koh.KohStage;
import io.ecfs.bench.koh.Mix;
import io.ecfs.bench.koh.Quantity;
import io.ecfs.bench.koh.RequestSizes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

class KohResultsTest {
    private static KohOptions options(String sizes, int repetitions) {
        KohOptions usual = KohOptions.usual();
        return new KohOptions(
                usual.policies(), RequestSizes.parse(sizes), List.of(), usual.states(), 64L << 20, 1, repetitions);
    }

    private static KohSetting setting(boolean sync, double spare) {
        return new KohSetting(
                12, false, new UpdateSetting(sync, spare, 0), false, Optional.empty(), Optional.empty(), List.of());
    }

    private static KohFigure figure(String word) {
        return KohFigures.parse(List.of(word)).get(0);
    }

    /** Every stage of a figure came to a value of a quantity. */
    private static KohResults results(
            String word, KohSetting setting, Quantity quantity, ToDoubleFunction<KohStage.Requests> value) {
        KohPlan plan = new KohPlan(List.of(figure(word)), options("4k,16k", 1));
        KohResults results = new KohResults(plan, setting);
        for (KohStage stage : plan.stages()) {
            double ours = value.applyAsDouble((KohStage.Requests) stage);
            results.add(new Outcome(stage, 1, Map.of(quantity, ours), Map.of(quantity, 2 * ours), Map.of()));
        }
        return results;
    }

    private static KohGoal goal(String word, Quantity quantity, String text) {
        return figure(word).goals().stream()
                .filter(goal -> goal.quantity() == quantity && goal.text().contains(text))
                .findFirst()
                .orElseThrow();
    }

    private static boolean copies(KohStage stage) {
        return stage.policy().dataChunks() == 1;
    }

    @Test
    void aRatioToThreeCopiesIsTheGeometricMeanOverSizesAndStates() {
        KohResults results = results(
                "fig7", setting(false, 0.5), Quantity.THROUGHPUT, s -> copies(s) ? 10 : s.bytes() == 4096 ? 40 : 10);
        OptionalDouble all = results.ours(figure("fig7"), goal("fig7", Quantity.THROUGHPUT, "throughput, of"));
        assertThat(all.orElseThrow()).isCloseTo(2, within(1e-9));
    }

    @Test
    void filesWithPatchesAreComparedWithThoseWithout() {
        KohResults results = results("patches", setting(false, 0.5), Quantity.THROUGHPUT, s -> switch (s.state()) {
            case OVERWRITE -> 200;
            case PATCHED -> 120;
            case MERGED -> 190;
            case PRISTINE -> 1;
        });
        assertThat(results.ours(figure("patches"), goal("patches", Quantity.THROUGHPUT, "patched")))
                .hasValue(0.6);
        assertThat(results.ours(figure("patches"), goal("patches", Quantity.THROUGHPUT, "merged")))
                .hasValue(0.95);
    }

    @Test
    void aGoalOfOneSizeAndDepthTakesThoseStagesAlone() {
        KohResults results = results(
                "fig10",
                setting(false, 0.5),
                Quantity.THROUGHPUT,
                s -> copies(s) ? 10 : s.bytes() == 4096 ? (s.depth() == 1 ? 5 : 20) : 1000);
        assertThat(results.ours(figure("fig10"), goal("fig10", Quantity.THROUGHPUT, "4k, depth 256"))
                        .orElseThrow())
                .isCloseTo(2, within(1e-9));
    }

    @Test
    void statesSayHowMuchWorseAPristineFileIs() {
        KohResults results = results(
                "fig21", setting(false, 0.5), Quantity.THROUGHPUT, s -> s.state() == ImageState.PRISTINE ? 5 : 20);
        assertThat(results.ours(figure("fig21"), figure("fig21").goals().get(0)).orElseThrow())
                .isCloseTo(4, within(1e-9));
    }

    @Test
    void codesSayHowMuchWorseTheWiderOneIs() {
        KohResults results = results(
                "fig27",
                setting(false, 0.5),
                Quantity.THROUGHPUT,
                s -> s.policy().dataChunks() == 6 ? 5 : 10);
        assertThat(results.ours(figure("fig27"), figure("fig27").goals().get(0)).orElseThrow())
                .isCloseTo(2, within(1e-9));
    }

    @Test
    void twoKindsOfNothingAreEqualAndNothingIsNone() {
        KohResults results = results("fig28", setting(false, 0.5), Quantity.READ, s -> 0);
        assertThat(results.ours(figure("fig28"), goal("fig28", Quantity.READ, ""))
                        .orElseThrow())
                .isCloseTo(1, within(1e-9));
        KohResults alone = results("fig16", setting(false, 100), Quantity.READ, s -> 0.0005);
        assertThat(alone.ours(figure("fig16"), goal("fig16", Quantity.READ, "uncompacted")))
                .hasValue(0);
    }

    @Test
    void aGoalCountsUnderItsConditionAlone() {
        for (boolean sync : new boolean[] {false, true}) {
            for (double spare : new double[] {0.5, 100}) {
                KohResults results = results("fig16", setting(sync, spare), Quantity.WRITTEN, s -> 2);
                assertThat(results.ours(figure("fig16"), goal("fig16", Quantity.WRITTEN, ", compacted"))
                                .isPresent())
                        .isEqualTo(spare == 0.5);
                assertThat(results.ours(figure("fig16"), goal("fig16", Quantity.WRITTEN, "uncompacted"))
                                .isPresent())
                        .isEqualTo(spare == 100);
                assertThat(results.ours(figure("fig16"), goal("fig16", Quantity.WRITTEN, "synced"))
                                .isPresent())
                        .isEqualTo(sync);
            }
        }
    }

    @Test
    void theRulesHaveRatiosOfTheirOwnAndWhatWasNotMeasuredHasNone() {
        KohResults results = results("fig16", setting(false, 100), Quantity.WRITTEN, s -> copies(s) ? 1 : 3);
        KohGoal goal = goal("fig16", Quantity.WRITTEN, "of 3 copies");
        assertThat(results.rules(figure("fig16"), goal).orElseThrow()).isCloseTo(3, within(1e-9));
        assertThat(results.ours(figure("fig16"), goal("fig16", Quantity.READ, "uncompacted")))
                .isEmpty();
    }

    @Test
    void processesAreDealtByTheSharesOfComponents() {
        assertThat(MixProcess.numbers(Mix.DB.components(), 110)).containsExactly(92, 18);
        assertThat(MixProcess.numbers(Mix.EDA.components(), 250)).containsExactly(167, 83);
        assertThat(MixProcess.numbers(Mix.VDA.components(), 10)).containsExactly(9, 1);
    }

    @Test
    void aTimeSeriesShowsItsWorstTenthOfASecond() {
        TimeSeries series = new TimeSeries(1000);
        assertThat(series.steadiness()).isEmpty();
        for (int step = 0; step < 6; step++) {
            series.add(1000 + step * 100_000_000L, step == 3 ? 10 : 40);
        }
        assertThat(series.steadiness()).hasValue(0.25);
        assertThat(series.points()).hasSize(5);
        assertThat(series.points().get(3)).containsExactly(0.3, 0.0001);
    }

    @Test
    void whatDoesNotFitIsRefusedWithTheNearest() {
        KohPlan deep = new KohPlan(
                List.of(figure("fig7")),
                new KohOptions(
                        KohOptions.usual().policies(),
                        RequestSizes.parse("16m"),
                        List.of(256),
                        KohOptions.usual().states(),
                        4L << 30,
                        1,
                        1));
        assertThatThrownBy(() -> new KohRun(deep, setting(false, 0.5))).hasMessageEndingWith("the most is --depth 64");
        assertThatThrownBy(() -> setting(false, 0)).hasMessageStartingWith("--spare must be above 0");
        assertThatThrownBy(() -> new UpdateSetting(false, 0.5, -1))
                .hasMessageStartingWith("--age must be from 0 to 100");
        assertThatThrownBy(() -> new KohSetting(
                        200,
                        false,
                        new UpdateSetting(false, 0.5, 0),
                        false,
                        Optional.empty(),
                        Optional.empty(),
                        List.of()))
                .hasMessageEndingWith("nearest is 96");
    }
}
