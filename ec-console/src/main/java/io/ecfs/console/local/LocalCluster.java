package io.ecfs.console.local;

import io.ecfs.client.base.ClientConfig;
import io.ecfs.config.ConfigReader;
import io.ecfs.env.Environment;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.namenode.daemon.Formatting;
import io.ecfs.namenode.daemon.NamenodeConfig;
import io.ecfs.namenode.log.LogIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A cluster on this machine while this command holds it: started, ready, and stopped in order when closed. */
public final class LocalCluster implements AutoCloseable {
    /** Prefix of the overrides of TLS for clients. */
    public static final String CLIENT_TLS = DaemonFiles.CLIENT_TLS;

    private static final int LAST_LINES = 5;

    private final Path directory;
    private final ClusterPlan plan;
    private final ClientConfig client;
    private final Daemons daemons;

    private LocalCluster(Path directory, ClusterPlan plan, ClientConfig client, Daemons daemons) {
        this.directory = directory;
        this.plan = plan;
        this.client = client;
        this.daemons = daemons;
    }

    /** Processes of the daemons. */
    public enum Mode {
        ONE_PROCESS,
        PROCESS_EACH
    }

    /**
     * Starts a cluster and returns when it serves.
     *
     * @param overrides {@code namenode.key=value} and {@code datanode.key=value}; {@code client.tls.key=value} of the
     *     client that waits for the cluster here
     * @param progress notified of the progress of the start
     * @throws EcfsException when a cluster runs there already, or this one does not become ready; nothing is left
     *     running then
     */
    public static LocalCluster start(
            Path directory, ClusterPlan plan, Mode mode, List<String> overrides, Readiness.Progress progress)
            throws IOException {
        return start(
                directory,
                plan,
                mode == Mode.ONE_PROCESS ? new ThreadDaemons(plan, directory) : new ProcessDaemons(plan, directory),
                overrides,
                progress);
    }

    /** The same in this process, for those who say how datanodes are started. */
    public static LocalCluster start(
            Path directory,
            ClusterPlan plan,
            DaemonStart datanodes,
            List<String> overrides,
            Readiness.Progress progress)
            throws IOException {
        return start(directory, plan, new ThreadDaemons(plan, directory, datanodes), overrides, progress);
    }

    private static LocalCluster start(
            Path directory, ClusterPlan plan, Daemons daemons, List<String> overrides, Readiness.Progress progress)
            throws IOException {
        refuseWhenRunning(directory);
        DaemonFiles.write(directory, plan, overrides);
        foundWhenNew(directory, plan);
        LocalCluster cluster = new LocalCluster(directory, plan, client(overrides), daemons);
        try {
            daemons.start();
            ClusterFile.of(plan, directory, daemons::pidOf).write(directory);
            Readiness.await(plan, cluster.client, (ready, of, waitingFor) -> {
                cluster.requireAllRun();
                progress.at(ready, of, waitingFor);
            });
            return cluster;
        } catch (IOException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** @throws EcfsException {@code INTERNAL} with the last words of a daemon that has ended */
    private void requireAllRun() throws IOException {
        Optional<String> ended = daemons.ended();
        if (ended.isPresent()) {
            throw new EcfsException(ErrorCode.INTERNAL, ended.get() + " ended at its start: " + lastWords(ended.get()));
        }
    }

    /** The last lines that a daemon of a process of its own has logged. */
    public String lastWords(String daemon) throws IOException {
        List<String> lines = Files.readAllLines(directory.resolve("logs").resolve(daemon + ".log"));
        return String.join(" | ", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    }

    static ClientConfig client(List<String> overrides) {
        return ClientConfig.defaults()
                .with(overrides.stream()
                        .filter(override -> override.startsWith(CLIENT_TLS))
                        .map(override -> override.substring("client.".length()))
                        .toArray(String[]::new));
    }

    /** A cluster none of whose daemons has a formatted directory never ran: all its namenodes found it. */
    private static void foundWhenNew(Path directory, ClusterPlan plan) throws IOException {
        for (String id : plan.ids().toList()) {
            if (hasRun(directory.resolve(id))) {
                return;
            }
        }
        Environment environment = RealEnvironment.open();
        LogIdentity log = Formatting.draw(environment);
        for (ClusterPlan.NamenodePlan namenode : plan.namenodes()) {
            ClusterToken.place(plan, directory, namenode.id());
            Formatting.format(
                    environment,
                    ConfigReader.read(
                            NamenodeConfig.class,
                            DaemonFiles.configuration(directory, namenode.id()),
                            DaemonFiles.readOverrides(directory, namenode.id())),
                    log);
        }
    }

    /** Formatting writes VERSION into a directory; drives that were mounted there before the first start have none. */
    private static boolean hasRun(Path daemon) throws IOException {
        if (Files.notExists(daemon)) {
            return false;
        }
        try (Stream<Path> versions =
                Files.find(daemon, 2, (file, attributes) -> file.endsWith("VERSION") && attributes.isRegularFile())) {
            return versions.findAny().isPresent();
        }
    }

    /** The plan stored in a directory, or a new one that is stored there. */
    public static ClusterPlan plan(Path directory, ClusterPlan.Shape shape) throws IOException {
        return ClusterPlan.openOrCreate(directory, shape);
    }

    /** Starts one dead daemon of a cluster of processes again, and returns when it answers. */
    public static long startOnly(Path directory, String id) throws IOException {
        ClusterPlan plan = ClusterPlan.open(directory);
        ClusterFile running = ClusterFile.read(directory)
                .orElseThrow(() -> new EcfsException(
                        ErrorCode.NOT_FOUND,
                        "no cluster runs in " + directory + ": start all of it with 'ecfs up --processes'"));
        ClusterFile.Daemon daemon = running.daemons().stream()
                .filter(d -> d.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new EcfsException(
                        ErrorCode.INVALID_ARGUMENT,
                        "no daemon '" + id + "' in " + directory + "; it has "
                                + String.join(" ", plan.ids().toList())));
        if (Child.ours(daemon.pid()).isPresent()) {
            throw new EcfsException(ErrorCode.ALREADY_EXISTS, id + " runs already, as process " + daemon.pid());
        }
        Process process = ProcessDaemons.start(plan, directory, id);
        Readiness.awaitAnswer(id, daemon.address(), process, directory);
        ClusterFile.update(directory, file -> file.withPid(id, process.pid()));
        return process.pid();
    }

    /**
     * Stops whatever runs in a directory.
     *
     * @return how many processes were stopped
     */
    public static int stop(Path directory) throws IOException {
        Optional<ClusterFile> running = ClusterFile.read(directory);
        if (running.isEmpty()) {
            return 0;
        }
        List<ProcessHandle> datanodes = processes(running.get(), "datanode");
        List<ProcessHandle> namenodes = processes(running.get(), "namenode").stream()
                .filter(p -> !datanodes.contains(p))
                .toList();
        List<ProcessHandle> consoles = processes(running.get(), ClusterFile.CONSOLE);
        Child.stopAll(consoles);
        Child.stopAll(datanodes);
        Child.stopAll(namenodes);
        Files.deleteIfExists(ClusterFile.in(directory));
        return consoles.size() + datanodes.size() + namenodes.size();
    }

    public ClusterPlan plan() {
        return plan;
    }

    public String uri() {
        return plan.uri();
    }

    /** Starts one daemon that was stopped; returns when it was started, which is before it is ready. */
    public void startDaemon(String id) throws IOException {
        daemons.start(id);
    }

    /** Stops one daemon in order and leaves the others running; a no-op for one that does not run. */
    public void stopDaemon(String id) {
        daemons.stop(id);
    }

    /** The process that a daemon runs in, or ran in last. */
    public long pidOf(String id) {
        return daemons.pidOf(id);
    }

    /** Returns when every daemon serves. */
    public void awaitReady() throws IOException {
        Readiness.await(plan, client, (ready, of, waitingFor) -> {});
    }

    /** Stops the daemons; the data stays. */
    @Override
    public void close() {
        daemons.close();
        try {
            Files.deleteIfExists(ClusterFile.in(directory));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("cannot remove " + ClusterFile.in(directory), e);
        }
    }

    /**
     * For who is about to start one there. A console that a killed cluster left behind is ended: its port is wanted.
     *
     * @throws EcfsException when one runs
     */
    public static void refuseWhenRunning(Path directory) throws IOException {
        Optional<ClusterFile> file = ClusterFile.read(directory);
        if (file.isPresent()
                && file.get().daemons().stream()
                        .filter(d -> !d.role().equals(ClusterFile.CONSOLE))
                        .anyMatch(d -> Child.ours(d.pid()).isPresent())) {
            throw new EcfsException(
                    ErrorCode.ALREADY_EXISTS,
                    "a cluster runs in " + directory + " already, at "
                            + file.get().uri() + ": stop it with 'ecfs down --dir " + directory + "'");
        }
        if (file.isPresent()) {
            Child.stopAll(processes(file.get(), ClusterFile.CONSOLE));
        }
    }

    private static List<ProcessHandle> processes(ClusterFile file, String role) {
        return file.daemons().stream()
                .filter(d -> d.role().equals(role))
                .map(ClusterFile.Daemon::pid)
                .distinct()
                .flatMap(pid -> Child.ours(pid).stream())
                .toList();
    }
}
