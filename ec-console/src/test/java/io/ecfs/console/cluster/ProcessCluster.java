package io.ecfs.console.cluster;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ecfs.client.EcfsClient;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A cluster with a process for each daemon and three namenodes, one or some of which die by SIGKILL. */
final class ProcessCluster implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Path directory;
    private final JsonNode file;
    private final EcfsClient client;

    private ProcessCluster(Path directory, JsonNode file, EcfsClient client) {
        this.directory = directory;
        this.file = file;
        this.client = client;
    }

    /** @param overrides as {@code ecfs up -D} takes them, beside the short times of a {@link TestCluster} */
    static ProcessCluster start(Path directory, String policy, int datanodes, String... overrides) throws IOException {
        List<String> up = new ArrayList<>(List.of(
                "up",
                "--dir",
                directory.toString(),
                "--processes",
                "--detach",
                "--no-console",
                "--namenodes",
                "3",
                "--datanodes",
                "" + datanodes,
                "--policy",
                policy));
        List<String> settings = TestCluster.shortTimes();
        settings.addAll(List.of(overrides));
        settings.forEach(setting -> up.addAll(List.of("-D", setting)));
        Ecfs.run(up.toArray(String[]::new)).well();
        JsonNode file =
                new ObjectMapper().readTree(directory.resolve("cluster.json").toFile());
        return new ProcessCluster(
                directory, file, TestCluster.client(file.get("uri").asText()));
    }

    /** The namenodes as {@code fs.ecfs.cluster.NAME} lists them. */
    String namenodes() {
        return file.get("uri").asText().substring("ecfs://".length());
    }

    String leader() throws IOException {
        return Await.result(client.admin().report()).namenodes().stream()
                .filter(namenode -> namenode.role() == ClusterReport.Role.LEADER)
                .findFirst()
                .orElseThrow()
                .id();
    }

    /** Hadoop's shell. */
    Ecfs fs(String... arguments) {
        List<String> all =
                new ArrayList<>(List.of("fs", "--cluster", file.get("uri").asText()));
        all.addAll(List.of(arguments));
        return Ecfs.run(all.toArray(String[]::new));
    }

    /** SIGKILL to a daemon; returns when it is dead. */
    void kill(String id) {
        for (JsonNode daemon : file.get("daemons")) {
            if (daemon.get("id").asText().equals(id)) {
                ProcessHandle process =
                        ProcessHandle.of(daemon.get("pid").asLong()).orElseThrow();
                process.destroyForcibly();
                await(id + " is dead").atMost(PATIENCE).until(() -> !process.isAlive());
                return;
            }
        }
        throw new AssertionError("no daemon " + id);
    }

    @Override
    public void close() throws IOException {
        client.close();
        Ecfs.run("down", "--dir", directory.toString()).well();
    }
}
