package io.ecfs.console.cluster;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.client.ClusterUri;
import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.Identity;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.config.ConfigReader;
import io.ecfs.console.local.ClusterPlan;
import io.ecfs.console.local.DaemonStart;
import io.ecfs.console.local.LocalCluster;
import io.ecfs.datanode.server.DatanodeDaemon;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A cluster in this process, with short times, and a client on it. Closing it fails when something logged an error. */
public final class TestCluster implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofMinutes(2);

    /**
     * For tests of what happens to the chunks of a small file: the cluster's client does not pack it, so it has a group
     * of its own, which is sealed when the file is closed.
     */
    static final String GROUP_FOR_EACH_FILE = "client.pack.on=false";

    /**
     * Who pauses for a moment on a busy machine is not suspected: without a grace that would be a death, with repairs
     * and incidents.
     */
    private static final List<String> SHORT_TIMES = List.of(
            "namenode.settings.silence.suspectAfter=6s",
            "namenode.settings.safeModeExtension=1s",
            "namenode.settings.tick=200ms",
            "namenode.settings.garbage.delay=0s",
            "namenode.settings.leaseSoftLimit=2s",
            "namenode.settings.leaseHardLimit=6s",
            "namenode.settings.leaseRecoveryWait=2s",
            "namenode.settings.minFreeBytes=1m",
            "datanode.store.reserveBytes=1m",
            "datanode.control.heartbeatInterval=300ms");

    final ErrorLog log;
    private final Path directory;
    private final ClusterPlan plan;
    private final DaemonStart datanodes;
    private final List<String> overrides;
    private LocalCluster cluster;
    private EcfsClient client;

    private TestCluster(Path directory, ClusterPlan plan, DaemonStart datanodes, List<String> overrides) {
        this.log = ErrorLog.listen();
        this.directory = directory;
        this.plan = plan;
        this.datanodes = datanodes;
        this.overrides = overrides;
    }

    /** @param overrides as {@code ecfs up -D} takes them, beside the short times; and of this cluster's own client */
    public static TestCluster start(Path directory, String policy, int namenodes, int datanodes, String... overrides)
            throws IOException {
        return start(directory, policy, namenodes, datanodes, DatanodeDaemon::start, overrides);
    }

    /** @param start of the datanodes, perhaps with something in front of their disks */
    static TestCluster start(
            Path directory, String policy, int namenodes, int datanodes, DaemonStart start, String... overrides)
            throws IOException {
        return start(
                directory,
                new ClusterPlan.Shape(Policy.parse(policy), namenodes, datanodes, 1, 1, 0),
                start,
                overrides);
    }

    static TestCluster start(Path directory, ClusterPlan.Shape shape, DaemonStart start, String... overrides)
            throws IOException {
        List<String> all = shortTimes();
        all.addAll(List.of(overrides));
        TestCluster cluster = new TestCluster(directory, LocalCluster.plan(directory, shape), start, all);
        cluster.start();
        return cluster;
    }

    /**
     * For clusters that clients with default settings write to: these renew a lease every 20 s, and a file that is open
     * for longer than our short limits would be taken from them.
     */
    public static String[] usualLeases() {
        return new String[] {"namenode.settings.leaseSoftLimit=1m", "namenode.settings.leaseHardLimit=20m"};
    }

    static List<String> shortTimes() {
        return new ArrayList<>(SHORT_TIMES);
    }

    private void start() throws IOException {
        List<String> ofDaemons = overrides.stream()
                .filter(override -> !override.startsWith("client.") || override.startsWith("client.tls."))
                .toList();
        cluster = LocalCluster.start(directory, plan, datanodes, ofDaemons, (ready, of, waitingFor) -> {});
        client = client(
                plan.uri(),
                overrides.stream()
                        .filter(override -> override.startsWith("client."))
                        .map(override -> override.substring("client.".length()))
                        .toArray(String[]::new));
    }

    /** All daemons stop in order and start again on their data. */
    void restart() throws IOException {
        client.close();
        cluster.close();
        start();
    }

    /** A client that gives up soon and renews its leases often. */
    static EcfsClient client(String uri, String... settings) throws IOException {
        List<String> all = new ArrayList<>(List.of("namenodeDeadline=30s", "leaseRenewal=1s"));
        all.addAll(List.of(settings));
        return EcfsClient.connect(
                ClusterUri.parse(uri),
                ConfigReader.read(ClientConfig.class, "the test's settings", "", all),
                Identity.ofThisProcess());
    }

    public EcfsClient client() {
        return client;
    }

    public String uri() {
        return plan.uri();
    }

    ClusterPlan plan() {
        return plan;
    }

    Path directoryOf(String id) {
        return directory.resolve(id);
    }

    /** {@code ecfs COMMAND --cluster URI …}: the command and its subcommand, then what follows. */
    Ecfs fs(String... arguments) {
        return Ecfs.run(Stream.concat(Stream.of("fs", "--cluster", uri()), Stream.of(arguments))
                .toArray(String[]::new));
    }

    JsonNode layout(String path) throws IOException {
        return Ecfs.run("admin", "layout", "--cluster", uri(), path, "--json")
                .well()
                .json();
    }

    /** The groups in which these files have bytes. */
    Set<GroupId> groups(Collection<String> paths) throws IOException {
        Set<GroupId> groups = new TreeSet<>();
        for (String path : paths) {
            Await.result(client.locate(new FilePath(path), 0, Long.MAX_VALUE))
                    .extents()
                    .forEach(extent -> groups.add(extent.group()));
        }
        return groups;
    }

    JsonNode report() throws IOException {
        return Ecfs.run("admin", "report", "--cluster", uri(), "--json").well().json();
    }

    void stop(String... ids) {
        for (String id : ids) {
            cluster.stopDaemon(id);
        }
    }

    /** Starts daemons that were stopped, and returns when the leader has heard those of them that are datanodes. */
    void start(String... ids) throws IOException {
        long began = System.currentTimeMillis();
        startUnheard(ids);
        List<String> datanodes = Stream.of(ids)
                .filter(id -> plan.datanodes().stream().anyMatch(d -> d.id().equals(id)))
                .toList();
        if (!datanodes.isEmpty()) {
            awaitReport(
                    "datanodes " + datanodes + " to be heard",
                    report -> report.datanodes().stream()
                            .filter(d -> datanodes.contains(d.id().name()))
                            .allMatch(d -> d.state() == ClusterReport.DatanodeState.HEALTHY
                                    && d.lastHeartbeatMillis() >= began));
        }
    }

    /** The same without waiting, for datanodes that this cluster's leader is not to hear. */
    void startUnheard(String... ids) throws IOException {
        for (String id : ids) {
            cluster.startDaemon(id);
        }
    }

    void awaitReady() throws IOException {
        cluster.awaitReady();
    }

    void write(String path, byte[] bytes) throws IOException {
        write(client, path, bytes);
    }

    static void write(EcfsClient client, String path, byte[] bytes) throws IOException {
        try (EcfsOutputStream out = Await.result(client.create(new FilePath(path), CreateOptions.defaults()))) {
            out.write(bytes);
        }
    }

    byte[] read(String path) throws IOException {
        return read(client, path);
    }

    static byte[] read(EcfsClient client, String path) throws IOException {
        try (InputStream in = Await.result(client.open(new FilePath(path))).stream()) {
            return in.readAllBytes();
        }
    }

    void awaitReport(String what, Predicate<ClusterReport> holds) {
        await(what).atMost(PATIENCE).pollInterval(Duration.ofMillis(100)).until(() -> {
            try {
                return holds.test(Await.result(client.admin().report()));
            } catch (EcfsException e) {
                return false;
            }
        });
    }

    /** Waits until a chunk of the file's first group lies on another datanode and all groups are whole. */
    void awaitElsewhere(String path, int index, String datanode) {
        await("chunk " + index + " of " + path + " to leave " + datanode)
                .atMost(PATIENCE)
                .until(() -> !layout(path)
                        .at("/groups/0/chunks/" + index + "/datanode")
                        .asText()
                        .equals(datanode));
        awaitAllGroupsHealthy();
    }

    /** Waits until no group lacks a chunk and safe mode is over. */
    void awaitAllGroupsHealthy() {
        awaitReport(
                "all groups healthy",
                r -> r.groups().degraded() == 0 && r.groups().lost() == 0 && !r.safeMode());
    }

    /** Chunk files of all datanodes, with their checksum files. */
    static List<Path> chunkFiles(Path directory) throws IOException {
        return filesBelow(directory).stream()
                .filter(f -> f.toString().endsWith(".data") || f.toString().endsWith(".sum"))
                .toList();
    }

    /** Lists the files below a directory, also of running daemons: what is deleted meanwhile is left out. */
    static List<Path> filesBelow(Path directory) throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                files.add(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException && !file.equals(directory)) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }
        });
        return files;
    }

    List<Path> chunkFiles() throws IOException {
        return chunkFiles(directory);
    }

    @Override
    public void close() {
        try {
            client.close();
            cluster.close();
        } finally {
            log.close();
        }
    }
}
