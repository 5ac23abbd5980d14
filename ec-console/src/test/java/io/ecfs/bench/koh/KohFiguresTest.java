package io.ecfs.bench.koh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.Plot;
import io.ecfs.bench.report.Plots;
import io.ecfs.bench.report.Summary;
import io.ecfs.bench.report.Table;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class KohFiguresTest {
    private static KohFigure figure(String word) {
        return KohFigures.parse(List.of(word)).get(0);
    }

    @Test
    void aRatioBelowItsTargetIsShortByAShareOfIt() {
        KohGoal atLeast = figure("fig7").goals().get(0);
        assertThat(atLeast.judge(1.5)).isEqualTo(new KohGoal.Judgement(true, 0));
        assertThat(atLeast.judge(1.2).met()).isFalse();
        assertThat(atLeast.judge(1.2).shortBy()).isCloseTo(0.2, within(1e-9));
    }

    @Test
    void aRatioAboveItsTargetIsShortByAShareOfIt() {
        KohGoal atMost = figure("fig13").goals().get(0);
        assertThat(atMost.judge(1.2).met()).isTrue();
        assertThat(atMost.judge(1.5).shortBy()).isCloseTo(0.25, within(1e-9));
    }

    @Test
    void aTargetOfTwoEndsIsMissedOnBothSides() {
        KohGoal between = figure("fig24").goals().get(0);
        assertThat(between.targetText()).isEqualTo("0.900 to 1.10");
        assertThat(between.judge(1).met()).isTrue();
        assertThat(between.judge(0.45).shortBy()).isCloseTo(0.5, within(1e-9));
        assertThat(between.judge(2.2).shortBy()).isCloseTo(1, within(1e-9));
    }

    /** The plot reads targets as text, as they are in files of results. */
    @Test
    void everyTargetIsInThePlotOfItsFigure() {
        for (KohFigure figure : KohFigures.all()) {
            List<KohGoal> targets =
                    figure.goals().stream().filter(KohGoal::hasTarget).toList();
            List<Figure> ratios = targets.stream()
                    .map(goal -> {
                        Map<String, Object> params = new HashMap<>(goal.params());
                        params.put("figure", figure.word());
                        params.put("quantity", goal.text());
                        return new Figure("koh_ratio", 1, "ratio", params);
                    })
                    .toList();
            List<Plot> plots = Plots.ratios(Summary.of(ratios));
            assertThat(plots).as(figure.word()).hasSize(targets.isEmpty() ? 0 : 1);
            plots.forEach(plot -> assertThat(plot.svg().split("<title>target</title>", -1))
                    .as(figure.word() + ": one of the legend, one for each row, and what is around")
                    .hasSize(1 + 1 + targets.size()));
        }
    }

    @Test
    void whatMustBeNothingIsShortByItself() {
        KohGoal nothing = figure("vda").goals().stream()
                .filter(goal -> goal.quantity() == Quantity.LATE)
                .findFirst()
                .orElseThrow();
        assertThat(nothing.judge(0).met()).isTrue();
        assertThat(nothing.judge(3)).isEqualTo(new KohGoal.Judgement(false, 3));
    }

    @Test
    void whatFollowsFromNoRuleHasNoTarget() {
        KohGoal reads = figure("fig15").goals().get(0);
        assertThat(reads.paper()).hasValue(1561);
        assertThat(reads.hasTarget()).isFalse();
        assertThatThrownBy(() -> reads.judge(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> figure("fig7").goals().get(0).judge(Double.NaN))
                .hasMessageContaining("nothing was");
    }

    @Test
    void ratiosOfStatesAndCodesSayHowMuchWorseTheFirstIs() {
        assertThat(Comparison.REPLICATION.ratio(Quantity.THROUGHPUT, 100, 200)).isEqualTo(0.5);
        assertThat(Comparison.CODES.ratio(Quantity.THROUGHPUT, 100, 200)).isEqualTo(2);
        assertThat(Comparison.STATES.ratio(Quantity.LATENCY, 10, 5)).isEqualTo(2);
        assertThat(Comparison.KERNELS.ratio(Quantity.CPU, 10, 5)).isEqualTo(2);
        assertThat(Comparison.ALONE.ratio(Quantity.READ, 10, 5)).isEqualTo(10);
    }

    @Test
    void tablesHaveThePapersNumberOursLimitAndTarget() {
        Table unmeasured =
                KohFigures.table(figure("fig10"), goal -> OptionalDouble.of(7), goal -> OptionalDouble.empty());
        assertThat(unmeasured.rows().get(0))
                .containsExactly(
                        "throughput, depth 256, of 3 copies",
                        "0.179",
                        "7.00",
                        "",
                        "2.00",
                        ">= 1.20",
                        "IV-B",
                        "5.6 times worse");
        Table measured =
                KohFigures.table(figure("fig10"), goal -> OptionalDouble.empty(), goal -> OptionalDouble.of(0.9));
        assertThat(measured.rows())
                .extracting(row -> row.get(5))
                .containsExactly(">= 1.20: SHORT by 25 %", ">= 1.20: SHORT by 25 %", ">= 0.800: met");
        assertThat(KohFigures.table(figure("vda"), goal -> OptionalDouble.empty(), goal -> OptionalDouble.of(3))
                        .rows())
                .extracting(row -> row.get(5))
                .contains("<= 0.000: SHORT by 3.00");
        for (KohFigure figure : KohFigures.all()) {
            Table table = KohFigures.table(figure, goal -> OptionalDouble.empty(), goal -> OptionalDouble.of(1));
            assertThat(table.rows())
                    .isNotEmpty()
                    .allSatisfy(row -> assertThat(row).hasSameSizeAs(table.heads()));
        }
    }
}
