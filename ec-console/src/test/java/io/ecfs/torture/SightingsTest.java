package io.ecfs.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.torture.history.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is wrong about what is seen at the end. */
class SightingsTest {
    private static final Answer READ = new Answer.Content(List.of(), Answer.Access.CLOSED);
    private static final Answer LOST =
            new Answer.Lost(10, List.of(), List.of(new Answer.Hole(0, 10)), "GROUP_UNREADABLE");

    @Test
    void whatIsLostInTheFirstLookMayHaveGoneWithThePower() {
        Sightings sightings = new Sightings(true);
        sightings.note("/a", LOST, "with all");
        sightings.note("/a", LOST, "without dn1");

        assertThat(sightings.problems()).isEmpty();
        assertThat(sightings.lost()).containsExactly("/a");
    }

    @Test
    void whatCouldBeReadAndThenCannotHasLostItsRedundancy() {
        Sightings sightings = new Sightings(true);
        sightings.note("/a", READ, "with all");
        sightings.note("/a", LOST, "without dn1");

        assertThat(sightings.problems())
                .containsExactly("/a could be read before and cannot be read without dn1: GROUP_UNREADABLE");
        assertThat(sightings.lost()).as("left out of the audit").isEmpty();
    }

    @Test
    void nothingIsLostWithPower() {
        Sightings sightings = new Sightings(false);
        sightings.note("/a", LOST, "with all");

        assertThat(sightings.problems()).hasSize(1);
        assertThat(sightings.lost()).isEmpty();
    }
}
