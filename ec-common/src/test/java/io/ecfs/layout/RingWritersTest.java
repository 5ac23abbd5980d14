package io.ecfs.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.CodeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RingWritersTest {
    private static CodeSpec code(String policy) {
        return Policy.parse(policy).code();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rs-3-2-64k", "rs-3-3-64k", "replication-3", "lrc-4-2-2-64k"})
    void aGroupToleratesEachNumberOfWritersUpToTheMost(String policy) {
        Random random = new Random(3);
        for (int i = 0; i < 500; i++) {
            int colours = 2 + random.nextInt(8);
            List<Integer> colourOf = new ArrayList<>();
            for (int index = 0; index < code(policy).chunks(); index++) {
                colourOf.add(random.nextInt(colours));
            }
            int most = Ring.mostWriters(code(policy), colours, colourOf);
            for (int writers = 1; writers < colours; writers++) {
                assertThat(new Ring(colours, writers).toleratedBy(code(policy), colourOf))
                        .as("%s of %s on %s", writers, colours, colourOf)
                        .isEqualTo(writers <= most);
            }
        }
    }

    @Test
    void aChunkWithoutAPlaceCountsAsReadable() {
        assertThat(Ring.mostWriters(code("rs-3-3-64k"), 6, List.of(0, 1, 2, 3, 4, 5)))
                .isEqualTo(3);
        assertThat(Ring.mostWriters(code("rs-3-3-64k"), 6, List.of(0, 1, 2, Ring.ABSENT, 4, 5)))
                .isEqualTo(3);
        assertThat(Ring.mostWriters(code("rs-3-3-64k"), 6, List.of(0, 0, 0, 0, 1, 2)))
                .isZero();
    }
}
