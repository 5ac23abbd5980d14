package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.ecfs.console.cluster.WatchedCluster.Browser;
import io.ecfs.console.web.WebConsole;
import io.ecfs.console.web.settings.ConsoleConfig;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a console listens and whom it lets try passwords; the cluster behind it need not be there. */
class ConsoleDoorTest {
    private static final int FREE_FAILURES = 8;

    @TempDir
    private Path directory;

    private WebConsole console(Optional<String> proxy) throws IOException {
        try (ServerSocket nobody = new ServerSocket(0)) {
            ConsoleConfig config =
                    WatchedCluster.config("ecfs://127.0.0.1:" + nobody.getLocalPort(), directory, Optional.empty());
            return WatchedCluster.start(new ConsoleConfig(
                    config.cluster(),
                    config.listen(),
                    proxy,
                    config.directory(),
                    config.accounts(),
                    config.refresh(),
                    config.benchmarks(),
                    config.client(),
                    config.pages()));
        }
    }

    @Test
    void whoGuessesHasToWaitHoweverTheAddressIsWrittenAndPushesOutNothing() throws Exception {
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
    void behindAProxyEachBrowserHasItsOwnPatienceAndCookiesGoOverTlsOnly() throws Exception {
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
