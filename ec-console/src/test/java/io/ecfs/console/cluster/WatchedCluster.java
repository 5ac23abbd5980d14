package io.ecfs.console.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.update.UpdatableFile;
import io.ecfs.client.update.UpdateOptions;
import io.ecfs.console.view.CodeUse;
import io.ecfs.console.web.WebConsole;
import io.ecfs.console.web.settings.Account;
import io.ecfs.console.web.settings.ConsoleConfig;
import io.ecfs.console.web.settings.PasswordHash;
import io.ecfs.console.web.settings.Webhook;
import io.ecfs.console.web.webhook.Receiver;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.wire.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.CookieManager;
import java.net.HttpCookie;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/** A cluster that lost a datanode and healed, with some files, and a console on it. */
final class WatchedCluster implements AutoCloseable {
    static final String PASSWORD = "correct horse battery staple";

    /** A legal name of a file that a careless page would run. */
    static final String SCRIPT = "<img src=x onerror=alert(1)>.csv";

    private static final ClientConfig CLIENT = ClientConfig.defaults().with("namenodeDeadline=8s", "callTimeout=3s");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int STRIPE = 3 * (64 << 10);

    final TestCluster cluster;
    final WebConsole console;
    final Receiver receiver;
    final String dead;

    private final Path directory;

    private WatchedCluster(Path directory, TestCluster cluster, WebConsole console, Receiver receiver, String dead) {
        this.directory = directory;
        this.cluster = cluster;
        this.console = console;
        this.receiver = receiver;
        this.dead = dead;
    }

    /** @param overrides of the cluster, further ones */
    static WatchedCluster start(Path directory, String... overrides) throws IOException {
        List<String> all = new ArrayList<>(List.of(overrides));
        all.add("namenode.settings.recovery.grace=0s");
        all.add(TestCluster.GROUP_FOR_EACH_FILE);
        TestCluster cluster =
                TestCluster.start(directory.resolve("cluster"), "rs-3-2-64k", 1, 7, all.toArray(String[]::new));
        Await.result(cluster.client().mkdirs(new FilePath("/d/empty"), 0755, true));
        cluster.write("/d/large", Pattern.bytes(7, 6 * STRIPE + 1000));
        cluster.write("/d/" + SCRIPT, Pattern.bytes(8, 5000));
        awaitAllReported(cluster);
        String dead =
                cluster.layout("/d/large").at("/groups/0/chunks/1/datanode").asText();
        cluster.stop(dead);
        Awaitility.await("the loss to be healed")
                .atMost(TestCluster.PATIENCE)
                .until(() -> loss(cluster, dead).flatMap(Incident::healedMillis).isPresent());
        awaitAllReported(cluster);
        Path benchmarks = Files.createDirectories(directory.resolve("benchmarks"));
        benched(benchmarks.resolve("monday.jsonl"), 101.5, Duration.ofDays(1));
        benched(benchmarks.resolve("tuesday.jsonl"), 99.25, Duration.ZERO);
        compared(benchmarks.resolve("koh.jsonl"), Duration.ofDays(2));
        SampleReports.run(benchmarks.resolve("kill"));
        Receiver receiver = Receiver.start(request -> 200);
        Webhook webhook = new Webhook(receiver.url(), Optional.empty(), Optional.empty(), Optional.empty());
        ConsoleConfig config =
                config(cluster.uri(), directory, Optional.of(benchmarks.toString()), CLIENT, Map.of("pager", webhook));
        return new WatchedCluster(directory, cluster, start(config), receiver, dead);
    }

    /** That the datanode is dead; on a slow machine others were silent for so long that they have incidents, too. */
    private static Optional<Incident> loss(TestCluster cluster, String dead) throws IOException {
        return Await.result(cluster.client().admin().incidents(0, 100)).incidents().stream()
                .filter(incident ->
                        incident.cause().equals(IncidentCause.dead(new DatanodeId(dead))) && !incident.causeGone())
                .findFirst();
    }

    /** Number of the incident of the dead datanode. */
    long loss() throws IOException {
        return loss(cluster, dead).orElseThrow().id();
    }

    /**
     * Until datanodes reported by their heartbeats, too, every byte that was written, all on disk: from then on their
     * numbers stand still.
     */
    static void awaitAllReported(TestCluster cluster) {
        Awaitility.await("all chunks to be among what volumes hold")
                .atMost(TestCluster.PATIENCE)
                .until(() -> {
                    CodeUse use = CodeUse.ask(cluster.client());
                    return use.heldBytes() == use.storedBytes()
                            && use.policies().stream().allMatch(policy -> policy.lackingChunks() == 0)
                            && Await.result(cluster.client().admin().report()).datanodes().stream()
                                    .allMatch(datanode -> datanode.unsyncedChunks() == 0);
                });
    }

    /** A ratio beside a paper's, and rates over time of two figures, one of which is about them. */
    private static void compared(Path file, Duration ago) throws IOException {
        String rate =
                "{\"name\":\"koh_rate\",\"value\":5,\"unit\":\"MB/s\",\"params\":{\"figure\":\"%s\",\"policy\":\"%s\","
                        + "\"rate_over_time\":[[0,4],[0.1,6]]}}%n";
        write(
                file,
                "{\"name\":\"koh_ratio\",\"value\":1.25,\"unit\":\"ratio\",\"params\":{\"figure\":\"fig7\","
                        + "\"title\":\"sequential writes\",\"quantity\":\"throughput, of 3 copies\",\"of\":\"rs-6-3-64k\","
                        + "\"to\":\"replication-3-64k\",\"paper\":0.67,\"limit\":2,\"rules\":0.5,\"target\":\">= 1.50\","
                        + "\"met\":false,\"short_by\":0.17}}\n"
                        + rate.formatted("fig7", "rs-6-3-64k")
                        + rate.formatted("fig15 fig20", "rs-6-3-64k")
                        + rate.formatted("fig15 fig20", "replication-3-64k"),
                ago);
    }

    private static void benched(Path file, double value, Duration ago) throws IOException {
        write(
                file,
                "{\"name\":\"write_seq\",\"value\":" + value
                        + ",\"unit\":\"MB/s\",\"params\":{\"policy\":\"rs-3-2-64k\",\"p99_us\":2500,"
                        + "\"cpu_s_per_GB\":1.25}}\n",
                ago);
    }

    private static void write(Path file, String lines, Duration ago) throws IOException {
        Files.writeString(file, lines);
        FileTime now = Files.getLastModifiedTime(file);
        Files.setLastModifiedTime(file, FileTime.from(now.toInstant().minus(ago)));
    }

    static ConsoleConfig config(String uri, Path directory, Optional<String> benchmarks) {
        return config(uri, directory, benchmarks, CLIENT);
    }

    static ConsoleConfig config(String uri, Path directory, Optional<String> benchmarks, ClientConfig client) {
        return config(uri, directory, benchmarks, client, Map.of());
    }

    private static ConsoleConfig config(
            String uri,
            Path directory,
            Optional<String> benchmarks,
            ClientConfig client,
            Map<String, Webhook> webhooks) {
        return new ConsoleConfig(
                uri,
                new Address("127.0.0.1", 0),
                Optional.empty(),
                Optional.empty(),
                directory.resolve("console").toString(),
                Map.of("olga", account("operator"), "vera", account("viewer")),
                Duration.ofMinutes(30),
                Duration.ofHours(12),
                Duration.ofMillis(300),
                webhooks,
                benchmarks,
                client,
                Optional.empty());
    }

    /** A new file of so many bytes that is open for update, each of which was written twice. */
    UpdatableFile updated(String path, int bytes) throws IOException {
        UpdatableFile file = Await.result(cluster.client()
                .update(new FilePath(path), UpdateOptions.defaults().create(true)));
        for (int round = 0; round < 2; round++) {
            Await.result(file.write(0, ByteBuffer.wrap(Pattern.bytes(round, bytes))));
        }
        return file;
    }

    /** One of a cluster that is not there. */
    WebConsole consoleOfNobody() throws IOException {
        try (ServerSocket nobody = new ServerSocket(0)) {
            return start(
                    config("ecfs://127.0.0.1:" + nobody.getLocalPort(), directory.resolve("alone"), Optional.empty()));
        }
    }

    static WebConsole start(ConsoleConfig config) throws IOException {
        return WebConsole.start(config, RealEnvironment.open().clock());
    }

    private static Account account(String role) {
        return new Account(role, PasswordHash.of(PASSWORD, 1000).toString());
    }

    @Override
    public void close() {
        console.close();
        receiver.close();
        cluster.close();
    }

    Browser browser() {
        return new Browser(console.url());
    }

    /** What a script that logs in does. */
    static final class Browser {
        private final CookieManager cookies = new CookieManager();
        private final HttpClient http;
        private final String url;
        private String token = "none";

        Browser(String url) {
            this(url, HttpClient.newBuilder());
        }

        /** @param http with what it needs to trust the console */
        Browser(String url, HttpClient.Builder http) {
            this.http = http.cookieHandler(cookies).build();
            this.url = url.substring(0, url.length() - 1);
        }

        Browser logIn(String user) throws IOException, InterruptedException {
            token();
            HttpResponse<String> answer = logIn(user, PASSWORD);
            if (answer.statusCode() != 204) {
                throw new AssertionError("login of " + user + ": " + answer.statusCode() + " " + answer.body());
            }
            token();
            return this;
        }

        HttpResponse<String> logIn(String user, String password) throws IOException, InterruptedException {
            return logIn("/api/v1/session", user, password);
        }

        /** A wrong password of one that there is; how it is answered. */
        int guess(String path) throws IOException, InterruptedException {
            token();
            return logIn(path, "olga", "wrong").statusCode();
        }

        private HttpResponse<String> logIn(String path, String user, String password)
                throws IOException, InterruptedException {
            String form = "user=" + user + "&password=" + password.replace(" ", "+");
            return send(request(path)
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .header("X-XSRF-TOKEN", token)
                    .POST(HttpRequest.BodyPublishers.ofString(form)));
        }

        private void token() throws IOException, InterruptedException {
            token = json("/api/v1/session").at("/csrf/token").asText();
        }

        /** For who sends them by other means. */
        String cookies() {
            return cookies.getCookieStore().getCookies().stream()
                    .map(cookie -> cookie.getName() + "=" + cookie.getValue())
                    .collect(Collectors.joining("; "));
        }

        /** How many of them never go over a connection without TLS. */
        long secureCookies() {
            return cookies.getCookieStore().getCookies().stream()
                    .filter(HttpCookie::getSecure)
                    .count();
        }

        String csrfToken() {
            return token;
        }

        /** The numbers of the first events of the stream, for one that saw all up to a number. */
        List<Long> events(long lastSeen, int count) throws IOException, InterruptedException {
            HttpResponse<InputStream> stream = http.send(
                    request("/api/v1/live")
                            .header("Last-Event-ID", String.valueOf(lastSeen))
                            .build(),
                    HttpResponse.BodyHandlers.ofInputStream());
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
                List<Long> numbers = new ArrayList<>();
                while (numbers.size() < count) {
                    String line = lines.readLine();
                    if (line.startsWith("id: ")) {
                        numbers.add(Long.parseLong(line.substring(4)));
                    }
                }
                return numbers;
            }
        }

        /** The address without the last slash. */
        String url() {
            return url;
        }

        /** Bytes that the stream sends in some time. */
        long streamed(Duration time) throws IOException, InterruptedException {
            HttpResponse<InputStream> stream =
                    http.send(request("/api/v1/live").build(), HttpResponse.BodyHandlers.ofInputStream());
            long end = System.nanoTime() + time.toNanos();
            byte[] some = new byte[1 << 16];
            long bytes = 0;
            try (InputStream in = stream.body()) {
                while (System.nanoTime() < end) {
                    bytes += in.read(some);
                }
            }
            return bytes;
        }

        int head(String path) throws IOException, InterruptedException {
            return send(request(path).method("HEAD", HttpRequest.BodyPublishers.noBody()))
                    .statusCode();
        }

        HttpResponse<String> get(String path) throws IOException, InterruptedException {
            return send(request(path).GET());
        }

        /** Of an answer that must be 200. */
        JsonNode json(String path) throws IOException, InterruptedException {
            HttpResponse<String> answer = get(path);
            if (answer.statusCode() != 200) {
                throw new AssertionError(path + ": " + answer.statusCode() + " " + answer.body());
            }
            return JSON.readTree(answer.body());
        }

        HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
            return post(path, body, token);
        }

        HttpResponse<String> post(String path, String body, String withToken) throws IOException, InterruptedException {
            return send(request(path)
                    .header("Content-Type", "application/json")
                    .header("X-XSRF-TOKEN", withToken)
                    .POST(HttpRequest.BodyPublishers.ofString(body)));
        }

        private HttpRequest.Builder request(String path) {
            return HttpRequest.newBuilder(URI.create(url + path)).timeout(Duration.ofSeconds(30));
        }

        private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }
}
