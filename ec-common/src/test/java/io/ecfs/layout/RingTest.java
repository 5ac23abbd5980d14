package io.ecfs.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.CodeSpec;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RingTest {
    private static CodeSpec code(String policy) {
        return Policy.parse(policy).code();
    }

    private static List<Integer> inOrder(int colours) {
        return IntStream.range(0, colours).boxed().toList();
    }

    /** Figure 2 of the paper: four drives, two of which write. */
    @Test
    void theWindowMovesByOneDrive() {
        Ring ring = new Ring(4, 2);
        assertThat(ring.reading(inOrder(4), 0)).isEqualTo(ChunkSet.of(0, 1));
        assertThat(ring.reading(inOrder(4), 1)).isEqualTo(ChunkSet.of(1, 2));
        assertThat(ring.reading(inOrder(4), 3)).isEqualTo(ChunkSet.of(3, 0));
        assertThat(ring.reading(inOrder(4), 4)).isEqualTo(ring.reading(inOrder(4), 0));
    }

    @Test
    void eachTurnExchangesOneReaderForOneWriterAndItsDistanceIsTold() {
        for (int colours = 2; colours <= 12; colours++) {
            for (int writers = 1; writers < colours; writers++) {
                Ring ring = new Ring(colours, writers);
                for (int position = 0; position < 2 * colours; position++) {
                    ChunkSet reading = ring.reading(inOrder(colours), position);
                    assertThat(reading.size()).isEqualTo(colours - writers);
                    assertThat(reading.minus(ring.reading(inOrder(colours), position + 1)))
                            .isEqualTo(ChunkSet.of(position % colours));
                    for (int colour = 0; colour < colours; colour++) {
                        boolean writes = ring.writes(colour, position);
                        int turns = 0;
                        while (ring.writes(colour, position + turns) == writes) {
                            turns++;
                        }
                        assertThat(ring.turnsUntilReading(colour, position)).isEqualTo(writes ? turns : 0);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "rs-3-3-64k, 6, 3, true",
        "rs-3-3-64k, 6, 4, false",
        "rs-6-3-64k, 9, 3, true",
        "rs-6-3-64k, 9, 4, false",
        "replication-3, 3, 2, true",
        "lrc-4-2-2-64k, 8, 3, true",
        "lrc-4-2-2-64k, 8, 4, false"
    })
    void aGroupToleratesWritersWhenItsReadersSufficeAtEachPosition(
            String policy, int colours, int writers, boolean tolerated) {
        assertThat(new Ring(colours, writers).toleratedBy(code(policy), inOrder(colours)))
                .isEqualTo(tolerated);
    }

    @ParameterizedTest
    @CsvSource({
        "rs-3-3-64k, 6, 3",
        "rs-5-5-64k, 10, 5",
        "rs-6-3-64k, 9, 3",
        "rs-3-3-64k, 12, 6",
        "replication-3, 6, 4",
        "rs-6-3-64k, 6, 2",
        "rs-6-3-64k, 4, 1",
        "rs-6-3-64k, 2, 0"
    })
    void mostWriters(String policy, int colours, int writers) {
        assertThat(Ring.mostWriters(code(policy), colours)).isEqualTo(writers);
    }

    /** N = n = n_c: W = k w_r w / n, N w / 4 at k = m = w_r. */
    @Test
    void ratesOfThePaper() {
        RingRates rates = new RingRates(new Ring(6, 3), code("rs-3-3-64k"), 6, 272, 52);
        assertThat(rates.writes()).isCloseTo(6 * 52 / 4.0, within(1e-9));
        assertThat(rates.reads()).isCloseTo(3 * 272, within(1e-9));
        assertThat(rates.mostStaged(40, 10)).isCloseTo(400, within(1e-9));
    }

    @Test
    void impossibleRingsAreRefused() {
        assertThatThrownBy(() -> new Ring(1, 1)).hasMessage("a ring has 2 to 255 colours, not 1");
        assertThatThrownBy(() -> new Ring(6, 6)).hasMessage("of 6 colours 1 to 5 write at a time, not 6");
        assertThatThrownBy(() -> new RingRates(new Ring(6, 3), code("rs-3-3-64k"), 5, 1, 1))
                .hasMessageContaining("at least as many volumes, not 5");
        assertThatThrownBy(() -> new RingRates(new Ring(6, 3), code("rs-3-3-64k"), 6, 0, 1))
                .hasMessageContaining("rates of a volume are positive");
    }
}
