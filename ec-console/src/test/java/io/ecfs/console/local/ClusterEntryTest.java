package io.ecfs.console.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.client.name.ClusterName;
import io.ecfs.client.name.ClustersFile;
import io.ecfs.error.EcfsException;
import io.ecfs.message.Address;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterEntryTest {
    private static final ClusterName LOCAL = ClusterName.of("local");
    private static final String OF_A_PERSON = """
            # my clusters
            clusters:
              # the large one
              prod: {namenodes: ["nn-a:9700", nn-b:9700]} # since May
              test:
                namenodes:
                - nn-t:9700
            """;

    @TempDir
    private Path directory;

    private ClustersFile clusters;
    private Address nobody;

    @BeforeEach
    void open() throws IOException {
        clusters = new ClustersFile(directory.resolve("home/.ecfs/clusters.yaml"));
        nobody = new Address("127.0.0.1", Ports.free(1).get(0));
    }

    private void write(String yaml) throws IOException {
        Files.createDirectories(clusters.path().getParent());
        Files.writeString(clusters.path(), yaml);
    }

    @Test
    void firstEntryMakesTheFile() throws IOException {
        ClusterEntry.put(clusters, LOCAL, List.of(nobody));
        assertThat(clusters.path()).hasContent("clusters:\n  local: {namenodes: [\"" + nobody + "\"]}\n");
    }

    @Test
    void otherEntriesAndCommentsStay() throws IOException {
        write(OF_A_PERSON);
        ClusterEntry.put(clusters, LOCAL, List.of(nobody));
        String text = Files.readString(clusters.path());
        assertThat(text).contains("# my clusters", "# the large one", "# since May");
        assertThat(clusters.read())
                .containsEntry(ClusterName.of("prod"), List.of(new Address("nn-a", 9700), new Address("nn-b", 9700)))
                .containsEntry(ClusterName.of("test"), List.of(new Address("nn-t", 9700)))
                .containsEntry(LOCAL, List.of(nobody))
                .hasSize(3);
    }

    @Test
    void entryThatIsThereChangesNoByte() throws IOException {
        String text = "clusters:   {local:   {namenodes: '" + nobody + "'}}";
        write(text);
        ClusterEntry.put(clusters, LOCAL, List.of(nobody));
        assertThat(clusters.path()).hasContent(text);
    }

    @Test
    void entryOfAStoppedClusterOfThisMachineIsReplaced() throws IOException {
        ClusterEntry.put(clusters, LOCAL, List.of(nobody));
        ClusterEntry.put(clusters, LOCAL, List.of(new Address("127.0.0.1", 1)));
        assertThat(clusters.read()).containsEntry(LOCAL, List.of(new Address("127.0.0.1", 1)));
    }

    @Test
    void nameOfARunningClusterIsRefused() throws IOException {
        try (ServerSocket running = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Address there = new Address("127.0.0.1", running.getLocalPort());
            ClusterEntry.put(clusters, LOCAL, List.of(there));
            assertThatThrownBy(() -> ClusterEntry.put(clusters, LOCAL, List.of(nobody)))
                    .isInstanceOf(EcfsException.class)
                    .hasMessage("'local' is the cluster at " + there + " in " + clusters.path()
                            + ": choose another with 'ecfs up --name NAME'");
            assertThat(clusters.read()).containsEntry(LOCAL, List.of(there));
        }
    }

    @Test
    void entryOfAnotherMachineIsNeverReplaced() throws IOException {
        write(OF_A_PERSON);
        assertThatThrownBy(() -> ClusterEntry.put(clusters, ClusterName.of("prod"), List.of(nobody)))
                .hasMessageContaining("'prod' is the cluster at nn-a:9700,nn-b:9700");
        assertThat(clusters.path()).hasContent(OF_A_PERSON);
    }

    @Test
    void fileThatCannotBeReadIsLeftAsItIs() throws IOException {
        write("clusters: [oops");
        assertThatThrownBy(() -> ClusterEntry.put(clusters, LOCAL, List.of(nobody)))
                .isInstanceOf(EcfsException.class)
                .hasMessageStartingWith(clusters.path() + " line 1 is not YAML");
        assertThat(clusters.path()).hasContent("clusters: [oops");
    }

    @Test
    void linkAndPermissionsStay() throws IOException {
        Path real = Files.writeString(directory.resolve("dotfiles.yaml"), OF_A_PERSON);
        Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rw-r-----"));
        Files.createDirectories(clusters.path().getParent());
        Files.createSymbolicLink(clusters.path(), real);
        ClusterEntry.put(clusters, LOCAL, List.of(nobody));
        assertThat(clusters.path()).isSymbolicLink();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(real)))
                .isEqualTo("rw-r-----");
        assertThat(clusters.read()).containsKey(LOCAL);
    }

    @Test
    void nothingElseIsLeftBehind() throws IOException {
        ClusterEntry.put(clusters, LOCAL, List.of(nobody));
        try (Stream<Path> files = Files.list(clusters.path().getParent())) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("clusters.yaml", "clusters.lock");
        }
    }
}
