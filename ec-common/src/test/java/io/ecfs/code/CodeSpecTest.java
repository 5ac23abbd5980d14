package io.ecfs.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodeSpecTest {
    @ParameterizedTest
    @CsvSource({"rs-6-3, 6, 3", "rs-1-1, 1, 1", "rs-28-4, 28, 4", "xor-2-1, 2, 1", "replication-3, 1, 2"})
    void readsWhatItWrites(String text, int k, int m) {
        CodeSpec spec = CodeSpec.parse(text);
        assertThat(spec).hasToString(text).isEqualTo(CodeSpec.parse(spec.toString()));
        assertThat(spec.dataChunks()).isEqualTo(k);
        assertThat(spec.parityChunks()).isEqualTo(m);
        assertThat(spec.chunks()).isEqualTo(k + m);
    }

    @ParameterizedTest
    @CsvSource({
        "rs-30-5, nearest valid is rs-27-5",
        "rs-6-0, nearest valid is rs-6-1",
        "rs-0-3, nearest valid is rs-1-3",
        "rs-6, nearest valid is rs-6-1",
        "rs-6-3-2, nearest valid is rs-6-3",
        "rs, nearest valid is rs-2-1",
        "xor-2-2, nearest valid is xor-2-1",
        "xor-32-1, nearest valid is xor-31-1",
        "replication-1, nearest valid is replication-2",
        "replication-99, nearest valid is replication-32",
        "r-6-3, nearest is rs-k-m",
        "replicated-3, nearest is replication-r",
        "rs-6-x, 'x' is not a number",
        "rs-6--3, '' is not a number",
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
                .hasMessageContaining("known are rs-k-m, xor-k-1, replication-r");
    }
}
