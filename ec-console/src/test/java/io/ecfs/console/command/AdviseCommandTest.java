package io.ecfs.console.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class AdviseCommandTest {
    private static final String QUESTION = "advise --tolerate 3 --recover-in 15m --overhead 1.5 --datanodes 30"
            + " --disk 250MB/s --net 10Gbit --files 10000x64m";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String line) {
        CommandLine command = EcfsCommand.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(line.split(" "));
    }

    @Test
    void theBestCellOfEachCodeIsShownBestFirst() {
        assertThat(run(QUESTION)).as("%s", err).isZero();
        List<String> lines = out.toString().lines().toList();
        assertThat(lines.get(0))
                .isEqualTo("10000 files of 64.0 MiB on 30 datanodes, each with disks of 250 MB/s, a link of 10g and 4"
                        + " cores");
        assertThat(lines.get(1)).startsWith("RECOVERY begins 610.2 s after the death of a datanode");
        assertThat(lines.get(2))
                .matches("POLICY +CELL +STORED/BYTE +SURVIVES +READ/BYTE +RECOVERY s +BOTTLENECK +DATANODES NEEDED"
                        + " +VERDICT");
        assertThat(lines).hasSize(3 + 12 + 1);
        assertThat(lines.subList(3, 15).stream().map(line -> line.replaceFirst("-\\d+k .*", "")))
                .as("codes")
                .doesNotHaveDuplicates();
        assertThat(lines.get(3)).endsWith("meets all goals");
        assertThat(lines.get(15)).matches("\\d+ of \\d+ meet all goals");
    }

    @Test
    void allShowsEveryPolicyAndCell() {
        assertThat(run(QUESTION + " --all")).as("%s", err).isZero();
        assertThat(out.toString()).contains("\nrs-9-3-64k ", "\nrs-9-3-256k ", "\nrs-9-3-1024k ", "\nrs-9-3-4096k ");
    }

    @Test
    void policiesOfOnesOwnAreRankedAsTheyAre() {
        assertThat(run(QUESTION + " --policies rs-9-3-1024k,replication-4,rs-9-3-64k"))
                .as("%s", err)
                .isZero();
        assertThat(out.toString().lines().skip(3).map(line -> line.split(" ", -1)[0]))
                .containsExactly("rs-9-3-1024k", "rs-9-3-64k", "replication-4", "2");
    }

    @Test
    void jsonHasEachPolicyWithItsNumbers() throws IOException {
        assertThat(run(QUESTION + " --policies rs-9-3-1024k,rs-20-15-1024k --json"))
                .as("%s", err)
                .isZero();
        JsonNode json = new ObjectMapper().readTree(out.toString());
        assertThat(json).hasSize(2);
        assertThat(json.get(0).fieldNames())
                .toIterable()
                .containsExactly(
                        "policy",
                        "cell",
                        "storedPerByte",
                        "survives",
                        "readPerByte",
                        "recoverySeconds",
                        "bottleneck",
                        "datanodesNeeded",
                        "verdict");
        assertThat(json.get(0).get("policy").asText()).isEqualTo("rs-9-3-1024k");
        assertThat(json.get(0).get("storedPerByte").asDouble()).isCloseTo(1.3352, within(5e-5));
        assertThat(json.get(0).get("bottleneck").asText()).isEqualTo("disk");
        assertThat(json.get(1).get("recoverySeconds").isNull()).isTrue();
        assertThat(json.get(1).get("verdict").asText()).startsWith("datanodes 30 < 36, overhead 1.75");
    }

    @Test
    void aGraceOfItsOwnReplacesTheNamenodes() {
        assertThat(run(QUESTION + " --grace 0s")).as("%s", err).isZero();
        assertThat(out.toString()).contains("RECOVERY begins 10.2 s after");
    }

    @Test
    void filesShareGroupsUnlessThatIsOff() throws IOException {
        String small = "advise --datanodes 12 --files 1000000x4k --policies rs-6-3-64k --json";
        assertThat(run(small)).isZero();
        assertThat(new ObjectMapper()
                        .readTree(out.toString())
                        .get(0)
                        .get("storedPerByte")
                        .asDouble())
                .isLessThan(1.51);
        out.getBuffer().setLength(0);
        assertThat(run(small + " --pack off")).isZero();
        assertThat(new ObjectMapper()
                        .readTree(out.toString())
                        .get(0)
                        .get("storedPerByte")
                        .asDouble())
                .isEqualTo(18);
    }

    @Test
    void whereNoneMeetsAllGoalsTheNearestAreShown() {
        assertThat(run("advise --datanodes 30 --files 100x64m --overhead 1.01")).isEqualTo(1);
        assertThat(out.toString()).contains("overhead 1.1", " > 1.01").containsPattern("\nnone of \\d+ meet all goals");
    }

    @Test
    void updatesHaveTheirFrontier() throws IOException {
        assertThat(run("advise --updates 4k")).as("%s", err).isZero();
        assertThat(out.toString().lines().map(line -> line.replaceAll(" +", " ")))
                .containsExactly(
                        "random updates of 4.0 KiB, full stripes; bytes written for each byte of an update, dead bytes"
                                + " reclaimed",
                        "SPARE SPACE RS(6,3) WRITTEN RS(6,3) WRITTEN 3 REPLICAS",
                        "0.25 1.88 4.0 8.1",
                        "0.5 2.25 2.6 5.1",
                        "1.0 3.00 1.9 3.8",
                        "heads of batches are dead bytes beside these: 1.1 % of an update");
        out.getBuffer().setLength(0);
        assertThat(run("advise --updates 4k --json")).isZero();
        assertThat(new ObjectMapper().readTree(out.toString()).get("points")).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        advise                                             | Give --files 10000x64m and --datanodes 30, or --updates 4k
        advise --datanodes 30                              | Give --files 10000x64m and --datanodes 30, or --updates 4k
        advise --files 10x1m                               | Give --files 10000x64m and --datanodes 30, or --updates 4k
        advise --datanodes 30 --files 64m                  | such as 10000x64m, got '64m'
        advise --datanodes 30 --files 10x64q               | expected a size such as 4096
        advise --datanodes 30 --files 0x64m                | 1 to 1000000000 files
        advise --datanodes 0 --files 10x1m                 | use --datanodes 30
        advise --datanodes few --files 10x1m               | 'few' is not an int; see ecfs advise --help
        advise --datanodes 9 --files 10x1m --tolerate 0    | use --tolerate 3
        advise --datanodes 9 --files 10x1m --overhead 0.5  | use --overhead 1.5
        advise --datanodes 9 --files 10x1m --overhead x    | 'x' is not a double; see ecfs advise --help
        advise --datanodes 9 --files 10x1m --recover-in 0s | use --recover-in 15m
        advise --datanodes 9 --files 10x1m --recover-in 5x | expected a duration such as 500ms, 10s, 5m
        advise --datanodes 9 --files 10x1m --disk 250      | nearest is 250MB/s
        advise --datanodes 9 --files 10x1m --net 10        | such as 1g, 2.5g or 100g
        advise --datanodes 9 --files 10x1m --cores 0       | use --cores 4
        advise --datanodes 9 --files 10x1m --cores 2000    | use --cores 4
        advise --datanodes 9 --files 10x1m --access 2s     | use --access 100us
        advise --datanodes 9 --files 10x1m --from prod     | --files and --from both say which files: leave one
        advise --from https://a:1/b                        | is not of scheme ecfs
        advise --from a:1/b/../c                           | ..
        advise --from a:1 -D datanode.x=1                  | a key begins with 'client.'
        advise --check --files 10x1m                       | --check has clusters of its own: leave --files out
        advise --check --tolerate 3                        | --check has clusters of its own: leave --tolerate out
        advise --calibrate --net 10Gbit                    | --calibrate measures --net
        advise --datanodes 9 --files 10x1m --dir a         | --dir is of --calibrate and --check
        advise --updates 4k --check                        | --updates is asked by itself: leave --check out
        advise --datanodes 9 --files 10x1m --pack some     | --pack takes a size such as 256k
        advise --datanodes 9 --files 10x1m --policies rs-6 | nearest valid is rs-6-1
        advise --datanodes 9 --file 10x1m                  | did you mean --files?
        advise --updates 0                                 | use --updates 4k
        advise --updates 4x                                | expected a size such as 4096
        advise --updates 4k --datanodes 9                  | --updates is asked by itself: leave --datanodes out
        advise --updates 4k --tolerate 3                   | --updates is asked by itself: leave --tolerate out
        advise --updates 4k --disk 1GB/s                   | --updates is asked by itself: leave --disk out
        advise --datanodes 9 --files 9x1m --recover-in 500us | a recovery takes a millisecond or more
        """)
    void badInputIsOneLineThatSaysWhatToDo(String line, String answer) {
        assertThat(run(line)).as(line).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).as(line).contains(answer);
        assertThat(err.toString().lines().filter(text -> !text.isBlank()))
                .as(line)
                .hasSize(1);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void helpHasExamplesThatRun() {
        assertThat(run("advise --help")).isZero();
        List<String> examples = Stream.of(out.toString()
                        .split("Examples:", -1)[1]
                        .replaceAll("\\s+", " ")
                        .split("ecfs ", -1))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .toList();
        assertThat(examples).hasSize(5);
        for (String example : examples) {
            assertThat(run(example)).as("%s: %s", example, err).isZero();
        }
    }
}
