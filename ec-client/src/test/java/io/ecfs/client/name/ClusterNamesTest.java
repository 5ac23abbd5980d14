package io.ecfs.client.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.client.ClusterUri;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterNamesTest {
    private static final ClusterName PROD = ClusterName.of("prod");

    @TempDir
    private Path directory;

    private ClustersFile file(String name, String yaml) throws IOException {
        return new ClustersFile(Files.writeString(directory.resolve(name), yaml));
    }

    /** DNS with the records of some names. */
    private static SrvNames dns(Map<String, List<SrvRecord>> zone, String... searchDomains) {
        return new SrvNames(name -> zone.getOrDefault(name, List.of()), () -> List.of(searchDomains));
    }

    @Test
    void firstSourceThatHasTheNameDecides() throws IOException {
        ClusterNames names = new ClusterNames(List.of(
                file("a.yaml", "clusters: {test: {namenodes: [a:1]}}"),
                file("b.yaml", "clusters: {prod: {namenodes: [b:1, b:2]}, test: {namenodes: [b:9]}}"),
                dns(Map.of("_ecfs._tcp.prod.example", List.of(new SrvRecord(0, 0, 3, "c"))), "example")));
        assertThat(names.resolve(PROD)).containsExactly(new Address("b", 1), new Address("b", 2));
        assertThat(names.resolve(ClusterName.of("test"))).containsExactly(new Address("a", 1));
    }

    @Test
    void sourceOfTheCallerComesFirst() throws IOException {
        ClusterNames names = new ClusterNames(List.of(file("a.yaml", "clusters: {prod: {namenodes: [a:1]}}")));
        assertThat(names.after(file("own.yaml", "clusters: {prod: {namenodes: [own:1]}}"))
                        .resolve(PROD))
                .containsExactly(new Address("own", 1));
    }

    @Test
    void dnsAnswersWhenNoFileHasTheName() throws IOException {
        ClusterNames names = new ClusterNames(List.of(
                new ClustersFile(directory.resolve("none.yaml")),
                dns(Map.of("_ecfs._tcp.prod.example", List.of(new SrvRecord(0, 0, 3, "c"))), "example")));
        assertThat(names.resolve(PROD)).containsExactly(new Address("c", 3));
    }

    @Test
    void unknownNameFailsInOneLineWithWhatIsKnownAndWhere() throws IOException {
        ClustersFile file = file("a.yaml", "clusters: {test: {namenodes: [a:1]}, dev: {namenodes: [a:2]}}");
        Path none = directory.resolve("none.yaml");
        ClusterNames names = new ClusterNames(List.of(file, new ClustersFile(none), dns(Map.of(), "example")));
        assertThatThrownBy(() -> names.resolve(PROD))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                .hasMessage("no cluster 'prod'; known: dev, test; searched: " + file.path() + "; " + none
                        + " (does not exist); DNS SRV _ecfs._tcp.prod.example"
                        + " (a namenode without a name is written ecfs://host:port)");
    }

    @Test
    void fileThatCannotBeReadEndsTheSearch() throws IOException {
        ClusterNames names = new ClusterNames(
                List.of(file("bad.yaml", "clusters: [oops"), file("b.yaml", "clusters: {prod: {namenodes: [b:1]}}")));
        assertThatThrownBy(() -> names.resolve(PROD))
                .isInstanceOf(EcfsException.class)
                .hasMessageContaining("bad.yaml line 1 is not YAML");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "clusters: {prod: {namenodes: [nn-a]}}",
                "clusters: {prod: {namenodes: []}}",
                "clusters: {prod: {}}",
                "clusters: {prod: }",
                "clusters: {prod: {namenode: [nn-a:1]}}",
                "clusters: {Prod: {namenodes: [nn-a:1]}}",
                "cluster: {}",
                "- a"
            })
    void malformedFileIsRefusedInOneLineThatNamesIt(String yaml) throws IOException {
        ClustersFile file = file("bad.yaml", yaml);
        assertThatThrownBy(file::read)
                .isInstanceOf(EcfsException.class)
                .hasMessageStartingWith(file.path().toString())
                .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
    }

    @Test
    void emptyAndMissingFilesHaveNoClusters() throws IOException {
        assertThat(file("empty.yaml", "").read()).isEmpty();
        assertThat(file("comment.yaml", "# nothing yet\n").read()).isEmpty();
        assertThat(file("none-yet.yaml", "clusters:\n").read()).isEmpty();
        assertThat(new ClustersFile(directory.resolve("none")).read()).isEmpty();
    }

    @Test
    void uriWithoutPortIsANameAndWithOneAHost() throws IOException {
        ClusterNames names = new ClusterNames(List.of(file("a.yaml", "clusters: {prod: {namenodes: [nn-a:1]}}")));
        assertThat(ClusterUri.resolve(URI.create("ecfs://prod/some/path"), names)
                        .namenodes())
                .containsExactly(new Address("nn-a", 1));
        assertThat(ClusterUri.resolve(URI.create("ecfs://PROD"), names).namenodes())
                .containsExactly(new Address("nn-a", 1));
        assertThat(ClusterUri.resolve(URI.create("ecfs://prod:9700"), names).namenodes())
                .containsExactly(new Address("prod", 9700));
        assertThat(ClusterUri.resolve(URI.create("ecfs://b:1,c:2"), names)).hasToString("ecfs://b:1,c:2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a_b", "-a", "a-", "a..b", "10.0.0.1", "a.", ".a", "a b", "ü"})
    void nameIsWhatAUriTakesForAHost(String text) {
        assertThatThrownBy(() -> ClusterName.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is no name of a cluster");
    }

    @Test
    void everyNameIsAHostOfItsUri() {
        for (String text : List.of("a", "prod", "prod-2", "x1.example", "1a.b", "UPPER")) {
            assertThat(URI.create("ecfs://" + ClusterName.of(text) + "/p").getHost())
                    .isEqualToIgnoringCase(text);
        }
    }
}
