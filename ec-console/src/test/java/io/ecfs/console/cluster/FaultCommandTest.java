package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ecfs fault}: experiments on clusters of their own. */
class FaultCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String SOON = "namenode.settings.recovery.grace=0s, namenode.settings.silence.suspectAfter=2s";

    @TempDir
    private Path directory;

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private Ecfs fault(String command, Path file, String... more) {
        List<String> arguments = new ArrayList<>(List.of("fault", command, file.toString()));
        if (!command.equals("validate")) {
            arguments.addAll(List.of("--dir", directory.resolve("clusters").toString()));
        }
        arguments.addAll(List.of(more));
        return Ecfs.run(arguments.toArray(String[]::new));
    }

    @Test
    void faultsOfOneProcessAreInjectedHealedAndReported() throws IOException {
        Path profile = write("p.yaml", """
                cluster: {shape: one, datanodes: 6, racks: 3, set: [%s]}
                policies: [rs-3-2-64k]
                workload: {files: 6, bytes: 700k, during: mixed, threads: 2}
                faults:
                 - {at: 0s, fault: slow-device, victims: {level: volume}, delay: 2ms, for: 300ms}
                 - {fault: cut, victims: {level: volume, of: 'group:1', chunks: parity}}
                 - {fault: stop}
                """.formatted(SOON));
        Path out = directory.resolve("out");
        String printed = fault("run", profile, "--out", out.toString()).well().text();
        assertThat(printed).contains("all bytes read back", "slow-device", "NOTICE", "clients read");
        JsonNode report = JSON.readTree(out.resolve("report.json").toFile()).get(0);
        assertThat(report.get("problems")).isEmpty();
        assertThat(report.get("faults").findValuesAsText("fault")).containsExactly("SLOW_DEVICE", "CUT", "STOP");
        assertThat(report.get("repaired").asInt()).isPositive();
        List<JsonNode> figures = new ArrayList<>();
        for (String line : Files.readAllLines(out.resolve("figures.jsonl"))) {
            figures.add(JSON.readTree(line));
        }
        assertThat(figures)
                .extracting(figure -> figure.get("name").asText())
                .contains("fault_phase", "fault_checking_share", "fault_recovery_rate");
        assertThat(figures)
                .filteredOn(figure -> figure.get("name").asText().equals("fault_phase"))
                .extracting(figure -> figure.at("/params/phase").asText())
                .containsExactly("NOTICE", "GRACE", "CHECKING", "RECOVERY", "SETTLING");
        assertThat(out.resolve("report.html")).content().contains("Recovery timelines");
        assertThat(directory.resolve("clusters")).isEmptyDirectory();
    }

    @Test
    void validateHarmsNothingAndSaysWhatEveryGroupHasLeft() throws IOException {
        Path profile = write("p.yaml", """
                cluster: {datanodes: 7, racks: 7}
                policies: [rs-3-2-64k, lrc-2-2-1-64k]
                faults:
                 - {at: 1s, fault: kill, victims: {count: 1}}
                 - {on: published, fault: kill, victims: {level: rack}}
                """);
        Ecfs run = fault("validate", profile).well();
        assertThat(run.text()).contains("survives 1 more", "survives 0 more", "on published", "needs root: no");
        assertThat(fault("validate", write("m.yaml", "{cluster: {disks: dm}}")).text())
                .contains("needs root: yes");
    }

    @Test
    void whatCannotBeRunIsOneLine() throws IOException {
        Path beyond = write("b.yaml", """
                {cluster: {datanodes: 5}, policies: [rs-3-2-64k], faults: [{fault: kill, victims: {count: 3}}]}
                """);
        Ecfs run = fault("validate", beyond);
        assertThat(run.code()).isNotZero();
        assertThat(run.err()).contains("no victims within the budget", "choose a smaller count");
        assertThat(run.errorLines()).isOne();
        Ecfs typo = fault("run", write("t.yaml", "faults: [{fault: kil}]"));
        assertThat(typo.err()).contains("nearest is 'kill'");
        assertThat(typo.errorLines()).isOne();
        Ecfs others = fault("run", write("o.yaml", "faults: [{fault: kill}]"), "--cluster", "ecfs://127.0.0.1:1");
        assertThat(others.err()).contains("they start one of their own: leave --cluster out");
        Ecfs figure = Ecfs.run("fault", "paper", "2e");
        assertThat(figure.err()).contains("no figure '2e', nearest is '2a'");
        assertThat(Ecfs.run("fault", "run", directory.resolve("none.yaml").toString())
                        .err())
                .contains("does not exist");
        assertThat(Ecfs.run("fault").err()).contains("Which of validate, run, sweep and paper?");
    }

    @Tag("soak")
    @Test
    void everyFaultIsInjectedIntoRealProcessesAndEveryByteIsReadBack() throws IOException {
        Path profile = write("p.yaml", """
                cluster: {shape: processes, namenodes: 3, datanodes: 7, volumes: 2, racks: 7, set: [%s]}
                policies: [rs-3-2-64k]
                workload: {files: 12, bytes: 1m, during: mixed, threads: 2}
                faults:
                 - {fault: kill}
                 - {fault: stop}
                 - {fault: freeze}
                 - {fault: kill, victims: {level: rack, of: random}}
                 - {fault: kill, victims: {level: leader}, for: 5s}
                 - {fault: freeze, victims: {level: namenode}, for: 5s}
                 - {fault: partition}
                 - {fault: partition-in, for: 4s}
                 - {fault: partition-out}
                 - {fault: slow-link, delay: 20ms, for: 3s}
                 - {fault: lossy-link, loss: 0.05, for: 3s}
                 - {fault: remove-device, victims: {level: volume}}
                 - {fault: hang-device, victims: {level: volume}, for: 4s}
                 - {fault: slow-device, victims: {level: volume}, for: 4s, delay: 10ms}
                 - {fault: read-errors, victims: {level: volume}}
                 - {fault: fill-disk, victims: {level: volume}, for: 4s}
                 - {fault: read-only, victims: {level: volume}, for: 4s}
                 - {fault: flip-data, victims: {level: volume}}
                 - {fault: flip-checksum, victims: {level: volume}}
                 - {fault: cut, victims: {level: volume}}
                 - {fault: delete, victims: {level: volume}}
                 - {fault: swap, victims: {level: volume}}
                 - {fault: forge, victims: {level: volume}}
                """.formatted(SOON));
        String text = fault("run", profile).well().text();
        assertThat(text).contains("all bytes read back");
    }

    @Tag("soak")
    @Test
    void volumesInMemoryAreFilledAndMountedReadOnly() throws IOException {
        Path profile = write("p.yaml", """
                cluster: {shape: processes, datanodes: 7, disks: tmpfs, set: [%s]}
                policies: [rs-3-2-64k]
                workload: {files: 12, bytes: 1m, during: mixed, threads: 2}
                faults:
                 - {fault: fill-disk, victims: {level: volume}, for: 4s}
                 - {fault: read-only, victims: {level: volume}, for: 4s}
                """.formatted(SOON));
        assertThat(fault("run", profile).well().text()).contains("all bytes read back");
        assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(directory.toString());
    }

    @Tag("soak")
    @Test
    void beyondTheBudgetGroupsAreLostUntilTheFaultsAreUndone() throws IOException {
        Path profile = write("p.yaml", """
                cluster: {shape: processes, datanodes: 6, set: [%s]}
                policies: [rs-3-2-64k]
                workload: {files: 6, bytes: 1m}
                budget: beyond
                faults: [{fault: kill, victims: {count: 3}, for: 12s}]
                """.formatted(SOON));
        assertThat(fault("run", profile).well().text())
                .contains("LOST", "groups were lost until the faults were undone", "all bytes read back");
    }

    @Tag("soak")
    @Test
    void aSweepRunsAllCombinationsAndTellsWhatMatters() throws IOException {
        write("p.yaml", """
                cluster: {shape: one, datanodes: 6, set: [%s]}
                policies: [rs-3-2-64k]
                workload: {files: 6, bytes: 1m}
                faults: [{fault: stop}]
                """.formatted(SOON));
        Path sweep = write("s.yaml", """
                profile: p.yaml
                settings:
                  workload.bytes: [256k, 1m]
                  datanode.repair.slicesAtOnce: [1, 4]
                """);
        assertThat(fault("sweep", sweep).well().text())
                .contains("Combinations", "Sensitivity", "workload.bytes", "datanode.repair.slicesAtOnce");
    }
}
