package io.ecfs.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodeSpecTest {
    @ParameterizedTest
    @CsvSource({
        "rs-6-3, 6, 3",
        "rs-1-1, 1, 1",
        "rs-28-4, 28, 4",
        "xor-2-1, 2, 1",
        "replication-3, 1, 2",
        "rs-251-4, 251, 4",
        "rs-van-6-3, 6, 3",
        "lrc-12-2-2, 12, 4",
        "clay-6-3-8, 6, 3",
        "crs-4-2, 4, 2",
        "crs-4-2-8, 4, 2",
        "liberation-4-2, 4, 2",
        "liberation-4-2-11, 4, 2",
        "shec-6-3-2, 6, 3"
    })
    void readsWhatItWrites(String text, int k, int m) {
        CodeSpec spec = CodeSpec.parse(text);
        assertThat(spec).hasToString(text).isEqualTo(CodeSpec.parse(spec.toString()));
        assertThat(spec.dataChunks()).isEqualTo(k);
        assertThat(spec.parityChunks()).isEqualTo(m);
        assertThat(spec.chunks()).isEqualTo(k + m);
    }

    @ParameterizedTest
    @CsvSource({
        "rs-251-5, nearest valid is rs-250-5",
        "rs-6-0, nearest valid is rs-6-1",
        "rs-0-3, nearest valid is rs-1-3",
        "rs-6, nearest valid is rs-6-1",
        "rs-6-3-2, nearest valid is rs-6-3",
        "rs, nearest valid is rs-2-1",
        "xor-2-2, nearest valid is xor-2-1",
        "xor-255-1, nearest valid is xor-254-1",
        "replication-1, nearest valid is replication-2",
        "replication-256, nearest valid is replication-255",
        "rs-van-250-9, nearest valid is rs-van-246-9",
        "lrc-13-2-2, nearest valid is lrc-14-2-2",
        "lrc-12-2-3, nearest valid is lrc-12-2-2",
        "lrc-12-0-2, nearest valid is lrc-12-1-2",
        "lrc-40-2-2, nearest valid is lrc-30-2-2",
        "lrc-12-2, nearest valid is lrc-12-2-2",
        "clay-6-3-9, nearest valid is clay-6-3-8",
        "clay-6-3-5, nearest valid is clay-6-3-6",
        "clay-6-3, nearest valid is clay-6-3-8",
        "clay-20-4-23, nearest valid is clay-20-4-20",
        "crs-250-6, nearest valid is crs-249-6",
        "crs-14-4-4, nearest valid is crs-14-4",
        "crs-4-2-7, nearest valid is crs-4-2-8",
        "liberation-4-3, nearest valid is liberation-4-2",
        "liberation-4-2-9, nearest valid is liberation-4-2",
        "liberation-11-2-7, nearest valid is liberation-11-2",
        "liberation-4-2-12, nearest valid is liberation-4-2-11",
        "liberation-62-2, nearest valid is liberation-61-2",
        "shec-13-4-2, nearest valid is shec-12-4-2",
        "shec-4-5-2, nearest valid is shec-4-4-2",
        "shec-6-3-4, nearest valid is shec-6-3-3",
        "shec-12-9-2, nearest valid is shec-12-8-2",
        "r-6-3, nearest valid is rs-6-3",
        "replicated-3, nearest valid is replication-3",
        "lrcs-13-2-2, nearest valid is lrc-14-2-2",
        "rs-6-x, 'x' is no number of up to 6 digits; nearest valid is rs-6-1",
        "rs-6--3, '' is no number of up to 6 digits; nearest valid is rs-6-3",
        "rs-6-3-1024m, nearest valid is rs-6-3",
        "rs-6-3000000, nearest valid is rs-6-1",
    })
    void refusesWhatIsInvalidAndNamesTheNearest(String text, String ending) {
        assertThatThrownBy(() -> CodeSpec.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text)
                .hasMessageEndingWith(ending);
    }

    @Test
    void refusesAFamilyThatIsNotThere() {
        assertThatThrownBy(() -> CodeSpec.parse("turbo-6-3"))
                .hasMessageContaining("known are rs-k-m, rs-van-k-m, xor-k-1, replication-r, lrc-k-l-g, clay-k-m-d,"
                        + " crs-k-m[-w], liberation-k-2[-w], shec-k-m-c");
    }

    @Test
    void aCodeHasOneNameWhetherItsUsualWordIsGivenOrNot() {
        assertThat(CodeSpec.parse("crs-4-2-4")).isEqualTo(CodeSpec.parse("crs-4-2"));
        assertThat(CodeSpec.parse("crs-14-4-8")).hasToString("crs-14-4");
        assertThat(CodeSpec.parse("liberation-4-2-7")).hasToString("liberation-4-2");
        assertThat(CodeSpec.parse("liberation-11-2-11")).hasToString("liberation-11-2");
    }

    @ParameterizedTest
    @CsvSource({
        "rs-6-3, 1, 64, 3",
        "lrc-12-2-2, 1, 64, 3",
        "shec-6-3-2, 1, 64, 2",
        "clay-6-3-8, 27, 432, 3",
        "clay-6-3-6, 1, 64, 3",
        "crs-6-3, 4, 64, 3",
        "crs-14-4, 8, 128, 4",
        "liberation-4-2, 7, 112, 2",
        "liberation-8-2, 11, 176, 2"
    })
    void knowsItsSubChunksItsAlignmentAndWhatItSurvives(String name, int subChunks, int alignmentBytes, int losses) {
        CodeSpec spec = CodeSpec.parse(name);
        assertThat(spec.subChunks()).isEqualTo(subChunks);
        assertThat(spec.cellAlignmentBytes()).isEqualTo(alignmentBytes);
        assertThat(spec.survivedLosses()).isEqualTo(losses);
        assertThat(spec.decodesFromAny()).isEqualTo(!name.startsWith("lrc") && !name.startsWith("shec"));
    }

    /** An acknowledged write must survive one more loss, whichever it is. */
    @Test
    void countsOnWhatTheCodeCanDecodeAndNotOnANumberOfChunks() {
        CodeSpec lrc = CodeSpec.parse("lrc-6-2-2");
        // Chunks 0..2 and 6 are one local group, 3..5 and 7 the other, 8 and 9 are global.
        assertThat(lrc.decodable(ChunkSet.of(0, 1, 2, 6, 3, 4))).isFalse();
        assertThat(lrc.decodable(ChunkSet.of(0, 1, 3, 4, 8, 9))).isTrue();
        assertThat(lrc.redundant(ChunkSet.range(0, 7))).isFalse();
        assertThat(lrc.redundant(ChunkSet.range(0, 8))).isTrue();
        CodeSpec rs = CodeSpec.rs(6, 3);
        assertThat(rs.redundant(ChunkSet.range(0, 6))).isFalse();
        assertThat(rs.redundant(ChunkSet.range(2, 9))).isTrue();
    }
}
