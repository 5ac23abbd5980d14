package io.ecfs.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.Policy;
import io.ecfs.namenode.settings.GarbageSettings;
import io.ecfs.torture.fault.Shape;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What daemons under torture are configured with. */
class TorturePlanTest {
    private static final String DELAY = "namenode.settings.garbage.delay=";

    /** Of directories in each other: /torture/GROUP/d/x, with what renames put below. */
    private static final int LEVELS = 5;

    /**
     * A deleted directory is purged level by level, each after the delay; a deleted open file keeps its group as long.
     */
    @ParameterizedTest
    @EnumSource(Shape.class)
    void deletedDirectoriesArePurgedLongBeforeTheWaitForThemEnds(Shape shape) {
        Duration delay =
                garbageDelay(new TorturePlan(shape, 1, Duration.ofMinutes(1), Policy.parse("rs-3-2-64k"), List.of())
                        .daemonSettings());

        assertThat(delay.multipliedBy(LEVELS)).isLessThan(Settling.END.dividedBy(2));
    }

    private static Duration garbageDelay(List<String> settings) {
        return settings.stream()
                .filter(setting -> setting.startsWith(DELAY))
                .map(setting -> Duration.parse("PT" + setting.substring(DELAY.length())))
                .findFirst()
                .orElse(GarbageSettings.defaults().delay());
    }
}
