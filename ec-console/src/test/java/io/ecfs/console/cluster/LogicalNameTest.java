package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.client.EcfsClient;
import io.ecfs.client.name.ClusterName;
import io.ecfs.client.name.ClustersFile;
import io.ecfs.console.local.ClusterEntry;
import io.ecfs.hadoop.EcfsContext;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One cluster of three namenodes by its name, from Hadoop, the command line and the client library. */
class LogicalNameTest {
    private static final URI PROD = URI.create("ecfs://prod/");

    @TempDir
    private static Path directory;

    private static TestCluster cluster;
    private static Optional<String> propertyBefore;

    @BeforeAll
    static void startClusterAndNameIt() throws IOException {
        cluster = TestCluster.start(directory.resolve("cluster"), "rs-2-1-4k", 3, 3);
        ClustersFile clusters = new ClustersFile(directory.resolve("clusters.yaml"));
        ClusterEntry.put(clusters, ClusterName.of("filed"), cluster.plan().addresses());
        propertyBefore = Optional.ofNullable(System.getProperty(ClustersFile.PROPERTY));
        System.setProperty(ClustersFile.PROPERTY, clusters.path().toString());
    }

    @AfterAll
    static void stopCluster() throws IOException {
        propertyBefore.ifPresentOrElse(
                before -> System.setProperty(ClustersFile.PROPERTY, before),
                () -> System.clearProperty(ClustersFile.PROPERTY));
        FileSystem.closeAll();
        cluster.close();
    }

    private static Configuration configuration() {
        Configuration configuration = new Configuration();
        configuration.set("fs.ecfs.cluster.prod", cluster.uri().substring("ecfs://".length()));
        configuration.set("fs.AbstractFileSystem.ecfs.impl", EcfsContext.class.getName());
        return configuration;
    }

    static Stream<Arguments> authorities() {
        return Stream.of(
                Arguments.of("ecfs://prod/", "/delta-name"),
                Arguments.of("ecfs://filed/", "/delta-file"),
                Arguments.of(cluster.uri() + "/", "/delta-addresses"));
    }

    /** As Delta Lake commits: a name that is taken is never replaced. */
    @ParameterizedTest
    @MethodSource("authorities")
    void contextRenamesOntoNothingAlone(String uri, String table) throws IOException {
        FileContext context = FileContext.getFileContext(URI.create(uri), configuration());
        org.apache.hadoop.fs.Path log = new org.apache.hadoop.fs.Path(table, "_delta_log");
        context.mkdir(log, FileContext.DIR_DEFAULT_PERM, true);
        org.apache.hadoop.fs.Path commit = new org.apache.hadoop.fs.Path(log, "0.json");
        for (int writer = 1; writer <= 2; writer++) {
            try (FSDataOutputStream out = context.create(
                    new org.apache.hadoop.fs.Path(log, ".tmp" + writer), EnumSet.of(CreateFlag.CREATE))) {
                out.write(writer);
            }
        }
        context.rename(new org.apache.hadoop.fs.Path(log, ".tmp1"), commit, Options.Rename.NONE);
        assertThatThrownBy(
                        () -> context.rename(new org.apache.hadoop.fs.Path(log, ".tmp2"), commit, Options.Rename.NONE))
                .isInstanceOf(FileAlreadyExistsException.class);
        try (FSDataInputStream in = context.open(commit)) {
            assertThat(in.readAllBytes()).containsExactly(1);
        }
        assertThat(context.makeQualified(commit)).hasToString(uri.substring(0, uri.length() - 1) + commit);
    }

    @Test
    void uriOfTheFileSystemIsTheName() throws IOException {
        FileSystem fs = FileSystem.get(PROD, configuration());
        assertThat(fs.getUri()).hasToString("ecfs://prod");
        assertThat(fs.getFileStatus(new org.apache.hadoop.fs.Path("/")).getPath())
                .hasToString("ecfs://prod/");
        assertThat(fs.getCanonicalServiceName()).isNull();
    }

    @Test
    void fileSystemIsCachedByItsNameInAnyCase() throws IOException {
        assertThat(FileSystem.get(URI.create("ecfs://PROD/x"), configuration()))
                .isSameAs(FileSystem.get(PROD, configuration()));
    }

    @Test
    void pathWithAddressesIsOfAnotherFileSystem() throws IOException {
        FileSystem fs = FileSystem.get(PROD, configuration());
        assertThatThrownBy(() -> fs.exists(new org.apache.hadoop.fs.Path(cluster.uri() + "/x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Wrong FS");
    }

    @Test
    void unknownNameOfAJobIsRefusedWithTheKnownOnes() {
        assertThatThrownBy(() -> FileSystem.get(URI.create("ecfs://nobody/"), configuration()))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("no cluster 'nobody'; known: filed, prod; searched: fs.ecfs.cluster.");
    }

    @Test
    void commandsFindTheClusterByName() throws IOException {
        assertThat(Ecfs.run("admin", "report", "--cluster", "filed", "--json")
                        .well()
                        .json()
                        .get("namenodes"))
                .hasSize(3);
        Ecfs.run("fs", "--cluster", "ecfs://filed", "-mkdir", "/by-name").well();
        assertThat(Ecfs.run("fs", "--cluster", "filed", "-ls", "/").well().text())
                .contains("/by-name");
    }

    @Test
    void commandWithAnUnknownNameEndsInOneLine() {
        Ecfs ran = Ecfs.run("admin", "report", "--cluster", "nobody");
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.errorLines()).isEqualTo(1);
        assertThat(ran.err())
                .contains("no cluster 'nobody'; known: filed; searched: " + directory.resolve("clusters.yaml"));
    }

    @Test
    void clientFindsTheClusterByName() throws IOException {
        try (EcfsClient client = EcfsClient.connect("ecfs://filed")) {
            assertThat(Await.result(client.status(FilePath.ROOT)).directory()).isTrue();
        }
    }
}
