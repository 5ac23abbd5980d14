package io.ecfs.console.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.console.view.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ModelCommandTest {
    private static final List<String> QUESTION =
            List.of("model", "write", "--policy", "rs-8-2-1024k", "--network", "100g", "--clients", "10000");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    private int run(List<String> arguments) {
        CommandLine line = EcfsCommand.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments.toArray(String[]::new));
    }

    private static List<String> with(String... more) {
        return java.util.stream.Stream.concat(QUESTION.stream(), java.util.Arrays.stream(more))
                .toList();
    }

    @Test
    void bothSidesAreShownWithTheCheaperOne() {
        assertThat(run(QUESTION)).isZero();
        assertThat(out.toString())
                .contains("rs-8-2-1024k, 10000 clients, 10 datanodes, links of 100g")
                .contains("\nclient ")
                .contains("\nmaster ")
                .contains("\nencode at the ");
    }

    @Test
    void oneSideCanBeShownAlone() {
        assertThat(run(with("--side", "master"))).isZero();
        assertThat(out.toString()).contains("\nmaster ").doesNotContain("\nclient ");
    }

    @Test
    void jsonHasTheStepsOfBothSides() throws IOException {
        assertThat(run(with("--json"))).isZero();
        var json = Json.parse(out.toString().getBytes(StandardCharsets.UTF_8));
        assertThat(json.get("sides")).hasSize(2);
        assertThat(json.get("sides").get(0).get("stepMicros").fieldNames())
                .toIterable()
                .containsExactly("CO", "MP", "PC", "DD", "SP");
    }

    @Test
    void jsonOfOneSideHasThatSideAlone() throws IOException {
        assertThat(run(with("--json", "--side", "client"))).isZero();
        var json = Json.parse(out.toString().getBytes(StandardCharsets.UTF_8));
        assertThat(json.get("sides").findValuesAsText("side")).containsExactly("client");
        assertThat(json.get("reason").asText()).contains("against");
    }

    @Test
    void thePapersHardwareIncludesTheLatency() {
        assertThat(run(with("--hardware", "paper"))).isZero();
        assertThat(out.toString()).contains("links of 100g with 0 us");
        assertThat(run(with("--hardware", "paper", "--latency", "20us"))).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("include the latency: leave --latency out");
    }

    @Test
    void thePapersHardwareRunsOnTheBed() {
        assertThat(run(List.of("bench", "exstorus", "--show", "fig14", "--quick", "--hardware", "paper")))
                .as("%s", err)
                .isZero();
        assertThat(out.toString()).contains("OURS is paper", "fig14: per cent of a write");
    }

    @Test
    void measuredWritesReplaceTheConstants() throws IOException {
        Path file = Files.write(
                directory.resolve("writes.csv"),
                List.of("client,8,2,1m,128k,1g,-,64,0,,,0,0,0", "client,8,2,1m,256k,1g,-,128,0,,,0,0,0"));
        assertThat(run(with("--calibrate", file.toString()))).isZero();
        assertThat(out.toString())
                .contains("calibrated copying: worst error 0 %")
                .contains("\nclient  64.");
    }

    @Test
    void badInputIsOneLineWithTheNearest() {
        for (Map.Entry<List<String>, String> bad : Map.of(
                        List.of("model", "write", "--policy", "rs-8-2-1022k"), "nearest is rs-8-2-1024k",
                        List.of("model", "write", "--policy", "rs-4-2", "--network", "100x"), "nearest is 100g",
                        List.of("model", "write", "--policy", "rs-4-2", "--record", "3k"), "nearest is 4k",
                        List.of("model", "write", "--policy", "rs-4-2", "--side", "mastr"), "nearest is master",
                        List.of("model", "write", "--policy", "rs-4-2", "--datanodes", "5"), "nearest is 6")
                .entrySet()) {
            err.getBuffer().setLength(0);
            assertThat(run(bad.getKey())).as("%s", bad.getKey()).isEqualTo(CommandLine.ExitCode.USAGE);
            assertThat(err.toString().lines().findFirst())
                    .as("%s", bad.getKey())
                    .hasValueSatisfying(line -> assertThat(line).contains(bad.getValue()));
        }
    }
}
