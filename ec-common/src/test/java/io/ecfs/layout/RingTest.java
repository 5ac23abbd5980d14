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
import org.junit.jupiter.params.provider.ValueSource;

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
                        assertThat(ring.turnsUntilWriting(colour, position)).isEqualTo(writes ? 0 : turns);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "rs-3-3-64k, 6, 3, 0",
        "rs-3-3-64k, 6, 2, 1",
        "rs-3-3-64k, 6, 4, -1",
        "rs-6-3-64k, 9, 1, 2",
        "replication-3, 3, 2, 0",
        "lrc-4-2-2-64k, 8, 2, 1",
        "lrc-4-2-2-64k, 8, 3, 0"
    })
    void slackIsWhatReadersLose(String policy, int colours, int writers, int slack) {
        Ring ring = new Ring(colours, writers);
        assertThat(ring.slack(code(policy), inOrder(colours))).isEqualTo(slack);
        assertThat(ring.legal(code(policy), inOrder(colours))).isEqualTo(slack >= 0);
    }

    /** What slack means, tried: all losses of so many chunks, at each position. */
    @ParameterizedTest
    @ValueSource(strings = {"rs-3-2-64k", "lrc-4-2-2-64k", "shec-4-3-2-64k", "clay-4-2-5-64k", "crs-3-2-64k"})
    void slackEqualsWhatAllLossesShow(String policy) {
        CodeSpec code = code(policy);
        for (int writers = 1; writers < code.chunks(); writers++) {
            Ring ring = new Ring(code.chunks(), writers);
            int survived = code.chunks();
            for (int position = 0; position < code.chunks(); position++) {
                for (int losses = 0; losses < 1 << code.chunks(); losses++) {
                    int mask = losses;
                    ChunkSet lost = ChunkSet.of(IntStream.range(0, code.chunks())
                            .filter(i -> (mask >> i & 1) == 1)
                            .toArray());
                    if (!code.decodable(
                            ring.reading(inOrder(code.chunks()), position).minus(lost))) {
                        survived = Math.min(survived, lost.size() - 1);
                    }
                }
            }
            assertThat(ring.slack(code, inOrder(code.chunks())))
                    .as("%s writers", writers)
                    .isEqualTo(survived);
        }
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

    /** N = n = n_c: W = k w_r w / n, N w / 4 at k = m = w_r; one journalled byte for each of users. */
    @Test
    void ratesOfThePaper() {
        RingRates rates = new RingRates(new Ring(6, 3), code("rs-3-3-64k"), 6, 272, 52);
        assertThat(rates.writes()).isCloseTo(6 * 52 / 4.0, within(1e-9));
        assertThat(rates.reads()).isCloseTo(3 * 272, within(1e-9));
        assertThat(rates.journalledPerByte()).isCloseTo(1, within(1e-9));
        assertThat(rates.mostStaged(40, 10)).isCloseTo(400, within(1e-9));
        assertThat(rates.readsBeside(rates.writes())).isCloseTo(rates.reads(), within(1e-9));
        assertThat(rates.readsBeside(0)).isCloseTo(6 * 272, within(1e-9));
        assertThat(rates.readsBeside(1000)).isZero();
    }

    @Test
    void journalledBytesAreOneWheneverAsManyWriteAsThereAreParityChunks() {
        for (String policy : List.of("rs-3-3-64k", "rs-6-3-64k", "rs-10-4-64k", "replication-3")) {
            CodeSpec code = code(policy);
            Ring ring = new Ring(code.chunks(), code.parityChunks());
            assertThat(new RingRates(ring, code, code.chunks(), 1, 1).journalledPerByte())
                    .isCloseTo(1, within(1e-9));
        }
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
