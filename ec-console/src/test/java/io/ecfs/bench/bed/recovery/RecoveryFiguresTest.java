package io.ecfs.bench.bed.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.bench.bed.recovery.DatanodeHardware.Visits;
import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.FigureKey;
import io.ecfs.fault.record.Phase;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RecoveryFiguresTest {
    @Test
    void theTimelineHasEveryPhaseOfEverySetting() {
        timeline(new RecoveryFigures(250, Duration.ofSeconds(30), Visits.ONE_WHERE_FASTER));
    }

    @Test
    @Tag("soak")
    void soDoesTheOneOfTheQuickForm() {
        timeline(new RecoveryFigures(true, Visits.ONE_WHERE_FASTER));
    }

    private static void timeline(RecoveryFigures figures) {
        RecoveryReport report = figures.of(ShownFigure.TIMELINE);
        assertThat(report.rows()).hasSize(6).allSatisfy(row -> {
            assertThat(row.target().orElseThrow().met()).isTrue();
            assertThat(row.limitSeconds()).isPositive().isLessThan(row.result().seconds(Phase.RECOVERY));
        });
        assertThat(report.table().rows())
                .hasSize(6)
                .allSatisfy(row -> assertThat(row).hasSameSizeAs(report.table().heads()));
        Set<FigureKey> keys = report.figures().stream().map(FigureKey::of).collect(Collectors.toSet());
        assertThat(keys).hasSize(report.figures().size()).hasSize(6 * 7);
        assertThat(report.figures().stream().map(Figure::name).distinct())
                .containsExactly("fault_phase", "fault_checking_share", "fault_recovery_rate");
    }

    @Test
    void figuresHaveTheNumbersOfTheStudy() {
        assertThat(ShownFigure.words()).containsExactly("2a", "2b", "2c", "2d", "3");
        assertThat(ShownFigure.of("2d")).isEqualTo(ShownFigure.FAILURES);
        assertThatThrownBy(() -> ShownFigure.of("4")).hasMessageContaining("2a, 2b, 2c, 2d, 3");
    }
}
