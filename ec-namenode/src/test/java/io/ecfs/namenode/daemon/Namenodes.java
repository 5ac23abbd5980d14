package io.ecfs.namenode.daemon;

import io.ecfs.config.ConfigReader;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import io.ecfs.message.FilePath;
import io.ecfs.message.Greeting;
import io.ecfs.message.RequestId;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.namenode.log.LogIdentity;
import io.ecfs.namenode.log.ratis.FreePorts;
import io.ecfs.namenode.log.ratis.RaftTuning;
import io.ecfs.namenode.settings.NamenodeSettings;
import io.ecfs.namenode.user.os.GroupSettings;
import io.ecfs.wire.WireLoops;
import io.ecfs.wire.WireOptions;
import io.ecfs.wire.client.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * The namenodes of one cluster in this process, each in a directory of its name, and a client that asks one after the
 * other.
 */
final class Namenodes implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration CALL = Duration.ofSeconds(5);

    /** There are no datanodes to wait for. */
    private static final NamenodeSettings SETTINGS = ConfigReader.with(
            NamenodeSettings.defaults(Policy.parse("rs-3-2-64k"), "root"), List.of("safeModeExtension=0s"));

    private final Path directory;
    private final Map<String, NamenodeDaemon> daemons = new TreeMap<>();
    private final Map<String, NamenodeConfig.Peer> peers = new TreeMap<>();
    private final WireLoops loops;
    private final WireClient client;
    /** Configured name. */
    String cluster = "tested";

    /** Elects in half a second, and in a few seconds on a busy machine. */
    RaftTuning tuning =
            ConfigReader.with(RaftTuning.standard(), List.of("electionTimeoutMin=500ms", "electionTimeoutMax=1s"));

    /** Of users that the machine does not know. */
    GroupSettings groups = GroupSettings.defaults();

    Namenodes(Path directory) throws EcfsException {
        this.directory = directory;
        loops = WireLoops.open("test", 1);
        client = new WireClient(
                loops,
                WireOptions.defaults(),
                () -> new Greeting.Hello(Greeting.PROTOCOL_VERSION, "", "root", List.of("supergroup"), "client"));
    }

    /** A new cluster, all of it formatted; all its namenodes run. */
    void found(int count) throws IOException {
        choosePorts(count);
        LogIdentity log = Formatting.draw(RealEnvironment.open());
        for (String id : peers.keySet()) {
            Formatting.format(RealEnvironment.open(), config(id), log);
        }
        startAll();
    }

    /** As an operator does it: one is formatted, the others join it. */
    void foundByOrder(int count) throws IOException {
        choosePorts(count);
        Formatting.format(RealEnvironment.open(), config("nn0"));
        startAll();
    }

    /** The namenodes are configured; their directories are absent. */
    void choosePorts(int count) throws IOException {
        List<Address> free = FreePorts.find(2 * count).stream()
                .map(port -> new Address("127.0.0.1", port))
                .toList();
        for (int i = 0; i < count; i++) {
            peers.put("nn" + i, new NamenodeConfig.Peer(free.get(2 * i), free.get(2 * i + 1)));
        }
    }

    Set<String> ids() {
        return peers.keySet();
    }

    NamenodeConfig config(String id) {
        return NamenodeConfig.standard(id, cluster, peers, directory.resolve(id), SETTINGS)
                .withGroups(groups)
                .withStatus(new Address("127.0.0.1", 0))
                .withJoinToken(directory.resolve("join.token"))
                .withRaft(tuning);
    }

    /** Returns when all know the cluster: before that, none may stop if the others are to elect a leader. */
    void startAll() throws IOException {
        for (String id : peers.keySet()) {
            start(id);
        }
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() ->
                        daemons.values().stream().map(NamenodeDaemon::clusterId).noneMatch(String::isEmpty));
    }

    void start(String id) throws IOException {
        daemons.put(id, NamenodeDaemon.start(RealEnvironment.open(), config(id), failure -> {}));
    }

    void stop(String id) {
        daemons.remove(id).close();
    }

    /** Side by side: each waits about a second for its connections. */
    void stopAll() {
        CompletableFuture.allOf(daemons.values().stream()
                        .map(daemon -> CompletableFuture.runAsync(daemon::close))
                        .toArray(CompletableFuture[]::new))
                .join();
        daemons.clear();
    }

    NamenodeDaemon daemon(String id) {
        return daemons.get(id);
    }

    WireClient client() {
        return client;
    }

    WireLoops loops() {
        return loops;
    }

    String leader() {
        return members().stream()
                .filter(member -> member.role() == ClusterReport.Role.LEADER)
                .findFirst()
                .orElseThrow()
                .id();
    }

    /** All but this one. */
    List<String> others(String id) {
        return peers.keySet().stream().filter(other -> !other.equals(id)).toList();
    }

    /** Waits until a namenode has applied all that the leader has now. */
    void awaitApplied(String id) {
        long target = members().stream()
                .mapToLong(ClusterReport.Namenode::appliedIndex)
                .max()
                .orElseThrow();
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> members().stream()
                        .anyMatch(member -> member.id().equals(id) && member.appliedIndex() >= target));
    }

    private List<ClusterReport.Namenode> members() {
        return ((NamespaceReply.Report) call(new NamespaceRequest.GetReport()))
                .report()
                .namenodes();
    }

    /** @param number of the call, which grows from one to the next */
    void mkdirs(int number, String path) {
        call(new NamespaceRequest.Mkdirs(new RequestId("c", number), new FilePath(path), 0755, true));
    }

    boolean has(String path) {
        try {
            call(new NamespaceRequest.GetStatus(new FilePath(path)));
            return true;
        } catch (CompletionException e) {
            if (((EcfsException) e.getCause()).code() == ErrorCode.NOT_FOUND) {
                return false;
            }
            throw e;
        }
    }

    List<String> clusterIds() {
        return daemons.values().stream().map(NamenodeDaemon::clusterId).toList();
    }

    /**
     * Waits until a namenode that began on an empty directory has caught up: only then it votes while another one is
     * away.
     */
    void awaitJoined(String id) {
        Path log = directory.resolve(id).resolve("log");
        Awaitility.await().atMost(PATIENCE).until(() -> isBegun(log) && Files.notExists(log.resolve("joining")));
    }

    /**
     * An empty directory is marked as joining before its log begins, and the log begins when its identity is found out.
     */
    private static boolean isBegun(Path log) throws IOException {
        Path raft = log.resolve("raft");
        if (!Files.isDirectory(raft)) {
            return false;
        }
        try (Stream<Path> groups = Files.list(raft)) { // no look at files: the log's come and go
            return groups.findAny().isPresent();
        }
    }

    /** For whom a namenode with an empty directory waits. */
    String waitsFor(String id) {
        return daemons.get(id).waitsFor().orElse("");
    }

    /** As a client does it: asks one after the other until one answers. */
    NamespaceReply call(NamespaceRequest request) {
        return Awaitility.await()
                .pollDelay(Duration.ZERO)
                .atMost(PATIENCE)
                .until(() -> tryAll(request), Optional::isPresent)
                .orElseThrow();
    }

    private Optional<NamespaceReply> tryAll(NamespaceRequest request) {
        for (NamenodeDaemon daemon : daemons.values()) {
            try {
                return Optional.of((NamespaceReply)
                        client.call(daemon.address(), request, CALL).join().head());
            } catch (CompletionException e) {
                if (!((EcfsException) e.getCause()).code().retryable()) {
                    throw e;
                }
            }
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        stopAll();
        client.close();
        loops.close();
    }
}
