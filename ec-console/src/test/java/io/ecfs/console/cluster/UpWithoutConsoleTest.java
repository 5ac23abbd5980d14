package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UpWithoutConsoleTest {
    @TempDir
    private Path directory;

    @Test
    void aConsoleThatCannotStartKeepsNoClusterFromServing() throws Exception {
        Files.writeString(directory.resolve("console"), "in the way of its directory");
        String at = directory.toString();
        try {
            Ecfs up = Ecfs.run(
                    "up",
                    "--detach",
                    "--dir",
                    at,
                    "--name",
                    "unwatched",
                    "--policy",
                    "rs-3-2-64k",
                    "--namenodes",
                    "1",
                    "--datanodes",
                    "5");
            assertThat(up.well().text())
                    .startsWith("ready ecfs://unwatched (1 namenodes, 5 datanodes")
                    .contains("without a console: console ended with code 1: see "
                            + directory.resolve("logs").resolve("console.log"));
            Ecfs.run("fs", "--cluster", "unwatched", "-mkdir", "/by-name").well();
        } finally {
            Ecfs.run("down", "--dir", at).well();
        }
    }
}
