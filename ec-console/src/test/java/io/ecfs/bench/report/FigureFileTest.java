package io.ecfs.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FigureFileTest {
    @TempDir
    private Path directory;

    @Test
    void eachFigureIsOneLineThatReadsBackAsItWas() throws IOException {
        Path file = directory.resolve("new/figures.json");
        Figure first = new Figure("write_seq", 471.25, "MB/s", Map.of("policy", "rs-6-3-1024k", "threads", 4));
        Figure second = new Figure(
                "pread", 2904, "ops/s", Map.of("processes", List.of(Map.of("process", "client", "csw", 17))));
        try (FigureFile out = FigureFile.create(file)) {
            out.add(first);
            assertThat(Files.readAllLines(file))
                    .as("there as soon as it was measured")
                    .hasSize(1);
            out.add(second);
        }
        assertThat(Files.readAllLines(file)).hasSize(2).allMatch(line -> line.startsWith("{\"name\":\""));
        assertThat(FigureFile.read(file)).containsExactly(first, second);
    }

    @Test
    void numbersHaveAtMostFourDecimalsAndNoneIsNoNumber() throws IOException {
        Path file = directory.resolve("figures.json");
        try (FigureFile out = FigureFile.create(file)) {
            out.add(new Figure("a", 1.0 / 3, "s", Map.of("big", 123_456_789.0, "none", Double.NaN)));
        }
        assertThat(Files.readString(file))
                .contains("\"value\":0.3333,")
                .contains("\"big\":123456789")
                .contains("\"none\":0");
    }

    @Test
    void readsWhatTheHdfsPeerWrites() throws IOException {
        Path file = directory.resolve("peer.jsonl");
        Files.writeString(file, """
                {"name":"coder","value":1,"unit":"native","params":{"libhadoop":true,"policy":"RS-6-3-1024k"}}
                {"name":"write_seq","value":467.5,"unit":"MB/s","params":{"policy":"RS-6-3-1024k","dns":"10","rep":1,"threads":1}}
                a line that somebody's library printed
                """);
        assertThat(FigureFile.read(file)).singleElement().satisfies(figure -> {
            assertThat(figure.value()).isEqualTo(467.5);
            assertThat(figure.number("dns")).hasValue(10);
            assertThat(figure.number("policy")).isEmpty();
        });
    }

    @Test
    void aFileThatHoldsNoFiguresIsRefusedByNameAndLine() throws IOException {
        Path missing = directory.resolve("missing.json");
        assertThatThrownBy(() -> FigureFile.read(missing))
                .isInstanceOf(EcfsException.class)
                .hasMessage("no such file: " + missing);
        Path bad = directory.resolve("bad.json");
        Files.writeString(bad, "\n{\"name\": 3\n");
        assertThatThrownBy(() -> FigureFile.read(bad))
                .isInstanceOf(EcfsException.class)
                .hasMessageContaining(bad + " line 2 is no figure");
        Path empty = directory.resolve("empty.json");
        Files.writeString(empty, "");
        assertThatThrownBy(() -> FigureFile.read(empty))
                .isInstanceOf(EcfsException.class)
                .hasMessageContaining("holds no figure");
    }

    @Test
    void whatJmhWroteIsReadByClassAndMethod() throws Exception {
        Path file = directory.resolve("jmh.json");
        Files.writeString(
                file,
                "[\n {\"benchmark\": \"io.ecfs.jmh.Codec.encode\", \"mode\": \"thrpt\", \"params\": {\"policy\": \"rs-6-3-1024k\"},\n"
                        + "  \"primaryMetric\": {\"score\": 12.5, \"scoreUnit\": \"ops/s\"}}\n]");
        assertThat(FigureFile.read(file))
                .containsExactly(
                        new Figure("Codec.encode", 12.5, "ops/s", Map.of("mode", "thrpt", "policy", "rs-6-3-1024k")));
        Files.writeString(file, "[1]");
        assertThatThrownBy(() -> FigureFile.read(file)).hasMessageContaining("no list of JMH results");
    }
}
