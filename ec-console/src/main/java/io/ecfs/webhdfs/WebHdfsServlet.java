package io.ecfs.webhdfs;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves each request: who asks, what, and the answer. */
final class WebHdfsServlet extends HttpServlet {
    /** First part of each path. */
    static final String PREFIX = "/webhdfs/v1";

    private static final long serialVersionUID = 1;
    private static final Logger LOG = LoggerFactory.getLogger(WebHdfsServlet.class);

    /** Marks the second step of an operation in two, as HttpFS does. */
    private static final Parameter<Boolean> DATA = Parameter.flag("data", false);

    private static final Parameter<Boolean> NO_REDIRECT = Parameter.flag("noredirect", false);
    private static final String VERBS =
            Arrays.stream(Verb.values()).map(Verb::name).collect(Collectors.joining(", "));

    private final transient RequestGuard guard;
    private final transient Callers callers;
    private final transient Operations operations = new Operations();
    private final transient UserClients clients;
    private final transient Optional<PublicUrl> proxy;

    WebHdfsServlet(WebHdfsConfig config, UserClients clients) {
        this.guard = new RequestGuard(config);
        this.callers = new Callers(Set.copyOf(config.proxyUsers()));
        this.clients = clients;
        this.proxy = config.proxy();
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
        Optional<Verb> verb = Arrays.stream(Verb.values())
                .filter(v -> v.name().equals(request.getMethod()))
                .findFirst();
        if (verb.isEmpty()) {
            response.setHeader("Allow", VERBS);
            WebHdfsAnswer.status(HttpServletResponse.SC_METHOD_NOT_ALLOWED).send(response);
            return;
        }
        try {
            guard.check(request);
            serve(verb.get(), request, response);
        } catch (IOException | RuntimeException e) {
            if (response.isCommitted()) {
                // Tomcat breaks the connection off: the other side misses bytes and knows it.
                LOG.info("event=webhdfs_transfer_broken uri={} reason=\"{}\"", request.getRequestURI(), e.getMessage());
                throw e;
            }
            LOG.debug("event=webhdfs_refused uri={} reason=\"{}\"", request.getRequestURI(), e.getMessage());
            RemoteFailure.of(e).send(response);
        }
    }

    private void serve(Verb verb, HttpServletRequest request, HttpServletResponse response) throws IOException {
        Path path = path(request);
        Query query = new Query(request.getQueryString());
        WebHdfsOperation operation = operations.find(verb, query);
        try (UserClients.Use use = clients.of(callers.of(query))) {
            WebHdfsCall call = new WebHdfsCall(use.files, use.client, path, query, request, proxy);
            if (operation.check().isPresent() && !query.get(DATA)) {
                operation.check().get().check(call);
                redirect(call, response);
            } else {
                operation.handler().handle(call).send(response);
            }
        }
    }

    private static Path path(HttpServletRequest request) throws FileNotFoundException {
        String uri = request.getRequestURI();
        String raw = uri.startsWith(PREFIX) ? uri.substring(PREFIX.length()) : uri;
        if (!uri.startsWith(PREFIX) || (!raw.isEmpty() && !raw.startsWith("/"))) {
            throw new FileNotFoundException("no such page: paths of files begin with " + PREFIX + "/");
        }
        // A plus sign is one in paths, other than in queries.
        String path = URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8);
        return new Path(null, null, path.isEmpty() ? "/" : path);
    }

    /** To this server again, by its public URL: it is what HDFS's datanodes are for such a client. */
    private static void redirect(WebHdfsCall call, HttpServletResponse response) throws IOException {
        HttpServletRequest request = call.request();
        String query = Arrays.stream(request.getQueryString().split("&"))
                .filter(part -> !part.isEmpty() && !Query.names(part, NO_REDIRECT) && !Query.names(part, DATA))
                .collect(Collectors.joining("&"));
        String location = call.url() + "?" + query + "&" + DATA.name() + "=true";
        if (call.get(NO_REDIRECT)) {
            WebHdfsAnswer.json(Map.of("Location", location)).send(response);
            return;
        }
        response.setHeader("Location", location);
        response.setContentType("application/octet-stream");
        WebHdfsAnswer.status(HttpServletResponse.SC_TEMPORARY_REDIRECT).send(response);
    }
}
