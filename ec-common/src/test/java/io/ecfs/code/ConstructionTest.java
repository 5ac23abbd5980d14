package io.ecfs.code;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The properties of the matrices on which the families' promises stand, for every shape that is admitted. */
class ConstructionTest {
    /** Decodable patterns by number of losses, from the counting rule of the LRC paper and from the SHEC layout. */
    @ParameterizedTest
    @CsvSource({
        "lrc-12-2-2, 16/16 120/120 560/560 1568/1820",
        "lrc-6-2-2, 10/10 45/45 120/120 180/210",
        "shec-4-3-2, 7/7 21/21 29/35",
        "shec-6-3-2, 9/9 36/36 72/84",
        "shec-8-4-3, 12/12 66/66 220/220 475/495",
        "shec-10-6-3, 16/16 120/120 560/560 1798/1820 4044/4368 5916/8008",
        "clay-4-2-5, 6/6 15/15",
        "liberation-4-2, 6/6 15/15",
        "rs-6-3, 9/9 36/36 84/84"
    })
    void decodesAsManyPatternsAsTheTableSays(String name, String table) {
        CodeSpec spec = CodeSpec.parse(name);
        int n = spec.chunks();
        int[] decoded = new int[spec.parityChunks() + 1];
        int[] all = new int[spec.parityChunks() + 1];
        for (ChunkSet lost : Cells.subsets(n, spec.parityChunks())) {
            ChunkSet available = ChunkSet.range(0, n).minus(lost);
            all[lost.size()]++;
            decoded[lost.size()] += spec.decodable(available) ? 1 : 0;
        }
        assertThat(IntStream.range(1, all.length).mapToObj(i -> decoded[i] + "/" + all[i]))
                .containsExactly(table.split(" "));
    }
}
