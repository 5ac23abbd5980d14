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
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.ChunkReply;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.ssl.OpenSsl;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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
                                    new Parcel(new ChunkReply.Data(CHUNK, 0, 0), request.payload())));
            WireClient client = wire.client(tls(ours.peer("client", ours)));
            for (int bytes : new int[] {0, 1, 100_000, 3 << 20}) {
                Parcel answer = result(client.call(server.address(), write(bytes), wire.bytes(bytes), LONG));
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
            assertThat(plainClient.getMessage()).contains(tlsServer.address().toString());
            EcfsException tlsClient = failure(wire.client(tls(ours.peer("client", ours)))
                    .call(plainServer.address(), write(10), wire.bytes(10), LONG));
            assertThat(tlsClient.getMessage())
                    .contains(plainServer.address().toString())
                    .contains("TLS");
        }
    }

    @Test
    void aConfigurationOfThreeFilesIsEnough() {
        String yaml = "tls: {certificate: a.crt, key: a.key, authority: ca.crt}\nmaxFrameBytes: 8MiB\nidleTimeout: 5m";
        WireOptions read = ConfigReader.read(WireOptions.class, "test", yaml, List.of("tls.key=b.key"));
        assertThat(read.tls())
                .contains(new TlsOptions(Path.of("a.crt"), Path.of("b.key"), Path.of("ca.crt"), Optional.empty()));
        assertThat(read.maxFrameBytes()).isEqualTo(8 << 20);
        assertThat(read.idleTimeout()).hasMinutes(5);
        assertThat(read.maxConnections()).isEqualTo(WireOptions.defaults().maxConnections());
    }

    @Test
    void aFileThatIsNotThereIsNamed() throws Exception {
        TlsOptions good = ours.peer("server", ours);
        TlsOptions bad = new TlsOptions(
                directory.resolve("missing.crt"), good.key(), good.authority(), Optional.of(TlsOptions.Provider.JDK));
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
                good.certificate(), good.key(), good.authority(), Optional.of(TlsOptions.Provider.OPENSSL));
        try (WireFixture wire = new WireFixture()) {
            assertThatThrownBy(() -> wire.client(tls(openSsl)))
                    .isInstanceOf(EcfsException.class)
                    .hasMessageContaining("netty-tcnative");
        }
    }
}
