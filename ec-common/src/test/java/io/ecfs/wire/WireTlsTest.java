package io.ecfs.wire;

import static io.ecfs.wire.WireFixture.CHUNK;
import static io.ecfs.wire.WireFixture.LONG;
import static io.ecfs.wire.WireFixture.failure;
import static io.ecfs.wire.WireFixture.options;
import static io.ecfs.wire.WireFixture.result;
import static io.ecfs.wire.WireFixture.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.config.ConfigReader;
import io.ecfs.config.PemFiles;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.Greeting;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.wire.client.WireClient;
import io.ecfs.wire.server.WireServer;
import io.ecfs.wire.tls.ClientTls;
import io.ecfs.wire.tls.TlsOptions;
import io.ecfs.wire.tls.TlsRefusal;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.ssl.OpenSsl;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class WireTlsTest {
    @TempDir
    Path directory;

    private Certificates ours;

    @BeforeEach
    void authority() throws Exception {
        ours = new Certificates(directory, "ours");
    }

    private static WireOptions tls(TlsOptions tls) {
        return options().tls(tls).times(15_000, 60_000).build();
    }

    @Test
    void payloadsGoThereAndBackOverMutualTls() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(
                    tls(ours.peer("server", ours)),
                    (session, request) -> session.takesFiles()
                            ? CompletableFuture.failedFuture(new AssertionError("files cannot be encrypted"))
                            : CompletableFuture.completedFuture(
                                    new Envelope(new ChunkReply.Data(CHUNK, 0, 0), request.payload())));
            WireClient client = wire.client(tls(ours.peer("client", ours)));
            for (int bytes : new int[] {0, 1, 100_000, 3 << 20}) {
                Envelope answer = result(client.call(server.address(), write(bytes), wire.bytes(bytes), LONG));
                assertThat(Arrays.equals(ByteBufUtil.getBytes(answer.payload()), WireFixture.pattern(bytes)))
                        .isTrue();
                answer.release();
            }
        }
    }

    @Test
    void aClientOfAnotherAuthorityIsRefused() throws Exception {
        Certificates theirs = new Certificates(directory, "theirs");
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(tls(ours.peer("server", ours)), WireFixture::acknowledge);
            WireClient client = wire.client(tls(theirs.peer("client", ours)));
            EcfsException seen = failure(client.call(server.address(), write(10), wire.bytes(10), LONG));
            assertThat(seen.code()).isEqualTo(ErrorCode.UNREACHABLE);
            assertThat(seen.getMessage()).contains(server.address().toString());
        }
    }

    @Test
    void aServerOfAnotherAuthorityIsRefused() throws Exception {
        Certificates theirs = new Certificates(directory, "theirs");
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(tls(theirs.peer("server", ours)), WireFixture::acknowledge);
            WireClient client = wire.client(tls(ours.peer("client", ours)));
            EcfsException seen = failure(client.call(server.address(), write(10), wire.bytes(10), LONG));
            assertThat(seen.code()).isEqualTo(ErrorCode.UNREACHABLE);
            assertThat(seen.getMessage()).contains("TLS handshake with " + server.address());
        }
    }

    @Test
    void plainAndTlsDoNotMixAndSaySo() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            WireOptions plain = options().times(15_000, 60_000).build();
            WireServer tlsServer = wire.server(tls(ours.peer("server", ours)), WireFixture::acknowledge);
            WireServer plainServer = wire.server(plain, WireFixture::acknowledge);
            EcfsException plainClient =
                    failure(wire.client(plain).call(tlsServer.address(), write(10), wire.bytes(10), LONG));
            assertThat(plainClient.code()).isEqualTo(ErrorCode.ACCESS_DENIED);
            assertThat(plainClient.getMessage()).contains("with TLS only").contains("client.tls.authority");
            EcfsException tlsClient = failure(wire.client(tls(ours.peer("client", ours)))
                    .call(plainServer.address(), write(10), wire.bytes(10), LONG));
            assertThat(tlsClient.getMessage())
                    .contains(plainServer.address().toString())
                    .contains("speaks no TLS");
            assertThat(tlsClient.getCause()).isInstanceOf(TlsRefusal.class);
        }
    }

    @Test
    void theServersNameIsChecked() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(tls(ours.of("127.0.0.2").peer("server", ours)), WireFixture::acknowledge);
            WireClient client = wire.client(tls(ours.peer("client", ours)));
            EcfsException seen = failure(client.call(server.address(), write(10), wire.bytes(10), LONG));
            assertThat(seen.getMessage()).contains("its certificate is not for 127.0.0.1");
            assertThat(seen.getCause()).isInstanceOf(TlsRefusal.class);
        }
    }

    @Test
    void aCertificateThatExpiredWhileItsServerRanIsCalledThat() throws Exception {
        TlsOptions old = ours.expired().peer("server", ours);
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        X509Certificate[] chain = PemFiles.certificates("certificate", old.certificate());
        store.setKeyEntry("server", PemFiles.key("key", old.key(), chain[0]), new char[0], chain);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        try (WireFixture wire = new WireFixture();
                ServerSocket listener =
                        context.getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> {
                try (Socket socket = listener.accept()) {
                    ((SSLSocket) socket).startHandshake();
                } catch (IOException refused) {
                    // as the client says
                }
            });
            server.start();
            WireClient client = wire.client(tls(ours.unexpired().peer("client", ours)));
            Address address = new Address("127.0.0.1", listener.getLocalPort());
            EcfsException seen = failure(client.call(address, write(10), wire.bytes(10), LONG));
            assertThat(seen.getMessage())
                    .contains("its certificate has expired")
                    .contains("renew it there");
            assertThat(seen.getCause()).isInstanceOf(TlsRefusal.class);
            server.join();
        }
    }

    @Test
    void aClientWithoutACertificateIsToldWhatIsMissing() throws Exception {
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(tls(ours.peer("server", ours)), WireFixture::acknowledge);
            EcfsException seen = failure(bare(wire, "client").call(server.address(), write(10), wire.bytes(10), LONG));
            assertThat(seen.getMessage()).contains("asks for a certificate").contains("tls.certificate and tls.key");
            assertThat(seen.getCause()).isInstanceOf(TlsRefusal.class);
        }
    }

    @Test
    void clientsConnectWithoutCertificatesAndDaemonsDoNot() throws Exception {
        TlsOptions all = ours.peer("server", ours);
        TlsOptions daemons = new TlsOptions(
                all.certificate(),
                all.key(),
                all.authority(),
                Optional.of(TlsOptions.ClientCertificates.DAEMONS),
                Optional.empty());
        try (WireFixture wire = new WireFixture()) {
            WireServer server = wire.server(tls(daemons), WireFixture::acknowledge);
            result(bare(wire, "client").call(server.address(), write(10), wire.bytes(10), LONG))
                    .release();
            EcfsException seen =
                    failure(bare(wire, "datanode dn1").call(server.address(), write(10), wire.bytes(10), LONG));
            assertThat(seen.code()).isEqualTo(ErrorCode.ACCESS_DENIED);
            assertThat(seen.getMessage()).contains("datanode must show a certificate");
            WireClient datanode = wire.client(tls(ours.peer("dn1", ours)), greeting("datanode dn1"));
            result(datanode.call(server.address(), write(10), wire.bytes(10), LONG))
                    .release();
        }
    }

    /** One that shows no certificate. */
    private WireClient bare(WireFixture wire, String role) throws EcfsException {
        ClientTls authority = new ClientTls(ours.authority(), Optional.empty(), Optional.empty(), Optional.empty());
        return wire.client(options().times(15_000, 60_000).build(), authority, greeting(role));
    }

    private static Greeting.Hello greeting(String role) {
        return new Greeting.Hello(Greeting.PROTOCOL_VERSION, "c1", "ada", List.of(), role);
    }

    @Test
    void filesThatCannotDoAreNamedWithTheReason() throws Exception {
        TlsOptions good = ours.peer("one", ours);
        TlsOptions other = ours.peer("two", ours);
        TlsOptions old = ours.expired().peer("three", ours);
        Path text = Files.writeString(directory.resolve("notes.txt"), "nothing of the kind\n");
        Path rsa = Files.writeString(
                directory.resolve("pkcs1.key"),
                "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n");
        assertRefused(good.certificate(), directory.resolve("away.key"), good.authority(), "tls.key", "does not exist");
        assertRefused(good.certificate(), directory, good.authority(), "tls.key", "cannot be read");
        assertRefused(good.certificate(), text, good.authority(), "tls.key", "holds no private key");
        assertRefused(good.certificate(), rsa, good.authority(), "tls.key", "openssl pkcs8");
        assertRefused(
                good.certificate(), other.key(), good.authority(), "tls.key", "does not belong to the certificate");
        assertRefused(text, good.key(), good.authority(), "tls.certificate", "holds no certificates");
        assertRefused(old.certificate(), old.key(), good.authority(), "tls.certificate", "expired on");
        assertRefused(good.certificate(), good.key(), text, "tls.authority", "holds no certificates");
    }

    private static void assertRefused(Path certificate, Path key, Path authority, String... words) throws Exception {
        TlsOptions bad = new TlsOptions(certificate, key, authority, Optional.empty(), Optional.empty());
        try (WireFixture wire = new WireFixture()) {
            assertThatThrownBy(() -> wire.client(tls(bad)))
                    .isInstanceOf(EcfsException.class)
                    .hasMessageContainingAll(words)
                    .message()
                    .hasLineCount(1);
            assertThatThrownBy(() -> wire.server(tls(bad), WireFixture::acknowledge))
                    .isInstanceOf(EcfsException.class)
                    .hasMessageContainingAll(words);
        }
    }

    @Test
    void aConfigurationOfThreeFilesIsEnough() {
        String yaml = "tls: {certificate: a.crt, key: a.key, authority: ca.crt}\nmaxFrameBytes: 8MiB\nidleTimeout: 5m";
        WireOptions read = ConfigReader.read(WireOptions.class, "test", yaml, List.of("tls.key=b.key"));
        assertThat(read.tls())
                .contains(new TlsOptions(
                        Path.of("a.crt"), Path.of("b.key"), Path.of("ca.crt"), Optional.empty(), Optional.empty()));
        assertThat(read.maxFrameBytes()).isEqualTo(8 << 20);
        assertThat(read.idleTimeout()).hasMinutes(5);
        assertThat(read.maxConnections()).isEqualTo(WireOptions.defaults().maxConnections());
    }

    @Test
    void aFileThatIsNotThereIsNamed() throws Exception {
        TlsOptions good = ours.peer("server", ours);
        TlsOptions bad = new TlsOptions(
                directory.resolve("missing.crt"),
                good.key(),
                good.authority(),
                Optional.empty(),
                Optional.of(TlsOptions.Provider.JDK));
        try (WireFixture wire = new WireFixture()) {
            assertThatThrownBy(() -> wire.client(tls(bad)))
                    .isInstanceOf(EcfsException.class)
                    .hasMessageContaining("missing.crt");
            assertThatThrownBy(() -> wire.server(tls(bad), WireFixture::acknowledge))
                    .isInstanceOf(EcfsException.class)
                    .hasMessageContaining("missing.crt");
        }
    }

    @Test
    void openSslThatIsNotThereIsSaidSo() throws Exception {
        Assumptions.assumeFalse(OpenSsl.isAvailable());
        TlsOptions good = ours.peer("client", ours);
        TlsOptions openSsl = new TlsOptions(
                good.certificate(),
                good.key(),
                good.authority(),
                Optional.empty(),
                Optional.of(TlsOptions.Provider.OPENSSL));
        try (WireFixture wire = new WireFixture()) {
            assertThatThrownBy(() -> wire.client(tls(openSsl)))
                    .isInstanceOf(EcfsException.class)
                    .hasMessageContaining("netty-tcnative");
        }
    }
}
