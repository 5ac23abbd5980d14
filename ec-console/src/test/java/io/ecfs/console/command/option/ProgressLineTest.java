package io.ecfs.console.command.option;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class ProgressLineTest {
    private static final String TERMINAL = "ecfs.terminal";

    private final String before = System.getProperty(TERMINAL);

    @AfterEach
    void restore() {
        set(before);
    }

    private static void set(String value) {
        if (value == null) {
            System.clearProperty(TERMINAL);
        } else {
            System.setProperty(TERMINAL, value);
        }
    }

    private static String shown(String terminal, Consumer<ProgressLine> calls) {
        set(terminal);
        StringWriter err = new StringWriter();
        calls.accept(new ProgressLine(new PrintWriter(err)));
        return err.toString();
    }

    private static String line(Consumer<ProgressLine> call) {
        String shown = shown("true", call);
        assertThat(shown).startsWith("\r\033[K");
        return shown.substring("\r\033[K".length());
    }

    @Test
    void aBarHasTwentyFourPlaces() {
        assertThat(line(p -> p.at(0, 3, "dn1"))).isEqualTo(bar(0) + " 0/3 datanodes, waiting for dn1");
        assertThat(line(p -> p.at(1, 3, "dn2"))).isEqualTo(bar(8) + " 1/3 datanodes, waiting for dn2");
        assertThat(line(p -> p.at(3, 3, "it"))).isEqualTo(bar(24) + " 3/3 datanodes, waiting for it");
        assertThat(line(p -> p.at(0, 0, "x"))).isEqualTo(bar(0) + " 0/0 datanodes, waiting for x");
    }

    private static String bar(int filled) {
        return "starting [" + "#".repeat(filled) + "-".repeat(24 - filled) + "]";
    }

    @Test
    void theLineIsEmptyWhenNothingIsAwaited() {
        assertThat(line(p -> p.at(3, 3, ""))).isEmpty();
        assertThat(line(ProgressLine::clear)).isEmpty();
    }

    @Test
    void aBenchHasItsShareInPercent() {
        assertThat(line(p -> p.bench(0.5, "reads")))
                .isEqualTo("bench [" + "#".repeat(12) + "-".repeat(12) + "]  50 %  reads");
        assertThat(line(p -> p.bench(1, "done"))).isEqualTo("bench [" + "#".repeat(24) + "] 100 %  done");
    }

    @Test
    void nothingIsShownWithoutATerminal() {
        for (String terminal : new String[] {null, "false"}) {
            assertThat(shown(terminal, p -> {
                        p.at(1, 3, "dn2");
                        p.bench(0.5, "reads");
                        p.soak("a");
                        p.torture("b");
                        p.clear();
                    }))
                    .isEmpty();
        }
    }
}
