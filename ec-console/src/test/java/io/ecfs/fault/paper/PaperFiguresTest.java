package io.ecfs.fault.paper;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.fault.profile.LabCluster;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class PaperFiguresTest {
    /** Such as cells that the code does not have: the larger scale is run by hand. */
    @ParameterizedTest
    @MethodSource("io.ecfs.fault.paper.PaperFigures#words")
    void everySettingOfBothScalesIsLegal(String word) {
        for (Scale scale : new Scale[] {Scale.quick(), Scale.usual(LabCluster.Shape.PROCESSES)}) {
            PaperFigure figure = PaperFigures.of(word, scale);
            assertThat(figure.settings().size() + figure.stored().size()).isPositive();
            assertThat(figure.settings().stream().map(PaperSetting::label)).doesNotHaveDuplicates();
        }
    }
}
