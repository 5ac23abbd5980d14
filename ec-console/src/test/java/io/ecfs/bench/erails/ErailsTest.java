package io.ecfs.bench.erails;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.bench.bed.erails.CodingTimes;
import io.ecfs.bench.bed.erails.Load;
import io.ecfs.bench.bed.erails.MeasuredCoding;
import io.ecfs.bench.bed.erails.Medium;
import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.Report;
import io.ecfs.code.CodeSpec;
import io.ecfs.code.kernel.Kernels;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ErailsTest {
    private static final MeasuredCoding CODEC =
            new MeasuredCoding(Kernels.java(), ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime, 100_000);

    private static final ErailsSetting QUICK = new ErailsSetting(
            Medium.SSD,
            Optional.empty(),
            Optional.empty(),
            OptionalInt.empty(),
            OptionalDouble.empty(),
            OptionalLong.empty(),
            0,
            Duration.ZERO,
            Load.Mix.DISPATCH,
            false,
            false,
            CodingTimes.constant(8e9),
            CODEC,
            true,
            1);

    private static Report report(ErailsShown shown) {
        return new Erails(QUICK).report(shown);
    }

    private static List<Figure> named(Report report, String name) {
        return report.figures().stream()
                .filter(figure -> figure.name().equals(name))
                .toList();
    }

    /** Figure 3: m(N - m)/N^2, and not what section 4 prints. */
    @Test
    void writesAreWhatTheFormulaSays() {
        List<Figure> shares = report(ErailsShown.FIG3).figures();
        assertThat(shares).hasSize(9).allSatisfy(figure -> {
            int m = (int) figure.params().get("m");
            assertThat(figure.value()).isBetween(0.97 * m * (10 - m) / 100, 1.03 * m * (10 - m) / 100);
            assertThat(figure.params()).containsEntry("met", true).containsEntry("k", 10 - m);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"FIG9", "FIG10"})
    void separationReachesItsTargets(ErailsShown shown) {
        Report report = report(shown);
        int k = shown == ErailsShown.FIG9 ? 3 : 5;
        for (String name : List.of("erails_read_share", "erails_write_share", "erails_read_p99_ratio")) {
            assertThat(named(report, name))
                    .hasSize(1)
                    .allSatisfy(figure -> assertThat(figure.params())
                            .containsEntry("figure", shown.word())
                            .containsEntry("bed", "sim")
                            .containsEntry("mix", "dispatch")
                            .containsEntry("k", k)
                            .containsEntry("m", k)
                            .containsEntry("met", true));
        }
        assertThat(report.figures()).allSatisfy(figure -> {
            assertThat(figure.value()).isFinite();
            assertThat(figure.params().getOrDefault("met", true)).isEqualTo(true);
        });
        assertThat(named(report, "erails_reads")).hasSize(2);
    }

    @Test
    void codingIsMeasuredWithOurCodec() {
        assertThat(report(ErailsShown.FIG5).figures())
                .isNotEmpty()
                .allSatisfy(figure -> assertThat(figure.value()).isPositive());
    }

    @Test
    void decodingIsFreeWithFewCores() {
        assertThat(report(ErailsShown.FIG6).figures())
                .isNotEmpty()
                .allSatisfy(figure ->
                        assertThat(figure.params().getOrDefault("met", true)).isEqualTo(true));
    }

    @Test
    void groupsScaleAndAreSpread() {
        CodeSpec code = RingPlans.code(3, 3);
        PlacedGroups groups = PlacedGroups.of(RingPlans.ring(QUICK, code), code, 12, 600, 1);
        assertThat(groups.groups())
                .hasSize(600)
                .allSatisfy(group -> assertThat(group.volumes().stream().map(volume -> volume % 6))
                        .hasSize(6)
                        .doesNotHaveDuplicates());
        assertThat(groups.spread()).isLessThan(0.1);
    }

    @Test
    void wordsAndWritersThatDoNotExistAreRefused() {
        assertThatThrownBy(() -> ErailsShown.of("fig7")).hasMessageContaining("did you mean 'fig");
        assertThatThrownBy(() -> new Erails(QUICK.withWriters(4)).report(ErailsShown.FIG9))
                .hasMessageContaining("1 to 3 write with rs-van-3-3, got 4; nearest is 3");
    }
}
