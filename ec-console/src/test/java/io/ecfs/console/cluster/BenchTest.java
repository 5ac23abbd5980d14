package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ecfs bench} does what it says; how fast, no test asks. */
class BenchTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    private static String[] words(String line, Object... more) {
        return Stream.concat(Stream.of(line.split(" ")), Stream.of(more).map(String::valueOf))
                .toArray(String[]::new);
    }

    private String[] shortTimes(String[] command) {
        List<String> all = new ArrayList<>(List.of(command));
        Stream.concat(TestCluster.shortTimes().stream(), Stream.of(TestCluster.usualLeases()))
                .forEach(setting -> all.addAll(List.of("-D", setting)));
        return all.toArray(String[]::new);
    }

    private static List<JsonNode> figures(Path file) throws IOException {
        List<JsonNode> figures = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            figures.add(JSON.readTree(line));
        }
        return figures;
    }

    @Tag("soak")
    @Test
    void everyWorkloadRunsOnAClusterOfItsOwnAndLeavesNothing() throws IOException {
        Path work = Files.createDirectories(directory.resolve("work"));
        Path json = directory.resolve("figures.json");
        Path html = directory.resolve("page.html");
        Ecfs run = Ecfs.run(shortTimes(words(
                        "bench all --policy rs-2-1-64k --datanodes 4 --size 4m --reps 1 --threads 2"
                                + " --number 12 --seconds 0.1 --pread-size 4k --file-size 10k --dir",
                        work,
                        "--json",
                        json,
                        "--html",
                        html)))
                .well();

        Set<String> names = new TreeSet<>();
        for (JsonNode figure : figures(json)) {
            names.add(figure.get("name").asText());
            if (figure.get("name").asText().startsWith("mixed_")) {
                // What its turn did not come to in a tenth of a second.
                assertThat(figure.get("value").asDouble()).as("%s", figure).isNotNegative();
            } else {
                assertThat(figure.get("value").asDouble()).as("%s", figure).isPositive();
            }
            assertThat(figure.at("/params/rep").asInt()).isEqualTo(1);
            assertThat(figure.at("/params/policy").asText()).isEqualTo("rs-2-1-64k");
        }
        assertThat(names)
                .contains(
                        "write_seq",
                        "disk_bytes_per_byte",
                        "read_seq",
                        "pread",
                        "read_degraded",
                        "pread_slow",
                        "small_write",
                        "small_read",
                        "small_disk_bytes_per_byte",
                        "meta_mkdirs",
                        "meta_create",
                        "meta_open",
                        "meta_fileStatus",
                        "meta_list",
                        "meta_rename",
                        "meta_delete",
                        "mixed");
        assertThat(run.text()).contains("Write time in five steps").contains("client and daemons");
        assertThat(html).content().contains("<svg");
        try (Stream<Path> left = Files.list(work)) {
            assertThat(left).isEmpty();
        }
    }

    @Tag("soak")
    @Test
    void filesAreConvertedAndAppendsAreJoined() throws IOException {
        Path json = directory.resolve("figures.json");
        Ecfs.run(shortTimes(words(
                        "bench convert append --policy rs-2-1-64k --datanodes 4 --size 16m --reps 1 --threads 2"
                                + " --number 12 --seconds 0.1 --pread-size 4k --file-size 10k"
                                + " -D namenode.settings.rewrite.period=300ms"
                                + " -D namenode.settings.rewrite.joinAfter=0s --dir",
                        directory,
                        "--json",
                        json)))
                .well();
        Map<String, List<Double>> values = new TreeMap<>();
        figures(json)
                .forEach(figure -> values.computeIfAbsent(figure.get("name").asText(), name -> new ArrayList<>())
                        .add(figure.get("value").asDouble()));
        assertThat(values)
                .containsOnlyKeys(
                        "convert",
                        "convert_wire_per_planned_byte",
                        "convert_pread_alone",
                        "convert_pread_beside",
                        "convert_p99_ratio",
                        "convert_beside",
                        "append",
                        "append_disk_bytes_per_byte");
        List<Double> onDisk = values.get("append_disk_bytes_per_byte");
        assertThat(onDisk.get(1)).as("joined").isLessThan(onDisk.get(0)).isLessThan(2);
    }

    /** Every file is read back and compared; a wrong byte fails the run. */
    @Tag("soak")
    @Test
    void theFiguresOfKohAreMeasuredSmall() throws IOException {
        Path json = directory.resolve("koh.jsonl");
        Path html = directory.resolve("koh.html");
        Path traces = directory.resolve("traces");
        Ecfs run = Ecfs.run(shortTimes(words(
                        "bench koh --quick all --dir",
                        Files.createDirectories(directory.resolve("work")),
                        "--trace",
                        traces,
                        "--json",
                        json,
                        "--html",
                        html)))
                .well();
        assertThat(run.text())
                .contains("fig7: sequential writes")
                .contains("met")
                .contains("vdi, 20 processes");
        Set<String> names = new TreeSet<>();
        for (JsonNode figure : figures(json)) {
            String name = figure.get("name").asText();
            names.add(name);
            assertThat(figure.at("/params/figure").asText()).as("%s", figure).isNotEmpty();
            if (name.equals("koh_rate") || name.equals("koh_network_per_byte")) {
                assertThat(figure.get("value").asDouble()).as("%s", figure).isPositive();
            }
            if (name.equals("koh_written_per_byte")
                    && figure.at("/params/op").asText().equals("write")) {
                double copies = figure.at("/params/policy").asText().startsWith("replication") ? 3 : 1.5;
                assertThat(figure.get("value").asDouble()).as("%s", figure).isGreaterThanOrEqualTo(copies);
            }
        }
        assertThat(names)
                .containsExactlyInAnyOrder(
                        "koh_rate",
                        "koh_latency_p50",
                        "koh_written_per_byte",
                        "koh_read_per_byte",
                        "koh_network_per_byte",
                        "koh_ratio");
        assertThat(html).content().contains("fig46").contains("<svg");
        assertThat(traces.resolve("stages.tsv"))
                .content()
                .containsPattern("\\d+\t\\d+\tsequential-write 4k, depth 256");
        try (Stream<Path> files = Files.list(traces)) {
            assertThat(files.filter(file -> file.toString().endsWith(".trace")))
                    .hasSize(12)
                    .allSatisfy(file -> assertThat(file).content().containsPattern("\\d+ write \\S+ \\d+ \\d+\n"));
        }
    }

    /** On a slow machine such a check reads the files before they are deleted: traffic between datanodes. */
    private static String[] withoutParityChecks() {
        List<String> overrides = new ArrayList<>(List.of(TestCluster.usualLeases()));
        overrides.add("namenode.settings.parityCheck.on=false");
        return overrides.toArray(String[]::new);
    }

    @Test
    void whatAWriteCostsIsToldByProcessAndByKindOfCaller() throws IOException {
        Path json = directory.resolve("figures.json");
        Ecfs run;
        try (TestCluster cluster =
                TestCluster.start(directory.resolve("cluster"), "rs-2-1-64k", 1, 3, withoutParityChecks())) {
            run = Ecfs.run(words(
                            "bench seqwrite --compare rs-2-1-64k,replication-2 --size 4m --reps 1 --threads 1 --cluster",
                            cluster.uri(),
                            "--json",
                            json))
                    .well();
            assertThat(run.text())
                    .contains("Policies side by side")
                    .containsPattern("write_seq +threads=1 +MB/s +[\\d.]+ \\(1.00x\\) +[\\d.]+ \\([\\d.]+x\\)");
            assertThat(cluster.fs("-ls", "/").well().text()).as("what is left").doesNotContain("bench");
        }
        JsonNode params = figures(json).get(0).get("params");
        assertThat(params.get("warm_memory_bytes").asLong())
                .as("4 MiB on RS(2,1)")
                .isEqualTo(6 << 20);
        assertThat(params.get("cpu_user_s").asDouble()).isPositive();
        assertThat(params.get("cpu_sys_s").asDouble()).isNotNegative();
        assertThat(run.text()).contains("USER s/GB").contains("SYSTEM s/GB");
        assertThat(params.at("/processes/0/process").asText()).isEqualTo("client and daemons");
        assertThat(params.at("/processes/0/csw").asLong()).isPositive();
        assertThat(params.get("heap_peak_bytes").asLong()).isPositive();
        assertThat(params.get("direct_peak_bytes").asLong()).isPositive();
        assertThat(params.get("wire_client_bytes_per_byte").asDouble())
                .as("3 chunks for 2, checksums and heads")
                .isBetween(1.5, 1.6);
        assertThat(params.get("wire_datanode_bytes_per_byte").asDouble()).isZero();
        assertThat(params.get("lo_bytes_per_byte").asDouble()).isGreaterThan(1.5);
        assertThat(params.at("/write_steps/stripes").asLong()).isEqualTo(32);
        for (String step : List.of("client_s", "namenode_s", "parity_s", "distribution_s", "slave_s")) {
            assertThat(params.at("/write_steps/" + step).asDouble()).as(step).isPositive();
        }
    }

    @Test
    void whatCannotBeMeasuredIsRefusedInOneLine() {
        refused("no workload 'seqrite', did you mean 'seqwrite'?", "bench seqrite");
        refused("which workload?", "bench");
        refused("--stopped 3: rs-2-1-64k survives the loss of 1", "bench degraded --policy rs-2-1-64k --stopped 3");
        refused("leave --cluster out", "bench degraded --cluster ecfs://127.0.0.1:1");
        refused("have their own configuration", "bench meta --cluster ecfs://127.0.0.1:1 -D datanode.id=x");
        refused("needs 9 datanodes", "bench meta --datanodes 4");
        refused("MiB are free", "bench seqwrite --size 1t --dir", directory);
        refused("--reps must be from 1", "bench meta --reps 0");
        refused("use one of them", "bench meta --policy rs-2-1-64k --compare rs-2-1-64k,rs-3-2-64k");
        refused(
                "no key 'nonsense'",
                "bench meta -D client.nonsense=1 --policy rs-2-1-64k --datanodes 3 --dir",
                directory);
        refused("no figure 'fig6', did you mean 'fig7'?", "bench koh fig6");
        refused("which figure?", "bench koh");
        refused("no mix 'dbb', did you mean 'db'?", "bench koh --mix dbb");
        refused("no --state 'dirty', did you mean 'pristine'?", "bench koh fig10 --state dirty");
        refused("nearest is 1k", "bench koh fig10 --sizes 1000");
        refused("--spare must be above 0", "bench koh fig10 --spare 0");
        refused("leave out --trace or --processes", "bench koh fig10 --processes --trace", directory);
        refused("needs 9 datanodes", "bench koh fig10 --quick --datanodes 3");
        refused("no such file", "bench compare", directory.resolve("a"), directory.resolve("b"));
    }

    @Test
    void theTestBedReplaysATrace() throws IOException {
        Path trace = Files.writeString(directory.resolve("pages.tsv"), "A\t50000\tB\t70000\nB\t70000\tC\t90000\n");
        Ecfs run = Ecfs.run(
                words("bench wiki --config EC,EC+C --clients 4 --warm-up 1 --seconds 5 --reps 1 --trace", trace));
        assertThat(run.well().text()).contains("wiki: 3 blocks, 32 sites, 4 clients");
        refused("--trace goes without --blocks", "bench wiki --blocks 10 --trace", trace);
        refused("--trace goes without --blocks", "bench wiki --exponent 2 --trace", trace);
        Files.writeString(trace, "A\t50000\tB\n");
        refused("pages.tsv, line 1: a name without bytes", "bench wiki --trace", trace);
        Files.delete(trace);
        refused("no such file", "bench wiki --trace", trace);
    }

    private static void refused(String why, String line, Object... more) {
        Ecfs run = Ecfs.run(words(line, more));
        assertThat(run.code()).as("%s", line).isNotZero();
        assertThat(run.err()).as("%s", line).contains(why);
        assertThat(run.errorLines()).as("%s: %s", line, run.err()).isEqualTo(1);
    }

    @Test
    void compareTellsWhatChanged() throws IOException {
        Path before = directory.resolve("before.json");
        Path after = directory.resolve("after.json");
        Files.writeString(before, figure("write_seq", 100) + figure("write_seq", 102) + figure("read_seq", 7));
        Files.writeString(after, figure("write_seq", 150) + figure("write_seq", 152));
        Ecfs run = Ecfs.run("bench", "compare", before.toString(), after.toString())
                .well();
        assertThat(run.text()).containsPattern("write_seq +policy=rs-6-3-1024k +MB/s +101 +151 +1.50x +better");
        assertThat(run.text()).contains("only in " + before).contains("read_seq policy=rs-6-3-1024k");
    }

    private static String figure(String name, double value) {
        return "{\"name\":\"" + name + "\",\"value\":" + value
                + ",\"unit\":\"MB/s\",\"params\":{\"policy\":\"RS-6-3-1024k\"}}\n";
    }
}
