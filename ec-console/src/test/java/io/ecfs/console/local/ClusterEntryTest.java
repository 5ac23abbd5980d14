package io.ecfs.console.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ecfs.client.name.ClusterName;
import io.ecfs.client.name.ClustersFile;
import io.ecfs.error.EcfsException;
import io.ecfs.message.Address;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
    void linkByTheLocksNameIsNotFollowed() throws IOException {
        Path elsewhere = directory.resolve("elsewhere");
        Path lock = Files.createDirectories(clusters.path().getParent()).resolve("clusters.lock");
        Files.createSymbolicLink(lock, elsewhere);
        assertThatThrownBy(() -> ClusterEntry.put(clusters, LOCAL, List.of(nobody)))
                .isInstanceOf(EcfsException.class)
                .hasMessage(lock + " is a link, and must be a file of this user: remove it");
        assertThat(elsewhere).doesNotExist();
    }

    @Test
    void linkByTheNextFilesNameIsNotFollowed() throws IOException {
        Path elsewhere = Files.writeString(directory.resolve("elsewhere"), "precious");
        Path home = Files.createDirectories(clusters.path().getParent());
        Files.createSymbolicLink(home.resolve("clusters.yaml.next"), elsewhere);
        ClusterEntry.put(clusters, LOCAL, List.of(nobody));
        assertThat(elsewhere).hasContent("precious");
    }

    @Test
    void linkOfAnotherUserIsNotFollowed() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root makes a link of another user");
        Path real = Files.writeString(directory.resolve("real.yaml"), OF_A_PERSON);
        Files.createDirectories(clusters.path().getParent());
        Files.createSymbolicLink(clusters.path(), real);
        Files.setAttribute(clusters.path(), "unix:uid", 1, LinkOption.NOFOLLOW_LINKS);
        assertThatThrownBy(() -> ClusterEntry.put(clusters, LOCAL, List.of(nobody)))
                .isInstanceOf(EcfsException.class)
                .hasMessageStartingWith(clusters.path() + " is a link of user ");
        assertThat(real).hasContent(OF_A_PERSON);
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).hasSize(2); // no temporary file
        }
    }

    @Test
    void lockThatIsNotReleasedIsAnError() throws IOException {
        Path lock = Files.createDirectories(clusters.path().getParent()).resolve("clusters.lock");
        try (FileChannel held = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            assertThat(held.lock().isValid()).isTrue();
            assertThatThrownBy(() -> ClusterEntry.put(clusters, LOCAL, List.of(nobody), Duration.ZERO))
                    .isInstanceOf(EcfsException.class)
                    .hasMessageStartingWith("another process has " + lock + " locked");
        }
        assertThat(clusters.path()).doesNotExist();
    }

    @Test
    void entriesOfSeveralAtOnceAreAllThere() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                ClusterName name = ClusterName.of("c" + i);
                done.add(threads.submit(() -> {
                    ClusterEntry.put(clusters, name, List.of(nobody));
                    return null;
                }));
            }
            for (Future<?> one : done) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(clusters.read()).hasSize(8);
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
