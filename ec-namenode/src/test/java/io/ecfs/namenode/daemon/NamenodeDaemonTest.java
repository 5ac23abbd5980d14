package io.ecfs.namenode.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.config.ConfigReader;
import io.ecfs.env.real.DirectoryTree;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import io.ecfs.message.ClusterReport;
import io.ecfs.message.FilePath;
import io.ecfs.message.Greeting;
import io.ecfs.message.Message;
import io.ecfs.message.NamespaceReply;
import io.ecfs.message.NamespaceRequest;
import io.ecfs.message.RequestId;
import io.ecfs.message.SnapshotReply;
import io.ecfs.message.SnapshotRequest;
import io.ecfs.namenode.log.LogIdentity;
import io.ecfs.namenode.log.ratis.FreePorts;
import io.ecfs.namenode.log.ratis.RaftTuning;
import io.ecfs.namenode.server.NamenodeSettings;
import io.ecfs.wire.WireClient;
import io.ecfs.wire.WireLoops;
import io.ecfs.wire.WireOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamenodeDaemonTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration CALL = Duration.ofSeconds(5);

    @TempDir
    private Path directory;

    private final Map<String, NamenodeDaemon> daemons = new TreeMap<>();
    private final Map<String, NamenodeConfig.Peer> peers = new TreeMap<>();
    private RaftTuning tuning = RaftTuning.defaults();
    private WireLoops loops;
    private WireClient client;

    @BeforeEach
    void connect() throws EcfsException {
        loops = WireLoops.open("test", 1);
        client = new WireClient(
                loops,
                WireOptions.defaults(),
                () -> new Greeting.Hello(Greeting.PROTOCOL_VERSION, "", "root", List.of("supergroup"), "client"));
    }

    @AfterEach
    void stop() {
        daemons.values().forEach(NamenodeDaemon::close);
        client.close();
        loops.close();
    }

    private void namenodes(int count) throws IOException {
        List<Address> free = FreePorts.find(2 * count).stream()
                .map(port -> new Address("127.0.0.1", port))
                .toList();
        for (int i = 0; i < count; i++) {
            peers.put("nn" + i, new NamenodeConfig.Peer(free.get(2 * i), free.get(2 * i + 1)));
        }
        Formatting.format(RealEnvironment.open(), config("nn0"));
        for (String id : peers.keySet()) {
            start(id);
        }
        Awaitility.await() // with the first entries: before that, none may stop if the others are to elect a leader
                .atMost(PATIENCE)
                .until(() ->
                        daemons.values().stream().map(NamenodeDaemon::clusterId).noneMatch(String::isEmpty));
    }

    private void start(String id) throws IOException {
        daemons.put(id, NamenodeDaemon.start(RealEnvironment.open(), config(id), failure -> {}));
    }

    /** Small files of the log, few entries behind a checkpoint. */
    private static RaftTuning checkpointing(int every) {
        return ConfigReader.with(
                RaftTuning.standard(), List.of("segmentBytes=16KiB", "checkpointEvery=" + every, "laggingEntries=10"));
    }

    private NamenodeConfig config(String id) {
        NamenodeConfig usual = NamenodeConfig.standard(
                        id,
                        "test " + directory,
                        peers,
                        directory.resolve(id),
                        NamenodeSettings.defaults(Policy.parse("rs-3-2-64k"), "root"))
                .withStatus(new Address("127.0.0.1", 0));
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

    private long applied(String id) {
        return ((NamespaceReply.Report) call(new NamespaceRequest.GetReport()))
                .report().namenodes().stream()
                        .filter(n -> n.id().equals(id))
                        .findFirst()
                        .orElseThrow()
                        .appliedIndex();
    }

    private String leader() {
        return ((NamespaceReply.Report) call(new NamespaceRequest.GetReport()))
                .report().namenodes().stream()
                        .filter(n -> n.role() == ClusterReport.Role.LEADER)
                        .findFirst()
                        .orElseThrow()
                        .id();
    }

    /** As a client does it: asks one after the other until one answers. */
    private NamespaceReply call(NamespaceRequest request) {
        return Awaitility.await()
                .pollDelay(Duration.ZERO)
                .atMost(PATIENCE)
                .until(() -> tryAll(request), Optional::isPresent)
                .orElseThrow();
    }

    private Optional<NamespaceReply> tryAll(NamespaceRequest request) throws EcfsException {
        for (NamenodeDaemon daemon : daemons.values()) {
            try {
                Message head =
                        client.call(daemon.address(), request, CALL).join().head();
                return Optional.of((NamespaceReply) head);
            } catch (CompletionException e) {
                EcfsException failure = (EcfsException) e.getCause();
                if (!failure.code().retryable()) {
                    throw failure;
                }
            }
        }
        return Optional.empty();
    }

    @Test
    void threeNamenodesAgreeServeSurviveTheirLeaderAndComeBackWithEverything() throws Exception {
        Set<String> before = threads();
        namenodes(3);
        FilePath path = new FilePath("/a/b");
        call(new NamespaceRequest.Mkdirs(new RequestId("c", 1), path, 0755, true));
        assertThat(daemons.values().stream().map(NamenodeDaemon::clusterId).distinct())
                .hasSize(1);
        assertThatThrownBy(() -> NamenodeDaemon.start(RealEnvironment.open(), config("nn1"), failure -> {}))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BUSY))
                .hasMessageContaining("nn1");
        monitored("nn0");

        String leader = leader();
        daemons.remove(leader).close();
        assertThat(call(new NamespaceRequest.GetStatus(path))).isInstanceOf(NamespaceReply.Status.class);
        call(new NamespaceRequest.Mkdirs(new RequestId("c", 2), path.child("c"), 0755, true));

        String clusterId = daemons.values().iterator().next().clusterId();
        daemons.values().forEach(NamenodeDaemon::close);
        daemons.clear();
        Awaitility.await() // executors and event loops call themselves ended from within their threads, a moment before
                // these are
                .atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(threads()).as("no thread is left").isSubsetOf(before));
        for (String id : peers.keySet()) {
            start(id);
        }
        assertThat(call(new NamespaceRequest.GetStatus(path.child("c")))).isInstanceOf(NamespaceReply.Status.class);
        assertThat(((NamespaceReply.Cluster) call(new NamespaceRequest.GetCluster())).clusterId())
                .isEqualTo(clusterId);
    }

    /** HDDS-13268: the log before the checkpoint is gone when the namenode that needs it comes. */
    @Test
    // HDDS-10822
    void aNamenodeThatLostItsDiskFetchesTheStateOverTheWireAndTheClusterCanLiveOnIt() throws Exception {
        tuning = checkpointing(50);
        namenodes(3);
        call(new NamespaceRequest.Mkdirs(new RequestId("c", 0), new FilePath("/d"), 0755, true));
        String leader = leader();
        List<String> others =
                peers.keySet().stream().filter(id -> !id.equals(leader)).toList();
        String wiped = others.get(0);
        daemons.remove(wiped).close();
        try (Stream<Path> tree = Files.walk(directory.resolve(wiped))) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
        int last = 150;
        for (int i = 1; i <= last; i++) {
            FilePath path = filling(i);
            call(new NamespaceRequest.Mkdirs(new RequestId("c", i), path, 0755, true));
        }
        try (Stream<Path> log = Files.walk(directory.resolve(leader).resolve("log"))) {
            assertThat(log.map(path -> path.getFileName().toString()))
                    .as("the first entries are gone: only a checkpoint can help")
                    .noneMatch(name -> name.startsWith("log_0-"));
        }
        start(wiped);
        // Before it has caught up it does not vote: with another namenode away, nobody could lead.
        Awaitility.await().atMost(PATIENCE).until(() -> applied(wiped) >= last);
        daemons.remove(others.get(1)).close();
        call(new NamespaceRequest.Mkdirs(new RequestId("c", last + 1), new FilePath("/after"), 0755, true));
        start(others.get(1));
        daemons.remove(leader).close();
        for (int i = 1; i <= last; i += 57) {
            assertThat(call(new NamespaceRequest.GetStatus(filling(i)))).isInstanceOf(NamespaceReply.Status.class);
        }
        assertThat(call(new NamespaceRequest.GetStatus(new FilePath("/after"))))
                .isInstanceOf(NamespaceReply.Status.class);
    }

    /** A name that fills the log: a hundred are more than one of its files. */
    private static FilePath filling(int number) {
        return new FilePath("/d/" + "n".repeat(200) + number);
    }

    @Test
    void emptyNamenodesWaitForTheOneThatHasTheStateAndNoneFormatsAnotherCluster() throws Exception {
        namenodes(3);
        FilePath path = new FilePath("/kept");
        call(new NamespaceRequest.Mkdirs(new RequestId("c", 0), path, 0755, true));
        String third = leader();
        refused(() -> Formatting.format(RealEnvironment.open(), config(third)), ErrorCode.ALREADY_EXISTS, "already");
        daemons.values().forEach(NamenodeDaemon::close);
        daemons.clear();
        for (String id : peers.keySet()) {
            if (!id.equals(third)) {
                DirectoryTree.delete(directory.resolve(id));
                start(id);
            }
        }
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(daemons.values())
                        .allSatisfy(waiting -> assertThat(waiting.waitsFor())
                                .hasValueSatisfying(
                                        who -> assertThat(who).contains(third, "its directory is empty too"))));
        start(third);
        assertThat(call(new NamespaceRequest.GetStatus(path))).isInstanceOf(NamespaceReply.Status.class);
        String wiped = peers.keySet().stream()
                .filter(id -> !id.equals(third))
                .findFirst()
                .orElseThrow();
        daemons.remove(wiped).close();
        DirectoryTree.delete(directory.resolve(wiped));
        refused(
                () -> Formatting.format(RealEnvironment.open(), config(wiped)),
                ErrorCode.ALREADY_EXISTS,
                "has log",
                "it joins");
        assertThat(directory.resolve(wiped)).as("nothing was changed").doesNotExist();
    }

    @Test
    void aNamenodeThatMayNotVoteIsNotReadyAndNamesTheOneThatItWaitsFor() throws Exception {
        namenodes(3);
        call(new NamespaceRequest.Mkdirs(new RequestId("c", 0), new FilePath("/d"), 0755, true));
        daemons.values().forEach(NamenodeDaemon::close);
        daemons.clear();
        DirectoryTree.delete(directory.resolve("nn1"));
        start("nn0");
        start("nn1"); // learns the log from nn0, and neither leads before nn2 is there
        Awaitility.await().atMost(PATIENCE).until(() -> !health("nn1").body().contains("looks for"));
        assertThat(health("nn1").statusCode()).isEqualTo(503);
        assertThat(health("nn1").body()).contains("may not vote", "nn2");
        start("nn2");
        Awaitility.await().atMost(PATIENCE).until(() -> health("nn1").statusCode() == 200);
    }

    private HttpResponse<String> health(String id) throws Exception {
        return respond(daemons.get(id).statusAddress().orElseThrow().port(), "/health");
    }

    @Test
    void aNamenodeAloneIsFormattedByAnOrderAndOnceOnly() throws Exception {
        List<Integer> ports = FreePorts.find(2);
        peers.put(
                "nn0",
                new NamenodeConfig.Peer(
                        new Address("127.0.0.1", ports.get(0)), new Address("127.0.0.1", ports.get(1))));
        refused(
                () -> start("nn0"),
                ErrorCode.NOT_FOUND,
                "is empty",
                "ecfs namenode format"); // and leaves an empty store
        LogIdentity log = Formatting.format(RealEnvironment.open(), config("nn0"));
        refused(
                () -> Formatting.format(RealEnvironment.open(), config("nn0")),
                ErrorCode.ALREADY_EXISTS,
                log.clusterId(),
                "nothing was changed");
    }

    /** As 6e8d76b left it: no identity, and a Raft group that is named after the configured name of the cluster. */
    @Test
    void aDirectoryOfTheFirstLayoutIsTakenOver() throws Exception {
        List<Integer> ports = FreePorts.find(2);
        peers.put(
                "nn0",
                new NamenodeConfig.Peer(
                        new Address("127.0.0.1", ports.get(0)), new Address("127.0.0.1", ports.get(1))));
        LogIdentity log = LogIdentity.ofCluster(UUID.randomUUID().toString());
        Formatting.format(config("nn0"), log);
        start("nn0");
        FilePath path = new FilePath("/kept");
        call(new NamespaceRequest.Mkdirs(new RequestId("c", 0), path, 0755, true));
        daemons.remove("nn0").close();
        Path home = directory.resolve("nn0");
        String cluster = config("nn0").cluster();
        Files.writeString(
                home.resolve("VERSION"), "cluster=" + cluster + "\nclusterId=\nlayoutVersion=1\nnamenode=nn0\n");
        Files.move(
                home.resolve("log/raft").resolve(log.log().toString()),
                home.resolve("log/raft")
                        .resolve(UUID.nameUUIDFromBytes(("ecfs cluster " + cluster).getBytes(StandardCharsets.UTF_8))
                                .toString()));
        for (int i = 0; i < 2; i++) {
            start("nn0");
            assertThat(call(new NamespaceRequest.GetStatus(path))).isInstanceOf(NamespaceReply.Status.class);
            assertThat(daemons.get("nn0").clusterId()).isEqualTo(log.clusterId());
            daemons.remove("nn0").close();
        }
        assertThat(Files.readString(home.resolve("VERSION"))).contains("log=" + log.log());
    }

    private static void refused(ThrowingCallable call, ErrorCode code, String... says) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContainingAll(says);
    }

    @Test
    void onlyNamenodesReadCheckpoints() throws Exception {
        tuning = checkpointing(1);
        namenodes(1);
        call(new NamespaceRequest.Mkdirs(new RequestId("c", 0), new FilePath("/d"), 0755, true));
        try (WireClient guest = new WireClient(
                loops,
                WireOptions.defaults(),
                () -> new Greeting.Hello(Greeting.PROTOCOL_VERSION, "", "guest", List.of(), "client"))) {
            assertThatThrownBy(() -> guest.call(daemons.get("nn0").address(), new SnapshotRequest.OpenSnapshot(), CALL)
                            .join())
                    .hasCauseInstanceOf(EcfsException.class)
                    .hasMessageContaining("user 'guest'");
        }
        Message manifest = client.call(daemons.get("nn0").address(), new SnapshotRequest.OpenSnapshot(), CALL)
                .join()
                .head();
        assertThat(manifest).isInstanceOf(SnapshotReply.Manifest.class);
    }

    @Test
    void aConfigurationFileNamesOnlyWhatDiffersFromTheDefaults() {
        NamenodeConfig read = ConfigReader.read(
                NamenodeConfig.class,
                "nn1.yaml",
                """
                id: nn1
                cluster: production
                directory: /data/ecfs/nn1
                namenodes:
                  nn0: {address: "a:8020", raft: "a:8021"}
                  nn1: {address: "b:8020", raft: "b:8021"}
                settings:
                  leaseHardLimit: 10m
                """,
                List.of("settings.defaultPolicy=rs-3-2-1024k", "status=0.0.0.0:9870"));
        assertThat(read.listenAddress()).isEqualTo(new Address("b", 8020));
        assertThat(read.status()).contains(new Address("0.0.0.0", 9870));
        assertThat(read.settings().leaseHardLimit()).isEqualTo(Duration.ofMinutes(10));
        assertThat(read.settings().defaultPolicy()).isEqualTo(Policy.parse("rs-3-2-1024k"));
        assertThat(read.settings().tokenLife())
                .isEqualTo(NamenodeSettings.defaults().tokenLife());
    }

    private void monitored(String id) throws Exception {
        int port = daemons.get(id).statusAddress().orElseThrow().port();
        assertThat(get(port, "/health")).startsWith(id + " ");
        assertThat(get(port, "/metrics"))
                .contains("# TYPE ecfs_namenode_applied_index gauge")
                .contains("ecfs_namenode_datanodes{namenode=\"" + id + "\"} 0");
    }

    private static String get(int port, String path) throws Exception {
        return respond(port, path).body();
    }

    private static HttpResponse<String> respond(int port, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    /** Threads of the daemons; those that libraries keep for the whole process are not ours to end. */
    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("nn") || name.startsWith("namenode"))
                .collect(Collectors.toSet());
    }
}
