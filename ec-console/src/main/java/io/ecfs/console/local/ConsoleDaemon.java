package io.ecfs.console.local;

import io.ecfs.console.web.settings.PasswordHash;
import io.ecfs.error.EcfsException;
import io.ecfs.message.Address;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The console of a cluster on this machine: a process of its own, so that its libraries weigh on no daemon. It has a
 * new operator's password at each start; only the hash is written down.
 */
public final class ConsoleDaemon implements AutoCloseable {

    /** Beginning of the line that {@code ecfs console} prints when it serves. */
    public static final String READY = "ready console ";

    private static final List<String> JVM = List.of("-Xmx160m", "-Xss512k", "-XX:TieredStopAtLevel=1");

    private final Path directory;
    private final Path log;
    private final long logBefore;
    private final Process process;
    private final Address address;
    private final String password;

    private ConsoleDaemon(Path directory, Path log, long logBefore, Process process, Address address, String password) {
        this.directory = directory;
        this.log = log;
        this.logBefore = logBefore;
        this.process = process;
        this.address = address;
        this.password = password;
    }

    /**
     * Starts it, at the planned port unless another process has that; returns before it serves.
     *
     * @param overrides of the cluster; those of {@link DaemonFiles#CLIENT_TLS} are for the console too
     */
    public static ConsoleDaemon start(Path directory, ClusterPlan plan, List<String> overrides) throws IOException {
        String password = PasswordHash.generate();
        Path home = directory.resolve(ClusterFile.CONSOLE);
        Address address = new Address("127.0.0.1", Ports.freeOr(plan.consolePort()));
        Path file = DaemonFiles.configuration(directory, ClusterFile.CONSOLE);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("cluster", plan.uri());
        tree.put("listen", address.toString());
        tree.put("directory", home.toString());
        tree.put("benchmarks", directory.resolve("benchmarks").toString());
        tree.put(
                "accounts",
                Map.of(
                        "operator",
                        Map.of(
                                "role",
                                "operator",
                                "password",
                                PasswordHash.of(password, PasswordHash.GENERATED)
                                        .toString())));
        DaemonFiles.writeYaml(file, tree);
        Path log = directory.resolve("logs").resolve("console.log");
        long logBefore = Files.exists(log) ? Files.size(log) : 0;
        List<String> arguments =
                new ArrayList<>(List.of("console", "--config", file.toString(), "--ends-with", directory.toString()));
        overrides.stream()
                .filter(override -> override.startsWith(DaemonFiles.CLIENT_TLS))
                .forEach(override -> arguments.addAll(List.of("-D", override)));
        Process process = Child.start(log, JVM, arguments);
        return new ConsoleDaemon(directory, log, logBefore, process, address, password);
    }

    /**
     * Waits until it serves and writes it into the cluster file.
     *
     * @throws EcfsException {@code UNREACHABLE} when it ended instead, or takes too long
     */
    public void await() throws IOException {
        try {
            Readiness.awaitWord(ClusterFile.CONSOLE, READY, log, logBefore, process);
            ClusterFile.Daemon daemon = new ClusterFile.Daemon(
                    ClusterFile.CONSOLE,
                    ClusterFile.CONSOLE,
                    address,
                    process.pid(),
                    directory.resolve(ClusterFile.CONSOLE).toString());
            ClusterFile.update(directory, now -> now.with(daemon));
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** One line for a person. */
    public String text() {
        return "console http://" + address + "/  user operator  password " + password;
    }

    /** Ends the process; idempotent. */
    @Override
    public void close() {
        Child.stopAll(List.of(process.toHandle()));
    }
}
