package io.ecfs.namenode.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.ecfs.code.CodeSpec;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Ring;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RingCompletionTest {
    private static CodeSpec code(String policy) {
        return Policy.parse(policy).code();
    }

    /** All small cases, in which the search ends in time: compared with all colours of the chunks without a place. */
    @ParameterizedTest
    @ValueSource(strings = {"rs-2-2-64k", "rs-3-1-64k", "replication-3"})
    void aGroupCanBeCompletedWhereItToleratesTheWritersWithSomeColours(String policy) {
        CodeSpec code = code(policy);
        for (int colours = 3; colours <= 5; colours++) {
            for (int writers = 1; writers < colours; writers++) {
                Ring ring = new Ring(colours, writers);
                for (int mix = 0; mix < Math.pow(colours + 1, code.chunks()); mix++) {
                    List<Integer> colourOf = new ArrayList<>();
                    int rest = mix;
                    for (int index = 0; index < code.chunks(); index++) {
                        colourOf.add(rest % (colours + 1) - 1);
                        rest /= colours + 1;
                    }
                    assertThat(RingCompletion.possible(ring, code, colourOf))
                            .as("%s on %s", ring, colourOf)
                            .isEqualTo(someTolerated(ring, code, colourOf, 0));
                }
            }
        }
    }

    private static boolean someTolerated(Ring ring, CodeSpec code, List<Integer> colourOf, int index) {
        if (index == colourOf.size()) {
            return ring.toleratedBy(code, colourOf);
        } else if (colourOf.get(index) != Ring.ABSENT) {
            return someTolerated(ring, code, colourOf, index + 1);
        }
        boolean found = false;
        for (int colour = 0; colour < ring.colours() && !found; colour++) {
            List<Integer> tried = new ArrayList<>(colourOf);
            tried.set(index, colour);
            found = someTolerated(ring, code, tried, index + 1);
        }
        return found;
    }

    /** Each absent chunk has a dozen colours: twelve of them have too many to be tried. */
    @Test
    void manyAbsentChunksTakeBoundedTime() {
        for (String policy : List.of("rs-6-6-64k", "lrc-8-2-2-64k")) {
            List<Integer> absent = Collections.nCopies(code(policy).chunks(), Ring.ABSENT);
            for (int writers = 1; writers < 12; writers++) {
                Ring ring = new Ring(12, writers);
                boolean known = Ring.mostWriters(code(policy), 12) >= writers;
                boolean possible = assertTimeoutPreemptively(
                        Duration.ofSeconds(20), () -> RingCompletion.possible(ring, code(policy), absent));
                assertThat(possible || !known).as("%s on %s", policy, ring).isTrue();
            }
        }
    }
}
