package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of processes one of which cannot start. */
@Tag("soak")
class FailedStartTest {
    @TempDir
    private Path directory;

    @Test
    void aDaemonThatEndsAtItsStartEndsTheStartOfAllWithItsReason() {
        long begin = System.nanoTime();
        Ecfs run = Ecfs.run(
                "up",
                "--processes",
                "--dir",
                directory.resolve("cluster").toString(),
                "--policy",
                "rs-2-1-64k",
                "--namenodes",
                "1",
                "--datanodes",
                "3",
                "--no-console",
                "-D",
                "dn1.scrub.sliceBytes=7");
        assertThat(run.code()).isNotZero();
        assertThat(run.err()).contains("dn1 ended at its start", "scrub.sliceBytes");
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMinutes(2));
        assertThat(ProcessHandle.allProcesses()
                        .filter(process -> process.info()
                                .commandLine()
                                .filter(line -> line.contains(directory.toString()))
                                .isPresent()))
                .isEmpty();
    }
}
