package io.ecfs.console.web.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.console.view.Health.Level;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SettlingTest {
    private static final long SECOND = 1_000_000_000L;

    private final Settling settling = new Settling(Duration.ofSeconds(5));

    private Optional<Level> after(Level level, long seconds) {
        return settling.after(Situations.of(level, false), seconds * SECOND)
                .map(situation -> situation.health().level());
    }

    @Test
    void theFirstVerdictIsHeldToo() {
        assertThat(after(Level.OK, 0)).isEmpty();
        assertThat(after(Level.OK, 4)).isEmpty();
        assertThat(after(Level.OK, 5)).contains(Level.OK);
    }

    @Test
    void aVerdictThatDoesNotLastIsLeftOut() {
        after(Level.OK, 0);
        after(Level.OK, 5);
        assertThat(after(Level.CRITICAL, 6)).contains(Level.OK);
        assertThat(after(Level.CRITICAL, 10)).contains(Level.OK);
        assertThat(after(Level.OK, 11)).contains(Level.OK);
        assertThat(after(Level.CRITICAL, 12)).contains(Level.OK);
        assertThat(after(Level.CRITICAL, 17)).contains(Level.CRITICAL);
    }

    @Test
    void aVerdictThatChangesAgainAndAgainIsTakenAllTheSame() {
        after(Level.OK, 0);
        after(Level.OK, 5);
        assertThat(after(Level.WARNING, 6)).contains(Level.OK);
        assertThat(after(Level.CRITICAL, 9)).contains(Level.OK);
        assertThat(after(Level.WARNING, 12)).contains(Level.WARNING);
    }

    @Test
    void incidentsAreThoseOfNow() {
        after(Level.OK, 0);
        after(Level.OK, 5);
        Situation now = Situations.of(Level.CRITICAL, true, Situations.open(1));
        Situation settled = settling.after(now, 6 * SECOND).orElseThrow();
        assertThat(settled.incidents()).hasSize(1);
        assertThat(settled.atRisk()).isFalse();
    }
}
