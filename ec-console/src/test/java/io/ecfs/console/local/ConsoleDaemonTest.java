package io.ecfs.console.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConsoleDaemonTest {
    @TempDir
    private Path directory;

    private static ClusterPlan plan(int consolePort) throws Exception {
        ClusterPlan plan = ClusterPlan.of(new ClusterPlan.Shape(Policy.parse("rs-3-2-64k"), 1, 5, 1, 1, 0));
        return new ClusterPlan(plan.policy(), plan.namenodes(), plan.datanodes(), consolePort, plan.statusPorts());
    }

    @Test
    void itTakesAnotherPortWhenItsOwnIsTaken() throws Exception {
        try (ServerSocket stranger = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ClusterPlan plan = plan(stranger.getLocalPort());
            new ClusterFile(plan.uri(), List.of()).write(directory);
            try (ConsoleDaemon console = ConsoleDaemon.start(directory, plan, List.of())) {
                console.await();
                Address address = ClusterFile.read(directory)
                        .orElseThrow()
                        .daemons()
                        .get(0)
                        .address();
                assertThat(address.port()).isNotEqualTo(stranger.getLocalPort());
                assertThat(console.text()).startsWith("console http://" + address + "/");
                HttpRequest page = HttpRequest.newBuilder(URI.create("http://" + address + "/"))
                        .build();
                assertThat(HttpClient.newHttpClient()
                                .send(page, HttpResponse.BodyHandlers.ofString())
                                .body())
                        .contains("ECFS");
            }
        }
    }

    @Test
    void oneThatEndsInsteadIsAnErrorWhateverAnEarlierOneSaidInItsLog() throws Exception {
        Path log = Files.createDirectories(directory.resolve("logs")).resolve("console.log");
        Files.writeString(log, ConsoleDaemon.READY + "http://127.0.0.1:1/\n");
        long before = Files.size(log);
        Process ended = new ProcessBuilder("false").start();
        ended.waitFor();
        assertThatThrownBy(() -> Readiness.awaitWord("console", ConsoleDaemon.READY, log, before, ended))
                .isInstanceOf(EcfsException.class)
                .hasMessage("console ended with code 1: see " + log);
    }
}
