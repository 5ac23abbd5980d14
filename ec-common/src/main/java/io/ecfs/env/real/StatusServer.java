package io.ecfs.env.real;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * HTTP server of a daemon for monitoring: {@code GET /health} (200 or 503, one line) and {@code GET /metrics}
 * (Prometheus text format 0.0.4; with {@code ?former=false} without the names of the release before). Nothing to send,
 * nothing to change.
 *
 * <p>A few threads, so that who trickles a request or reads no answer does not silence the others; after
 * {@value #PATIENCE_SECONDS} s he is disconnected. Connections are bounded. Health and metrics are asked by one thread
 * at a time.
 */
public final class StatusServer implements AutoCloseable {
    private static final int BACKLOG = 16;
    private static final int THREADS = 4;
    private static final int PATIENCE_SECONDS = 5;
    private static final int MOST_CONNECTIONS = 64;

    // The JDK's server reads these once, when its first one is made; nothing else in a daemon uses it.
    static {
        bound("sun.net.httpserver.maxReqTime", PATIENCE_SECONDS);
        bound("sun.net.httpserver.maxRspTime", PATIENCE_SECONDS);
        bound("jdk.httpserver.maxConnections", MOST_CONNECTIONS);
    }

    private static void bound(String property, int value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, Integer.toString(value));
        }
    }

    private final HttpServer server;
    private final ExecutorService threads;
    private final Address address;

    /** @param text one line: the daemon, and its fault */
    public record Health(boolean ok, String text) {}

    private StatusServer(HttpServer server, ExecutorService threads, Address address) {
        this.server = server;
        this.threads = threads;
        this.address = address;
    }

    /**
     * Listens.
     *
     * @param listen port 0 takes a free one
     * @param health asked on a thread of this server, like {@code metrics}, never both at a time; must not block for
     *     long
     * @throws EcfsException {@code INVALID_ARGUMENT} when the address cannot be listened on
     */
    public static StatusServer start(
            String name, Address listen, Supplier<Health> health, Supplier<List<Metric>> metrics) throws EcfsException {
        HttpServer server;
        try {
            server = HttpServer.create(new InetSocketAddress(listen.host(), listen.port()), BACKLOG);
        } catch (IOException e) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT, "cannot serve status on " + listen + ": " + e.getMessage(), e);
        }
        ExecutorService threads = Executors.newFixedThreadPool(THREADS, NamedThreads.several(name));
        server.setExecutor(threads);
        Object oneAtATime = new Object();
        server.createContext("/health", exchange -> {
            Health now;
            synchronized (oneAtATime) {
                now = health.get();
            }
            answer(exchange, now.ok() ? 200 : 503, "text/plain; charset=utf-8", now.text() + "\n");
        });
        server.createContext("/metrics", exchange -> {
            String now;
            synchronized (oneAtATime) {
                now = Metric.text(
                        metrics.get(), formerNames(exchange.getRequestURI().getQuery()));
            }
            answer(exchange, 200, "text/plain; version=0.0.4", now);
        });
        server.start();
        return new StatusServer(
                server, threads, new Address(listen.host(), server.getAddress().getPort()));
    }

    /** The address as given, with the port it has. */
    public Address address() {
        return address;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
    }

    /** Returns whether a request for metrics includes names of the release before: unless its query declines them. */
    public static boolean formerNames(String query) {
        return query == null || !query.contains("former=false");
    }

    private static void answer(HttpExchange exchange, int status, String type, String text) throws IOException {
        try (exchange) {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }
}
