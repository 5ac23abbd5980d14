package io.ecfs.webhdfs;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.ContinueResponseTiming;

/**
 * A running WebHDFS. Tomcat serves it, which the console brings: a thread of its own for each transfer fits the
 * blocking streams of files, and gives backpressure without a queue.
 */
public final class WebHdfsServer implements AutoCloseable {
    private static final int READ_BYTES = 256 << 10;

    /** Bytes of a call of the kernel: what is copied on their way stays in a processor's own cache. */
    private static final int WRITE_BYTES = 128 << 10;

    /** Of Tomcat's search for threads that outlive it: those of the users' clients do, and end right after. */
    private static final Logger LEAKS = Logger.getLogger("org.apache.catalina.loader");

    private final Tomcat tomcat;
    private final Path directory;
    private final UserClients clients;
    private final Address address;

    private WebHdfsServer(Tomcat tomcat, Path directory, UserClients clients, Address address) {
        this.tomcat = tomcat;
        this.directory = directory;
        this.clients = clients;
        this.address = address;
    }

    /**
     * Returns when it serves; the cluster need not answer yet.
     *
     * @throws EcfsException {@code UNREACHABLE} when it cannot listen at its address
     */
    public static WebHdfsServer start(WebHdfsConfig config) throws IOException {
        LogManager.getLogManager().getLogger("").setLevel(Level.WARNING); // Tomcat's own story is of no use here
        LEAKS.setLevel(Level.SEVERE);
        Path directory = Files.createTempDirectory("ecfs-webhdfs");
        UserClients clients = new UserClients(config);
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(directory.toString());
        Connector connector = connector(config);
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", directory.toString());
        Tomcat.addServlet(context, "webhdfs", new WebHdfsServlet(config, clients));
        context.addServletMappingDecoded("/*", "webhdfs");
        ErrorReportValve quiet = new ErrorReportValve();
        quiet.setShowServerInfo(false);
        quiet.setShowReport(false);
        tomcat.getHost().getPipeline().addValve(quiet);
        WebHdfsServer server = new WebHdfsServer(tomcat, directory, clients, config.listen());
        try {
            tomcat.start();
        } catch (LifecycleException e) {
            server.close();
            throw new EcfsException(ErrorCode.UNREACHABLE, "cannot listen at " + config.listen(), e);
        }
        return new WebHdfsServer(
                tomcat, directory, clients, new Address(config.listen().host(), connector.getLocalPort()));
    }

    private static Connector connector(WebHdfsConfig config) {
        Connector connector = new Connector("org.apache.coyote.http11.Http11NioProtocol");
        connector.setThrowOnFailure(true);
        connector.setPort(config.listen().port());
        connector.setProperty("address", config.listen().host());
        connector.setProperty("maxThreads", String.valueOf(config.transfers()));
        connector.setProperty("minSpareThreads", "2");
        connector.setProperty("maxConnections", String.valueOf(4 * config.transfers()));
        connector.setProperty("connectionTimeout", String.valueOf(config.idle().toMillis()));
        connector.setProperty("keepAliveTimeout", "60000");
        connector.setProperty("maxHttpRequestHeaderSize", "65536");
        // The body of an upload is asked for after its file was made: a refusal comes before the bytes.
        connector.setProperty("continueResponseTiming", ContinueResponseTiming.ON_REQUEST_BODY_READ.toString());
        connector.setProperty("socket.appReadBufSize", String.valueOf(READ_BYTES));
        connector.setProperty("socket.appWriteBufSize", String.valueOf(WRITE_BYTES));
        connector.setProperty("socket.directBuffer", "true");
        if (onLoopback(config)) {
            // Otherwise the kernel has megabytes under way between two processes, which leave the caches meanwhile
            // (docs/benchmarks.md). Over a network it needs them: there it chooses.
            connector.setProperty("socket.txBufSize", String.valueOf(WRITE_BYTES));
        }
        // What curl sends as it was typed; HDFS takes it.
        connector.setEncodedSolidusHandling("passthrough");
        connector.setEncodedReverseSolidusHandling("passthrough");
        connector.setProperty("relaxedPathChars", "\"<>[]^`{|}");
        connector.setProperty("relaxedQueryChars", "\"<>[]^`{|}");
        return connector;
    }

    private static boolean onLoopback(WebHdfsConfig config) {
        InetAddress address = new InetSocketAddress(config.listen().host(), 0).getAddress();
        return address != null && address.isLoopbackAddress();
    }

    /** The listener's address, with its actual port. */
    public Address address() {
        return address;
    }

    /** Idempotent. Requests under way fail; files that they write are closed with what has arrived. */
    @Override
    public void close() {
        try {
            tomcat.stop();
            tomcat.destroy();
        } catch (LifecycleException e) {
            throw new IllegalStateException("WebHDFS could not stop", e);
        } finally {
            clients.close();
            deleteDirectory();
        }
    }

    private void deleteDirectory() {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
