package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.client.EcfsClient;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.config.PemFiles;
import io.ecfs.console.cluster.WatchedCluster.Browser;
import io.ecfs.console.local.ClusterPlan;
import io.ecfs.console.web.WebConsole;
import io.ecfs.error.EcfsException;
import io.ecfs.message.Address;
import io.ecfs.wire.Await;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clusters whose daemons have {@code wire.tls}, and each client that there is. */
@Timeout(300)
class TlsClusterTest {
    private static final String POLICY = "rs-2-1-64k";
    private static final byte[] CONTENT = Pattern.bytes(1, 300_000);

    @TempDir
    private Path directory;

    private Certificates ours;

    @BeforeEach
    void authority() throws Exception {
        ours = new Certificates(directory.resolve("ours"));
    }

    /** The settings of all daemons, and of a client that shows a certificate. */
    private String[] everyone(String... more) throws Exception {
        Certificates.Peer daemon = ours.peer("daemon", Duration.ofDays(1));
        List<String> settings = new ArrayList<>(List.of(more));
        for (String kind : List.of("namenode", "datanode")) {
            settings.add(kind + ".wire.tls.certificate=" + daemon.certificate());
            settings.add(kind + ".wire.tls.key=" + daemon.key());
            settings.add(kind + ".wire.tls.authority=" + ours.authority());
        }
        settings.addAll(client(ours, ours.peer("client", Duration.ofDays(1))));
        return settings.toArray(String[]::new);
    }

    private static List<String> client(Certificates trusted, Certificates.Peer shown) {
        return List.of(
                "client.tls.authority=" + trusted.authority(),
                "client.tls.certificate=" + shown.certificate(),
                "client.tls.key=" + shown.key());
    }

    /**
     * {@code ecfs COMMAND SUBCOMMAND… --cluster URI -D SETTING… ARGUMENT…} with everything before {@code --} as the
     * command.
     */
    private static Ecfs ecfs(String uri, List<String> settings, String command, String... arguments) {
        List<String> line = new ArrayList<>(List.of(command.split(" ")));
        line.addAll(List.of("--cluster", uri));
        settings.forEach(setting -> line.addAll(List.of("-D", setting)));
        line.addAll(List.of(arguments));
        return Ecfs.run(line.toArray(String[]::new));
    }

    private static void assertOneLine(Ecfs run, String... words) {
        assertThat(run.code()).isNotZero();
        assertThat(run.err().strip().lines()).hasSize(1);
        assertThat(run.err()).contains(words);
    }

    @Test
    void everyClientReachesAClusterWithMutualTls() throws Exception {
        try (TestCluster cluster = TestCluster.start(directory.resolve("cluster"), POLICY, 1, 3, everyone())) {
            List<String> settings = client(ours, ours.peer("person", Duration.ofDays(1)));
            Path content = Files.write(directory.resolve("content"), CONTENT);

            cluster.write("/library", CONTENT);
            assertThat(cluster.read("/library")).isEqualTo(CONTENT);

            ecfs(cluster.uri(), settings, "fs", "-put", content.toString(), "/shell")
                    .well();
            assertThat(ecfs(cluster.uri(), settings, "fs", "-cat", "/shell")
                            .well()
                            .out())
                    .isEqualTo(CONTENT);
            assertThat(ecfs(cluster.uri(), settings, "admin report", "--json")
                            .well()
                            .json()
                            .get("datanodes"))
                    .hasSize(3);
            Path file = Files.writeString(
                    directory.resolve("client.yaml"),
                    "tls: "
                            + settings.stream()
                                    .map(setting ->
                                            setting.replace("client.tls.", "").replace("=", ": "))
                                    .toList()
                                    .toString()
                                    .replace('[', '{')
                                    .replace(']', '}'));
            List<String> byFile = List.of("--cluster", cluster.uri(), "--client-config", file.toString());
            Ecfs.run(Stream.concat(Stream.of("admin", "report"), byFile.stream())
                            .toArray(String[]::new))
                    .well();
            assertThat(Ecfs.run(Stream.of(List.of("fs"), byFile, List.of("-cat", "/library"))
                                    .flatMap(List::stream)
                                    .toArray(String[]::new))
                            .well()
                            .out())
                    .isEqualTo(CONTENT);

            Configuration hadoop = new Configuration(false);
            hadoop.set("fs.ecfs.impl", "io.ecfs.hadoop.EcfsFileSystem");
            settings.forEach(setting -> hadoop.set("fs.ecfs." + setting.split("=", 2)[0], setting.split("=", 2)[1]));
            try (FileSystem files = FileSystem.newInstance(URI.create(cluster.uri()), hadoop)) {
                org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/hadoop");
                try (FSDataOutputStream out = files.create(path)) {
                    out.write(CONTENT);
                }
                try (InputStream in = files.open(path)) {
                    assertThat(in.readAllBytes()).isEqualTo(CONTENT);
                }
            }

            try (WebConsole console = WatchedCluster.start(
                    WatchedCluster.config(cluster.uri(), directory, Optional.empty(), config(settings)))) {
                Browser olga = new Browser(console.url()).logIn("olga");
                assertThat(olga.json("/api/v1/report").toString()).contains("dn0", "dn1", "dn2");
            }
        }
    }

    @Test
    void theNamenodesLogSpeaksTlsWithTheSameFiles() throws Exception {
        try (TestCluster cluster = TestCluster.start(directory.resolve("cluster"), POLICY, 3, 3, everyone())) {
            for (ClusterPlan.NamenodePlan namenode : cluster.plan().namenodes()) {
                speakTls(namenode.logAddress());
            }
            assertThat(cluster.log.holds("event=log_traffic namenode=nn0 tls=true files=wire.tls"))
                    .isTrue();
        }
    }

    @Test
    void whoCannotBeTrustedIsRefusedInOneLineAndAtOnce() throws Exception {
        try (TestCluster cluster = TestCluster.start(directory.resolve("cluster"), POLICY, 1, 3, everyone())) {
            Certificates theirs = new Certificates(directory.resolve("theirs"));
            Certificates.Peer good = ours.peer("person", Duration.ofDays(1));
            String byName = cluster.uri().replace("127.0.0.1", "localhost");

            assertOneLine(
                    ecfs(cluster.uri(), client(theirs, good), "admin report"),
                    "no namenode can be asked",
                    "its certificate is not signed by the certificates of tls.authority");
            assertOneLine(
                    ecfs(byName, client(ours, good), "admin report"),
                    "no namenode can be asked",
                    "its certificate is not for localhost");
            assertOneLine(
                    ecfs(cluster.uri(), client(ours, theirs.peer("stranger", Duration.ofDays(1))), "admin report"),
                    "no namenode can be asked",
                    "certificate");
            assertOneLine(
                    ecfs(cluster.uri(), List.of("client.tls.authority=" + ours.authority()), "admin report"),
                    "no namenode can be asked",
                    "it asks for a certificate of its authority");
            assertOneLine(
                    ecfs(cluster.uri(), client(ours, ours.peer("late", Duration.ofDays(-1))), "admin report"),
                    "tls.certificate",
                    "expired on");
            assertOneLine(ecfs(cluster.uri(), List.of(), "admin report"), "with TLS only", "set client.tls.authority");
            assertOneLine(ecfs(cluster.uri(), List.of(), "fs", "-ls", "/"), "with TLS only", "client.tls.authority");
            assertOneLine(
                    ecfs(cluster.uri(), List.of("client.tls.authority=/nowhere/ca.crt"), "admin report"),
                    "tls.authority /nowhere/ca.crt does not exist");
            assertThatThrownBy(() -> {
                        try (EcfsClient plain = TestCluster.client(cluster.uri())) {
                            Await.result(plain.admin().report());
                        }
                    })
                    .isInstanceOf(EcfsException.class)
                    .hasMessageContaining("with TLS only");
        }
    }

    @Tag("soak")
    @Test
    void clientsNeedNoCertificateWhereTheOperatorSaysSo() throws Exception {
        String[] settings = everyone(
                "namenode.wire.tls.clientCertificates=daemons", "datanode.wire.tls.clientCertificates=daemons");
        try (TestCluster cluster = TestCluster.start(directory.resolve("cluster"), POLICY, 1, 3, settings)) {
            cluster.write("/file", CONTENT);
            List<String> authority = List.of("client.tls.authority=" + ours.authority());
            assertThat(ecfs(cluster.uri(), authority, "fs", "-cat", "/file")
                            .well()
                            .out())
                    .isEqualTo(CONTENT);
        }
    }

    @Tag("soak")
    @Test
    void aClientWithTlsIsToldThatAClusterHasNone() throws Exception {
        try (TestCluster cluster = TestCluster.start(directory.resolve("cluster"), POLICY, 1, 3)) {
            List<String> settings = client(ours, ours.peer("person", Duration.ofDays(1)));
            assertOneLine(
                    ecfs(cluster.uri(), settings, "admin report"), "no namenode can be asked", "it speaks no TLS");
        }
    }

    private static ClientConfig config(List<String> settings) {
        return ClientConfig.defaults()
                .with(settings.stream()
                        .map(setting -> setting.substring("client.".length()))
                        .toArray(String[]::new));
    }

    /** Fails unless TLS is spoken there, with a certificate of the authority. */
    private void speakTls(Address address) throws Exception {
        X509Certificate[] trusted = PemFiles.certificates("authority", ours.authority());
        Certificates.Peer shown = ours.peer("member", Duration.ofDays(1));
        X509Certificate[] chain = PemFiles.chain("certificate", shown.certificate());
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("authority", trusted[0]);
        store.setKeyEntry("member", PemFiles.key("key", shown.key(), chain[0]), new char[0], chain);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        try (Socket socket = context.getSocketFactory().createSocket(address.host(), address.port())) {
            ((SSLSocket) socket).startHandshake();
        }
    }
}
