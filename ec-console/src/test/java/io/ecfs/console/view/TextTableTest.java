package io.ecfs.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.message.AdminState;
import org.junit.jupiter.api.Test;

class TextTableTest {
    @Test
    void columnsAreAsWideAsTheirLongestCell() {
        TextTable table = new TextTable("A", "LONG HEAD", "C").row(1, "x", "").row("wide cell", 2L, "end");
        assertThat(table.toString())
                .isEqualTo(
                        "A          LONG HEAD  C\n" //
                                + "1          x\n"
                                + "wide cell  2          end\n");
    }

    @Test
    void aTableWithoutRowsIsItsHeads() {
        assertThat(new TextTable("A", "B").toString()).isEqualTo("A  B\n");
    }

    @Test
    void bytesAreRoundedToOneDigitOfTheirUnit() {
        assertThat(TextTable.bytes(0)).isEqualTo("0 B");
        assertThat(TextTable.bytes(1023)).isEqualTo("1023 B");
        assertThat(TextTable.bytes(1024)).isEqualTo("1.0 KiB");
        assertThat(TextTable.bytes(1536)).isEqualTo("1.5 KiB");
        assertThat(TextTable.bytes(Long.MAX_VALUE)).isEqualTo("8.0 EiB");
        String[] units = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
        for (int unit = 0; unit < units.length; unit++) {
            assertThat(TextTable.bytes(3L << (10 * (unit + 1)))).isEqualTo("3.0 " + units[unit]);
        }
    }

    @Test
    void constantsAreReadAsWords() {
        assertThat(TextTable.words(AdminState.State.IN_SERVICE)).isEqualTo("in service");
    }
}
