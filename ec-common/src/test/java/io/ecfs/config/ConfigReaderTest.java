package io.ecfs.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigReaderTest {
    enum Mode {
        FAST,
        VERY_SAFE
    }

    record Daemon(DatanodeId id, Address listen, List<String> volumes, Optional<Address> status, Bounds bounds) {}

    record Bounds(Duration beat, long cacheBytes, int threads, Mode mode, Policy policy, boolean sync) {
        Bounds {
            if (threads < 1) {
                throw new IllegalArgumentException("threads must be at least 1, got " + threads);
            }
        }

        static Bounds defaults() {
            return new Bounds(Duration.ofSeconds(1), 1 << 20, 4, Mode.FAST, Policy.parse("rs-6-3-1024k"), false);
        }
    }

    private static final String MINIMAL = "id: dn1\nlisten: 10.0.0.1:9000\nvolumes: [/a, /b]\n";

    private static Daemon read(String yaml, String... overrides) {
        return ConfigReader.read(Daemon.class, "dn.yaml", yaml, List.of(overrides));
    }

    @Test
    void whatIsNotGivenTakesItsDefault() {
        assertThat(read(MINIMAL))
                .isEqualTo(new Daemon(
                        new DatanodeId("dn1"),
                        new Address("10.0.0.1", 9000),
                        List.of("/a", "/b"),
                        Optional.empty(),
                        Bounds.defaults()));
    }

    @Test
    void unitsEnumsAndPoliciesAreReadAsPeopleWriteThem() {
        Bounds bounds = read(MINIMAL
                        + "bounds: {beat: 250ms, cacheBytes: 64MiB, mode: very-safe, policy: rs-3-2-64k, sync: on}\n")
                .bounds();
        assertThat(bounds)
                .isEqualTo(new Bounds(
                        Duration.ofMillis(250), 64 << 20, 4, Mode.VERY_SAFE, Policy.parse("rs-3-2-64k"), true));
    }

    @Test
    void anOverrideWinsOverTheFileAndReachesNestedRecords() {
        Daemon daemon = read(
                MINIMAL + "bounds: {threads: 2, sync: true}\n",
                "bounds.threads=8",
                "volumes=/x,/y",
                "status=localhost:80");
        assertThat(daemon.bounds().threads()).isEqualTo(8);
        assertThat(daemon.bounds().sync()).isTrue();
        assertThat(daemon.volumes()).containsExactly("/x", "/y");
        assertThat(daemon.status()).contains(new Address("localhost", 80));
    }

    @Test
    void aCopyDiffersInTheChangedValuesOnly() {
        Daemon daemon = read(MINIMAL + "bounds: {threads: 2, sync: true}\n");
        Daemon copy = ConfigReader.with(daemon, List.of("bounds.threads=8", "volumes=/x,/y"));
        assertThat(copy)
                .isEqualTo(new Daemon(
                        daemon.id(),
                        daemon.listen(),
                        List.of("/x", "/y"),
                        daemon.status(),
                        new Bounds(Duration.ofSeconds(1), 1 << 20, 8, Mode.FAST, Policy.parse("rs-6-3-1024k"), true)));
        assertThatThrownBy(() -> ConfigReader.with(daemon, List.of("bounds.threads=0")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("bounds: threads must be at least 1, got 0");
    }

    @Test
    void anUnknownKeyIsRefusedWithTheNearestOne() {
        assertThatThrownBy(() -> read(MINIMAL + "bounds: {thread: 2}\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("dn.yaml: no key 'bounds.thread'; nearest is 'bounds.threads'");
        assertThatThrownBy(() -> read(MINIMAL, "lisen=a:1")).hasMessageContaining("nearest is 'listen'");
    }

    @Test
    void aBadValueIsRefusedWithItsKeyAndWhatWasExpected() {
        assertThatThrownBy(() -> read(MINIMAL, "bounds.beat=10"))
                .hasMessageContaining("bounds.beat: expected a duration");
        assertThatThrownBy(() -> read(MINIMAL, "bounds.threads=0"))
                .hasMessageContaining("bounds: threads must be at least 1");
        assertThatThrownBy(() -> read(MINIMAL, "bounds.threads=99999999999"))
                .hasMessageContaining("bounds.threads: expected a number");
        assertThatThrownBy(() -> read(MINIMAL, "bounds.mode=slow"))
                .hasMessageContaining("one of fast, very-safe, got 'slow'; nearest is 'fast'");
        assertThatThrownBy(() -> read(MINIMAL, "bounds.policy=rs-6")).hasMessageContaining("bounds.policy: ");
        assertThatThrownBy(() -> read(MINIMAL, "bounds=3")).hasMessageContaining("expected keys and values");
        assertThatThrownBy(() -> read(MINIMAL, "nonsense")).hasMessageContaining("-D takes key=value");
    }

    @Test
    void whatHasNoDefaultMustBeGiven() {
        assertThatThrownBy(() -> read("id: dn1\nvolumes: [/a]\n")).hasMessage("dn.yaml: listen must be given");
        assertThatThrownBy(() -> read("")).hasMessageContaining("id must be given");
    }

    record Peers(Map<String, Peer> peers, List<Peer> row) {}

    record Peer(Address address, int weight) {}

    @Test
    void namedAndListedRecordsAreRead() {
        String yaml =
                "peers:\n  a: {address: h:1, weight: 2}\n  b: {address: h:2, weight: 3}\nrow:\n- {address: h:3, weight: 4}\n";
        Peers peers = ConfigReader.read(Peers.class, "p.yaml", yaml, List.of());
        assertThat(peers.peers())
                .containsEntry("a", new Peer(new Address("h", 1), 2))
                .containsEntry("b", new Peer(new Address("h", 2), 3));
        assertThat(peers.row()).containsExactly(new Peer(new Address("h", 3), 4));
        assertThatThrownBy(() -> ConfigReader.read(Peers.class, "p.yaml", yaml, List.of("peers.a.wait=1")))
                .hasMessageContaining("nearest is 'peers.a.weight'");
    }

    @Test
    void whatIsNotYamlIsRefusedWithItsLine(@TempDir Path directory) {
        assertThatThrownBy(() -> read("id: dn1\n  x: ["))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("dn.yaml line");
        assertThatThrownBy(() -> ConfigReader.read(Daemon.class, directory.resolve("none.yaml"), List.of()))
                .hasMessageContaining("does not exist");
    }
}
