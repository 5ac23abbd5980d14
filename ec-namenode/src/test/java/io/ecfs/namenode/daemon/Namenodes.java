package io.ecfs.namenode.daemon;

import io.ecfs.env.real.RealEnvironment;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import io.ecfs.message.ClusterReport;
import io.ecfs.message.FilePath;
import io.ecfs.message.Greeting;
import io.ecfs.message.NamespaceReply;
import io.ecfs.message.NamespaceRequest;
import io.ecfs.message.RequestId;
import io.ecfs.namenode.log.LogIdentity;
import io.ecfs.namenode.log.ratis.FreePorts;
import io.ecfs.namenode.log.ratis.RaftTuning;
import io.ecfs.namenode.server.NamenodeSettings;
import io.ecfs.wire.WireClient;
import io.ecfs.wire.WireLoops;
import io.ecfs.wire.WireOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import org.awaitility.Awaitility;

/** The namenodes of one cluster in this process, each in a directory of its name, and a client that asks one after the other. */
final class Namenodes implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration CALL = Duration.ofSeconds(5);

    private final Path directory;
    private final Map<String, NamenodeDaemon> daemons = new TreeMap<>();
    private final Map<String, NamenodeConfig.Peer> peers = new TreeMap<>();
    private final WireLoops loops;
    private final WireClient client;
    /** Configured name. */
    String cluster = "tested";

    RaftTuning tuning = RaftTuning.defaults();

    Namenodes(Path directory) throws EcfsException {
        this.directory = directory;
        loops = WireLoops.open("test", 1);
        client = new WireClient(
                loops,
                WireOptions.defaults(),
                () -> new Greeting.Hello(Greeting.PROTOCOL_VERSION, "", "root", List.of("supergroup"), "client"));
    }

    /** A new cluster; all its namenodes run. */
    void found(int count) throws IOException {
        List<Address> free = FreePorts.find(2 * count).stream()
                .map(port -> new Address("127.0.0.1", port))
                .toList();
        for (int i = 0; i < count; i++) {
            peers.put("nn" + i, new NamenodeConfig.Peer(free.get(2 * i), free.get(2 * i + 1)));
        }
        LogIdentity log = Formatting.draw(RealEnvironment.open());
        for (String id : peers.keySet()) {
            Formatting.format(config(id), log);
        }
        startAll();
    }

    Set<String> ids() {
        return peers.keySet();
    }

    NamenodeConfig config(String id) {
        NamenodeConfig usual = NamenodeConfig.standard(
                id,
                cluster,
                peers,
                directory.resolve(id),
                NamenodeSettings.defaults(Policy.parse("rs-3-2-64k"), "root"));
        return new NamenodeConfig(
                usual.id(),
                usual.cluster(),
                usual.namenodes(),
                usual.directory(),
                usual.listen(),
                usual.status(),
                usual.raftTls(),
                tuning,
                usual.store(),
                usual.wire(),
                usual.settings());
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

    void stopAll() {
        daemons.values().forEach(NamenodeDaemon::close);
        daemons.clear();
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

    /** Waits until a namenode that began on an empty directory has caught up: only then it votes while another one is away. */
    void awaitJoined(String id) {
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> daemons.get(id).waitsFor().isEmpty()
                        && Files.notExists(directory.resolve(id).resolve("log/joining")));
    }

    /** For whom a namenode with an empty directory waits. */
    String waitsFor(String id) {
        return daemons.get(id).waitsFor().orElse("");
    }

    private NamespaceReply call(NamespaceRequest request) {
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
