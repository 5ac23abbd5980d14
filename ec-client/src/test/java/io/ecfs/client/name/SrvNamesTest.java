package io.ecfs.client.name;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.message.Address;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SrvNamesTest {
    private final List<String> asked = new ArrayList<>();
    private final Search search = new Search();

    private Optional<List<Address>> find(String name, Map<String, List<SrvRecord>> zone, String... searchDomains)
            throws IOException {
        SrvLookup dns = query -> {
            asked.add(query);
            return zone.getOrDefault(query, List.of());
        };
        return new SrvNames(dns, () -> List.of(searchDomains)).find(ClusterName.of(name), search);
    }

    @Test
    void nameWithoutADotIsSearchedBelowTheDomainsAlone() throws IOException {
        assertThat(find("prod", Map.of(), "a.example", "example")).isEmpty();
        assertThat(asked).containsExactly("_ecfs._tcp.prod.a.example", "_ecfs._tcp.prod.example");
    }

    @Test
    void nameWithADotIsSearchedAsItIsFirst() throws IOException {
        assertThat(find("prod.example", Map.of(), "b")).isEmpty();
        assertThat(asked).containsExactly("_ecfs._tcp.prod.example", "_ecfs._tcp.prod.example.b");
    }

    @Test
    void nameWithoutADotAndWithoutDomainsAsksNoServer() throws IOException {
        assertThat(find("prod", Map.of())).isEmpty();
        assertThat(asked).isEmpty();
        assertThat(search.failure(ClusterName.of("prod"))).contains("DNS skipped (no search domain in ");
    }

    @Test
    void recordsAreOrderedByPriorityThenWeight() throws IOException {
        assertThat(find(
                        "prod",
                        Map.of(
                                "_ecfs._tcp.prod.x",
                                List.of(
                                        new SrvRecord(2, 9, 1, "late"),
                                        new SrvRecord(1, 1, 1, "light"),
                                        new SrvRecord(1, 5, 1, "heavy"))),
                        "x"))
                .contains(List.of(new Address("heavy", 1), new Address("light", 1), new Address("late", 1)));
    }

    @Test
    void emptyTargetMeansThatThereIsNoService() throws IOException {
        assertThat(find("prod", Map.of("_ecfs._tcp.prod.x", List.of(new SrvRecord(0, 0, 0, ""))), "x"))
                .isEmpty();
    }

    @Test
    void serverThatDoesNotAnswerEndsTheSearch() throws IOException {
        SrvLookup silent = query -> {
            asked.add(query);
            throw new IOException("no answer");
        };
        assertThat(new SrvNames(silent, () -> List.of("x", "y")).find(ClusterName.of("prod"), search))
                .isEmpty();
        assertThat(asked).hasSize(1);
        assertThat(search.failure(ClusterName.of("prod"))).contains("DNS SRV _ecfs._tcp.prod.x (no answer)");
    }

    @Test
    void searchDomainsAreThoseOfTheLastLine(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(
                directory.resolve("resolv.conf"),
                "domain old.example\n# search no\nnameserver 10.0.0.1\nsearch  a.example. b\n");
        assertThat(new SearchDomains(file).read()).containsExactly("a.example", "b");
        assertThat(new SearchDomains(directory.resolve("none")).read()).isEmpty();
    }
}
