package io.ecfs.plan.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CsvLinesTest {
    @Test
    void rowsAreLinesThatAreNoCommentsWithTheirFieldsStripped() {
        List<List<String>> rows = new ArrayList<>();
        CsvLines.read(List.of("# a,b", "", " a , b", "  # c", "c,,"), rows::add);
        assertThat(rows).containsExactly(List.of("a", "b"), List.of("c", "", ""));
    }

    @Test
    void aBadRowIsNamedByItsLine() {
        assertThatThrownBy(() -> CsvLines.read(
                        List.of("# head", "1,2", "1, 2,3"), fields -> CsvLines.requireFields(fields, "key,value")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("line 3 '1, 2,3': expected key,value");
    }
}
