package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.console.local.Child;
import io.ecfs.env.real.DirectoryTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An experiment that is interrupted in any of its phases leaves no process, no mount and no file behind. */
@Tag("soak")
class FaultUndoTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path directory;

    private Process experiment;

    @AfterEach
    void end() throws IOException {
        experiment.destroyForcibly();
        DirectoryTree.delete(directory.resolve("clusters"));
    }

    /** Words of the log, in the order in which they appear, each in another phase. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "event=kernel_chosen",
                "event=wire_loops name=ecfs-client-io",
                "event=fault_begun fault=freeze",
                "event=fault_begun fault=fill-disk",
                "event=fault_begun fault=read-only",
                "event=fault_ended fault=freeze"
            })
    void anInterruptUndoesEverything(String moment)
            throws IOException, ExecutionException, InterruptedException, TimeoutException {
        Path profile = Files.writeString(directory.resolve("p.yaml"), """
                cluster: {shape: processes, datanodes: 6, disks: tmpfs,
                          set: [namenode.settings.recovery.grace=0s, namenode.settings.silence.suspectAfter=2s]}
                policies: [rs-3-2-64k]
                workload: {files: 6, bytes: 300k, during: mixed}
                faults:
                 - {at: 0s, fault: freeze, for: 3s}
                 - {at: 1s, fault: fill-disk, victims: {level: volume}, for: 60s}
                 - {at: 8s, fault: read-only, victims: {level: volume}, for: 60s}
                """);
        Path log = directory.resolve("experiment.log");
        Path clusters = directory.resolve("clusters");
        experiment =
                Child.start(log, List.of(), List.of("fault", "run", profile.toString(), "--dir", clusters.toString()));
        await("'" + moment + "' in " + log)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> !experiment.isAlive() || Files.readString(log).contains(moment));
        assertThat(experiment.isAlive()).as(Files.readString(log)).isTrue();
        assertThat(SmallDisk.run("kill", interrupt(), String.valueOf(experiment.pid())))
                .isTrue();
        experiment.onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(clusters.toString());
        assertThat(ProcessHandle.allProcesses()
                        .filter(process -> process.info()
                                .commandLine()
                                .filter(line -> line.contains(clusters.toString()))
                                .isPresent())
                        .filter(process -> process.pid() != experiment.pid()))
                .isEmpty();
        assertThat(clusters).isEmptyDirectory();
    }

    /** Ctrl-C; what was started in the background of a script ignores it, and so do its children. */
    private String interrupt() throws IOException {
        String ignored = Files.readAllLines(Path.of("/proc/" + experiment.pid() + "/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .findFirst()
                .orElseThrow();
        boolean ignoresInterrupt = (Long.parseUnsignedLong(ignored.substring(7).strip(), 16) & 2) != 0;
        return ignoresInterrupt ? "-TERM" : "-INT";
    }
}
