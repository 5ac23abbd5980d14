package io.ecfs.console.web.webhook;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.ecfs.console.view.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntUnaryOperator;

/** An HTTP server that takes documents. */
public final class Receiver implements AutoCloseable {
    private final HttpServer server;
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final IntUnaryOperator statuses;

    /**
     * A request as it came.
     *
     * @param headers the first value of each, by its name in lower case
     */
    public record Request(Map<String, String> headers, byte[] body, int status) {
        /** Id of the document. */
        public String id() {
            try {
                return Json.parse(body).get("id").asText();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private Receiver(IntUnaryOperator statuses) throws IOException {
        this.statuses = statuses;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::take);
        server.start();
    }

    /** @param statuses of the replies, by the number of the request from 0 */
    public static Receiver start(IntUnaryOperator statuses) throws IOException {
        return new Receiver(statuses);
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            Map<String, String> headers = new TreeMap<>();
            exchange.getRequestHeaders()
                    .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));
            int status = statuses.applyAsInt(requests.size());
            exchange.getResponseHeaders().set("Location", url());
            requests.add(new Request(headers, body, status));
            exchange.sendResponseHeaders(status, -1);
        }
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook?key=s3cret";
    }

    public List<Request> requests() {
        return List.copyOf(requests);
    }

    /** Ids of the documents that were acknowledged, in order. */
    public List<String> acknowledged() {
        return requests.stream()
                .filter(request -> request.status() < 300)
                .map(Request::id)
                .toList();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
