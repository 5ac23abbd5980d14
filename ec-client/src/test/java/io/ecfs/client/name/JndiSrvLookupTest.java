package io.ecfs.client.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The JDK's DNS client against a server on loopback. */
class JndiSrvLookupTest {
    private LoopbackDns server;
    private JndiSrvLookup dns;

    @BeforeEach
    void open() throws IOException {
        server = LoopbackDns.open(
                "_ecfs._tcp.prod.example",
                new SrvRecord(0, 5, 9700, "nn-a.example"),
                new SrvRecord(1, 5, 9701, "nn-b.example"));
        dns = new JndiSrvLookup("dns://127.0.0.1:" + server.port());
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void recordsHavePriorityWeightPortAndTarget() throws IOException {
        assertThat(dns.lookup("_ecfs._tcp.prod.example"))
                .containsExactlyInAnyOrder(
                        new SrvRecord(0, 5, 9700, "nn-a.example"), new SrvRecord(1, 5, 9701, "nn-b.example"));
    }

    @Test
    void nameThatDoesNotExistHasNone() throws IOException {
        assertThat(dns.lookup("_ecfs._tcp.none.example")).isEmpty();
    }

    @Test
    void serverThatFailsIsAnErrorInOneLine() {
        assertThatThrownBy(() -> dns.lookup(LoopbackDns.BROKEN))
                .isInstanceOf(IOException.class)
                .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
    }
}
