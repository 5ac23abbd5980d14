package io.ecfs.webhdfs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ecfs.client.EcfsClient;
import io.ecfs.config.ConfigReader;
import io.ecfs.console.cluster.TestCluster;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** A cluster with WebHDFS for all test classes of a JVM, and requests to it. Each call gets a directory of its own. */
final class WebHdfsTester implements AutoCloseable {
    static final String SUPERUSER = System.getProperty("user.name");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path directory;
    private final TestCluster cluster;
    private final WebHdfsServer server;
    private final HttpClient http = HttpClient.newHttpClient();

    /** Starts it with the first class and stops it after the last. */
    static final class Started implements BeforeAllCallback, ParameterResolver {
        @Override
        public void beforeAll(ExtensionContext context) {
            tester(context);
        }

        private static WebHdfsTester tester(ExtensionContext context) {
            return context.getRoot()
                    .getStore(ExtensionContext.Namespace.create(WebHdfsTester.class))
                    .getOrComputeIfAbsent(WebHdfsTester.class, key -> start(), WebHdfsTester.class);
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == WebHdfsTester.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return tester(context);
        }
    }

    private WebHdfsTester(Path directory, TestCluster cluster, WebHdfsServer server) {
        this.directory = directory;
        this.cluster = cluster;
        this.server = server;
    }

    private static WebHdfsTester start() {
        try {
            Path directory = Files.createTempDirectory("webhdfs");
            TestCluster cluster = TestCluster.start(directory, "xor-2-1-64k", 1, 3, TestCluster.usualLeases());
            return new WebHdfsTester(directory, cluster, server(cluster));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static WebHdfsServer server(TestCluster cluster, String... settings) throws IOException {
        List<String> all = new ArrayList<>(List.of("listen=127.0.0.1:0", "proxyUsers=hue"));
        all.addAll(List.of(settings));
        return WebHdfsServer.start(ConfigReader.read(
                WebHdfsConfig.class, "the test's settings", "cluster: \"" + cluster.uri() + "\"", all));
    }

    /** Another server of the same cluster, with settings of its own; closing it leaves the cluster. */
    Another another(String... settings) throws IOException {
        return new Another(server(cluster, settings));
    }

    record Another(WebHdfsServer server) implements AutoCloseable {
        /** A request with these headers; redirects are not followed. */
        HttpResponse<String> send(String verb, String pathAndQuery, String... headers)
                throws IOException, InterruptedException {
            HttpRequest.Builder request = HttpRequest.newBuilder(
                            URI.create("http://" + server.address() + "/webhdfs/v1" + pathAndQuery))
                    .method(verb, HttpRequest.BodyPublishers.noBody());
            if (headers.length > 0) {
                request.headers(headers);
            }
            return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
        }

        @Override
        public void close() {
            server.close();
        }
    }

    /** Lines of the namenode's audit log. */
    List<String> auditLines() throws IOException {
        return Files.readAllLines(directory.resolve("nn0").resolve("audit.log"));
    }

    EcfsClient client() {
        return cluster.client();
    }

    int port() {
        return server.address().port();
    }

    /** Makes a directory for one test. */
    String directory(String name) throws IOException {
        Await.result(client().mkdirs(new FilePath(name), 0755, true));
        return name;
    }

    /** Writes a file past WebHDFS. */
    void write(String path, byte[] bytes) throws IOException {
        try (var out = Await.result(client().create(
                        new FilePath(path),
                        io.ecfs.client.CreateOptions.defaults().withOverwrite(true)))) {
            out.write(bytes);
        }
    }

    byte[] read(String path) throws IOException {
        try (InputStream in = Await.result(client().open(new FilePath(path))).stream()) {
            return in.readAllBytes();
        }
    }

    /** A request of the superuser; redirects are not followed. */
    HttpResponse<byte[]> send(String verb, String path, String query) throws IOException, InterruptedException {
        return sendRaw(verb, "/webhdfs/v1" + path + "?" + query + "&user.name=" + SUPERUSER, new byte[0]);
    }

    HttpResponse<byte[]> sendRaw(String verb, String pathAndQuery, byte[] body)
            throws IOException, InterruptedException {
        return send(verb, URI.create("http://" + server.address() + pathAndQuery), body);
    }

    /** A request in two steps; the answer is that of the second. */
    HttpResponse<byte[]> sendTwice(String verb, String path, String query, byte[] body)
            throws IOException, InterruptedException {
        HttpResponse<byte[]> first = send(verb, path, query);
        if (first.statusCode() != 307) {
            return first;
        }
        return send(verb, URI.create(first.headers().firstValue("Location").orElseThrow()), body);
    }

    private HttpResponse<byte[]> send(String verb, URI uri, byte[] body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .method(
                        verb,
                        body.length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    }

    /** The answer of a request as it is written, such as with a header that HttpClient does not send. */
    String sendText(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The answer's document; what differs from run to run is taken out first. */
    JsonNode json(HttpResponse<byte[]> response) throws IOException {
        return JSON.readTree(response.body());
    }

    static JsonNode json(String text) throws IOException {
        return JSON.readTree(text.replace('\'', '"'));
    }

    @Override
    public void close() throws IOException {
        server.close();
        cluster.close();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
