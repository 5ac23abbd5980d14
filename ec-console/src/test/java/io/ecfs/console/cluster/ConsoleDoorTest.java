package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.ecfs.client.Identity;
import io.ecfs.config.PemFiles;
import io.ecfs.console.cluster.WatchedCluster.Browser;
import io.ecfs.console.web.WebConsole;
import io.ecfs.console.web.settings.Account;
import io.ecfs.console.web.settings.ConsoleConfig;
import io.ecfs.console.web.settings.ConsoleTls;
import io.ecfs.console.web.settings.PasswordHash;
import io.ecfs.console.web.user.ClientsByUser;
import io.ecfs.env.Clock;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.error.EcfsException;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a console listens and whom it lets try passwords; the cluster behind it need not be there. */
class ConsoleDoorTest {
    private static final int FREE_FAILURES = 8;

    @TempDir
    private Path directory;

    private WebConsole console(Optional<String> proxy) throws IOException {
        return console(proxy, Optional.empty(), RealEnvironment.open().clock());
    }

    private WebConsole console(Optional<String> proxy, Optional<ConsoleTls> tls, Clock clock) throws IOException {
        try (ServerSocket nobody = new ServerSocket(0)) {
            ConsoleConfig config =
                    WatchedCluster.config("ecfs://127.0.0.1:" + nobody.getLocalPort(), directory, Optional.empty());
            return WebConsole.start(
                    new ConsoleConfig(
                            config.cluster(),
                            config.listen(),
                            proxy,
                            tls,
                            config.directory(),
                            config.accounts(),
                            config.sessionIdle(),
                            config.sessionLifetime(),
                            config.refresh(),
                            config.webhooks(),
                            config.benchmarks(),
                            config.client(),
                            config.pages()),
                    clock);
        }
    }

    @Test
    void aGuesserWaitsHoweverItsAddressIsWritten() throws Exception {
        try (WebConsole console = console(Optional.empty())) {
            Browser olga = new Browser(console.url()).logIn("olga");
            Browser thief = new Browser(console.url());
            for (int i = 0; i < FREE_FAILURES; i++) {
                assertThat(thief.guess("/api/v1/%73ession")).isEqualTo(401);
            }
            assertThat(thief.guess("/api/v1/%73ession")).isEqualTo(429);
            assertThat(thief.guess("/api/v1/session")).isEqualTo(429);
            assertThat(olga.json("/api/v1/audit").get("entries").findValuesAsText("outcome"))
                    .containsExactly("done");
            assertThat(olga.json("/api/v1/audit").get("refused")).hasSize(FREE_FAILURES);
            assertThat(Files.readAllLines(directory.resolve("console/refused.log")))
                    .hasSize(FREE_FAILURES);
        }
    }

    @Test
    void itListensWhereItsConfigurationSaysWhateverElseIsSet() throws Exception {
        Path file = Files.writeString(directory.resolve("application.properties"), "server.address=127.0.0.3\n");
        System.setProperty("spring.config.additional-location", file.toUri().toString());
        System.setProperty("server.address", "127.0.0.2");
        try (WebConsole console = console(Optional.empty())) {
            assertThat(new Browser(console.url()).get("/").statusCode()).isEqualTo(200);
        } finally {
            System.clearProperty("server.address");
            System.clearProperty("spring.config.additional-location");
        }
    }

    @Test
    void behindAProxyEachBrowserHasItsOwnLimitOfLogins() throws Exception {
        try (WebConsole console = console(Optional.of("127.0.0.1"))) {
            Proxied proxied = new Proxied(console.url());
            HttpResponse<Void> known = proxied.logIn("10.0.0.6", WatchedCluster.PASSWORD);
            assertThat(known.statusCode()).isEqualTo(204);
            assertThat(known.headers().allValues("Set-Cookie"))
                    .anyMatch(cookie -> cookie.startsWith("ECFS_CONSOLE="))
                    .allMatch(cookie -> cookie.contains("; Secure"));
            for (int i = 0; i < FREE_FAILURES; i++) {
                assertThat(proxied.guess("10.0.0.7")).isEqualTo(401);
            }
            assertThat(proxied.guess("10.0.0.7")).isEqualTo(429);
            assertThat(proxied.guess("10.0.0.9, 10.0.0.7"))
                    .as("what a browser claims of others")
                    .isEqualTo(429);
            assertThat(proxied.guess("10.0.0.8")).isEqualTo(401);
        }
        try (WebConsole console = console(Optional.empty())) {
            Proxied nobodysProxy = new Proxied(console.url());
            for (int i = 0; i < FREE_FAILURES; i++) {
                assertThat(nobodysProxy.guess("10.0.0." + i)).isEqualTo(401);
            }
            assertThat(nobodysProxy.guess("10.0.0.99")).as("no proxy is named").isEqualTo(429);
        }
    }

    @Test
    void aSessionIsOverSomeTimeAfterItsLoginHoweverBusyItIs() throws Exception {
        Clock real = RealEnvironment.open().clock();
        AtomicLong passed = new AtomicLong();
        Clock clock = new Clock() {
            @Override
            public long nanos() {
                return real.nanos() + passed.get();
            }

            @Override
            public long epochMillis() {
                return real.epochMillis();
            }
        };
        try (WebConsole console = console(Optional.empty(), Optional.empty(), clock)) {
            Browser olga = new Browser(console.url()).logIn("olga");
            passed.set(Duration.ofHours(12).minusMinutes(5).toNanos());
            assertThat(olga.get("/api/v1/audit").statusCode()).isEqualTo(200);
            assertThat(olga.post("/api/v1/nothing", "{}").statusCode()).isEqualTo(404);
            passed.set(Duration.ofHours(12).toNanos());
            assertThat(olga.get("/api/v1/audit").statusCode()).isEqualTo(401);
            assertThat(olga.logIn("olga").get("/api/v1/audit").statusCode())
                    .as("a new login is a new session")
                    .isEqualTo(200);
        }
    }

    @Test
    void itSpeaksTlsAndTakesANewCertificateWithoutARestart() throws Exception {
        ConsoleTls tls = new ConsoleTls(directory.resolve("console.crt"), directory.resolve("console.key"));
        Certificates first = show(tls, "first");
        try (WebConsole console = console(
                Optional.empty(), Optional.of(tls), RealEnvironment.open().clock())) {
            assertThat(console.url()).startsWith("https://");
            Browser olga = new Browser(console.url(), trusting(first)).logIn("olga");
            assertThat(olga.secureCookies()).as("cookies that go over TLS only").isEqualTo(2);
            Certificates second = show(tls, "second");
            Awaitility.await("the new certificate")
                    .atMost(TestCluster.PATIENCE)
                    .ignoreExceptions()
                    .until(() -> new Browser(console.url(), trusting(second))
                                    .get("/health")
                                    .statusCode()
                            == 503);
            Files.writeString(tls.certificate(), "no certificate");
            assertThatThrownBy(() -> new Browser(console.url(), trusting(first)).get("/health"))
                    .isInstanceOf(SSLException.class);
            assertThat(new Browser(console.url(), trusting(second))
                            .get("/health")
                            .statusCode())
                    .isEqualTo(503);
        }
        assertThatThrownBy(() -> console(
                        Optional.empty(),
                        Optional.of(tls),
                        RealEnvironment.open().clock()))
                .isInstanceOf(EcfsException.class)
                .hasMessageContaining("tls.certificate " + tls.certificate());
    }

    /** Puts a new certificate where the console has it; the authority that signed it. */
    private Certificates show(ConsoleTls tls, String name) throws Exception {
        Certificates authority = new Certificates(directory.resolve(name));
        Certificates.Peer peer = authority.peer("console", Duration.ofDays(1));
        Files.copy(peer.key(), tls.key(), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(peer.certificate(), tls.certificate(), StandardCopyOption.REPLACE_EXISTING);
        return authority;
    }

    private static HttpClient.Builder trusting(Certificates authority) throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry("authority", PemFiles.certificates("authority", authority.authority())[0]);
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context);
    }

    @Test
    void aViewerIsNotCalledAsTheUserWhoMayDoEverything() {
        Account viewer = new Account("viewer", PasswordHash.of("x", 1000).toString());
        Account operator = new Account("operator", PasswordHash.of("x", 1000).toString());
        Identity own = new Identity("ecfs", List.of());
        assertThatThrownBy(() -> ClientsByUser.requireNames(Map.of("ecfs", viewer), own))
                .isInstanceOf(EcfsException.class)
                .hasMessageContaining("give it another name");
        assertThatThrownBy(() -> ClientsByUser.requireNames(Map.of("vera of sales", viewer), own))
                .isInstanceOf(EcfsException.class)
                .hasMessageContaining("'vera of sales'");
        assertThatCode(() -> ClientsByUser.requireNames(Map.of("ecfs", operator, "vera", viewer), own))
                .doesNotThrowAnyException();
    }

    /** What a proxy with TLS passes on. */
    private static final class Proxied {
        private final HttpClient http = HttpClient.newHttpClient();
        private final String url;

        Proxied(String url) {
            this.url = url.substring(0, url.length() - 1);
        }

        int guess(String forwardedFor) throws IOException, InterruptedException {
            return logIn(forwardedFor, "wrong").statusCode();
        }

        HttpResponse<Void> logIn(String forwardedFor, String password) throws IOException, InterruptedException {
            HttpResponse<String> session =
                    http.send(request("/api/v1/session", forwardedFor).build(), HttpResponse.BodyHandlers.ofString());
            List<String> cookies = session.headers().allValues("Set-Cookie");
            String token = new ObjectMapper()
                    .readTree(session.body())
                    .at("/csrf/token")
                    .asText();
            HttpRequest.Builder login = request("/api/v1/session", forwardedFor)
                    .header(
                            "Cookie",
                            cookies.stream()
                                    .map(cookie -> cookie.substring(0, cookie.indexOf(';')))
                                    .collect(Collectors.joining("; ")))
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .header("X-XSRF-TOKEN", token)
                    .POST(HttpRequest.BodyPublishers.ofString("user=olga&password=" + password.replace(" ", "+")));
            return http.send(login.build(), HttpResponse.BodyHandlers.discarding());
        }

        private HttpRequest.Builder request(String path, String forwardedFor) {
            return HttpRequest.newBuilder(URI.create(url + path)).header("X-Forwarded-For", forwardedFor);
        }
    }
}
