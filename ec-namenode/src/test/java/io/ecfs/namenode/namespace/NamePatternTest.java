package io.ecfs.namenode.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Patterns of names as a shell has them. */
class NamePatternTest {
    @ParameterizedTest
    @CsvSource({
        "*, report.csv, true",
        "report.csv, report.csv, true",
        "report.csv, Report.csv, false",
        "*.csv, report.csv, true",
        "*.csv, report.csv.gz, false",
        "*port*, report.csv, true",
        "r*t*v, report.csv, true",
        "r*t*w, report.csv, false",
        "**a**, bab, true",
        "?, é, true",
        "?, 😀, true",
        "?, ab, false",
        "[a-c]x, bx, true",
        "[a-c]x, dx, false",
        "[!a-c]x, dx, true",
        "[!a-c]x, ax, false",
        "[]]x, ]x, true",
        "[-a]x, -x, true",
        "a[b, a[b, true",
        "\\*x, *x, true",
        "\\*x, ax, false",
        "x\\, x\\, true"
    })
    void aPatternMatchesAsInAShell(String pattern, String name, boolean matches) {
        assertThat(new NamePattern(pattern, false).matches(name)).isEqualTo(matches);
    }

    @Test
    void upperAndLowerCaseMayBeAlike() {
        assertThat(new NamePattern("*STRASSE*", true).matches("alte-straSSe.txt"))
                .isTrue();
        assertThat(new NamePattern("[A-Z]*", true).matches("q")).isTrue();
    }

    @Test
    void aPatternOfManyRunsIsQuickOnALongName() {
        NamePattern pattern = new NamePattern("*a".repeat(100) + "b", false);
        for (int i = 0; i < 1000; i++) {
            assertThat(pattern.matches("a".repeat(255))).isFalse();
        }
    }
}
