package io.ecfs.bench.exstorus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.bench.report.Cells;
import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.Report;
import io.ecfs.bench.report.Table;
import io.ecfs.console.forecast.WritePresets;
import io.ecfs.layout.WriteSide;
import io.ecfs.plan.write.WriteStep;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExstorusTest {
    private static final ExstorusPlan QUICK = new ExstorusPlan(
            WritePresets.ESTIMATE.constants(),
            WriteSide.MASTER,
            20_000,
            5,
            10,
            10,
            Optional.empty(),
            List.of("java"),
            true,
            1);

    private static Report report(Shown shown) {
        return new Exstorus(QUICK, ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime).report(shown);
    }

    @ParameterizedTest
    @EnumSource
    void everyTableAndFigureHasRowsAndLines(Shown shown) {
        Report report = report(shown);
        assertThat(report.tables()).isNotEmpty().allSatisfy(table -> {
            assertThat(table.rows()).isNotEmpty();
            assertThat(table.rows()).allSatisfy(row -> assertThat(row).hasSameSizeAs(table.heads()));
        });
        assertThat(report.figures()).isNotEmpty().allSatisfy(figure -> {
            assertThat(figure.value()).isFinite().isNotNegative();
            assertThat(figure.params()).containsKeys("network", "record", "side", "bed");
        });
    }

    @Test
    void stepsHaveTheLinesThatScriptsRelyOn() {
        List<Figure> steps = report(Shown.TABLE3).figures().stream()
                .filter(figure -> figure.name().equals("exstorus_step"))
                .toList();
        assertThat(steps).hasSize(3 * 5).allSatisfy(figure -> {
            assertThat(figure.unit()).isEqualTo("seconds");
            assertThat(figure.params()).containsEntry("record", 131_072L).containsEntry("bed", "sim");
        });
        assertThat(steps.stream().map(figure -> figure.params().get("network")).distinct())
                .containsExactly("1g", "10g", "40g");
    }

    @Test
    void stepsAddUpToTheirSumAndToTheTimeThatPasses() {
        List<List<String>> rows = report(Shown.TABLE1).tables().get(0).rows();
        for (PaperRow record : PaperRow.of("table1")) {
            List<List<String>> ofRecord = rows.stream()
                    .filter(row -> row.get(1).equals(Cells.kibibytes(record.recordBytes())))
                    .toList();
            assertThat(ofRecord)
                    .extracting(row -> row.get(2))
                    .containsExactly("CO", "MP", "PC", "DD", "SP", "sum", "elapsed", "DD hidden");
            for (int column : new int[] {3, 4, 5}) { // paper, model, ours
                double sum = ofRecord.subList(0, 5).stream()
                        .mapToDouble(row -> Double.parseDouble(row.get(column)))
                        .sum();
                assertThat(Double.parseDouble(ofRecord.get(5).get(column))).isCloseTo(sum, within(0.03));
                assertThat(Double.parseDouble(ofRecord.get(6).get(column))).isCloseTo(sum, within(0.03 + sum / 100));
            }
        }
    }

    @Test
    void thePapersRatesFollowFromItsTables() {
        assertThat(PaperRow.of("table3", 1, 131_072).rate()).isCloseTo(39.7, within(0.05));
        assertThat(PaperRow.of("table3", 10, 131_072).rate()).isCloseTo(199.5, within(0.05));
        assertThat(PaperRow.of("table3", 40, 131_072).rate()).isCloseTo(264.6, within(0.05));
    }

    @Test
    void thePapersSharesOf100GigabitsImplyOtherTimesThanItsPoints() {
        FastNetwork fast = new FastNetwork(QUICK, new BedRuns(QUICK));
        assertThat(fast.impliedTotal()).isCloseTo(17.8, within(0.05));
        assertThat(fast.implied(WriteStep.DD)).isCloseTo(3.07, within(0.01));
        assertThat(fast.implied(WriteStep.CO)).isCloseTo(8.2, within(0.05));
        for (boolean relative : new boolean[] {false, true}) {
            FastNetwork.Fit fit = FastNetwork.Fit.throughThePaper(relative);
            assertThat(fit.fixed()).isBetween(7.1, 8.0);
            assertThat(fit.perGigabit()).isBetween(139.0, 147.0);
            assertThat(fit.seconds(100)).isBetween(8.5, 9.4);
        }
    }

    @Test
    void contradictionsStandBelowTheTablesThatTheyConcern() {
        assertThat(rows(Shown.FIG16)).hasSize(4);
        assertThat(rows(Shown.FIG12))
                .singleElement()
                .satisfies(row -> assertThat(row.get(1)).contains("4.4 %"));
        assertThat(report(Shown.TABLE1).tables())
                .extracting(Table::title)
                .noneMatch(title -> title.startsWith("where"));
    }

    private static List<List<String>> rows(Shown shown) {
        return report(shown).tables().stream()
                .filter(table -> table.title().startsWith("where"))
                .findFirst()
                .orElseThrow()
                .rows();
    }

    @Test
    void theModelTellsWhatItMissesAt4K() {
        assertThat(report(Shown.TABLE2).notes())
                .isNotEmpty()
                .anyMatch(note -> note.startsWith("the model misses DD of 4 K on 10g by 4"));
    }

    @Test
    void aKernelThatDoesNothingCostsNearlyNothing() {
        KernelTimes times = new KernelTimes(ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime, true);
        var policy = io.ecfs.layout.Policy.parse("rs-4-2-32k");
        assertThat(times.stripeNanos(policy, new NoCoding()))
                .isLessThan(times.stripeNanos(policy, io.ecfs.code.kernel.Kernels.java()) / 2);
    }
}
