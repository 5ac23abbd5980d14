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
import io.ecfs.message.Greeting;
import io.ecfs.message.Message;
import io.ecfs.message.RequestId;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.namenode.log.LogIdentity;
import io.ecfs.namenode.log.ratis.RaftTuning;
import io.ecfs.namenode.settings.NamenodeSettings;
import io.ecfs.namenode.user.os.GroupSettings;
import io.ecfs.wire.WireOptions;
import io.ecfs.wire.client.WireClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
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

    @TempDir
    private Path directory;

    private Namenodes namenodes;

    @BeforeEach
    void begin() throws EcfsException {
        namenodes = new Namenodes(directory);
    }

    @AfterEach
    void stop() {
        namenodes.close();
    }

    /** Small files of the log, few entries behind a checkpoint. */
    private RaftTuning checkpointing(int every) {
        return ConfigReader.with(
                namenodes.tuning, List.of("segmentBytes=16KiB", "checkpointEvery=" + every, "laggingEntries=10"));
    }

    @Test
    void threeNamenodesSurviveTheLossOfTheirLeader() throws Exception {
        Set<String> before = threads();
        namenodes.foundByOrder(3);
        namenodes.mkdirs(1, "/a/b");
        assertThat(namenodes.clusterIds().stream().distinct()).hasSize(1);
        refused(() -> namenodes.start("nn1"), ErrorCode.BUSY, "nn1");
        monitored("nn0");
        namenodes.ids().forEach(namenodes::awaitJoined);

        namenodes.stop(namenodes.leader());
        assertThat(namenodes.has("/a/b")).isTrue();
        namenodes.mkdirs(2, "/a/b/c");

        String clusterId = namenodes.clusterIds().get(0);
        namenodes.stopAll();
        Awaitility.await() // executors and event loops call themselves ended from within their threads, a moment before
                // these are
                .atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(threads()).as("no thread is left").isSubsetOf(before));
        namenodes.startAll();
        assertThat(namenodes.has("/a/b/c")).isTrue();
        assertThat(((NamespaceReply.Cluster) namenodes.call(new NamespaceRequest.GetCluster())).clusterId())
                .isEqualTo(clusterId);
    }

    /** HDDS-13268: the log before the checkpoint is gone when the namenode that needs it comes. */
    @Test
    // HDDS-10822
    void aNamenodeThatLostItsDiskFetchesTheStateOverTheWire() throws Exception {
        namenodes.tuning = checkpointing(50);
        namenodes.found(3);
        namenodes.mkdirs(1, "/d");
        String leader = namenodes.leader();
        String wiped = namenodes.others(leader).get(0);
        String other = namenodes.others(leader).get(1);
        namenodes.stop(wiped);
        DirectoryTree.delete(directory.resolve(wiped));
        int last = 150;
        for (int i = 2; i <= last; i++) {
            namenodes.mkdirs(i, filling(i));
        }
        try (Stream<Path> log = Files.walk(directory.resolve(leader).resolve("log"))) {
            assertThat(log.map(path -> path.getFileName().toString()))
                    .as("the first entries are gone: only a checkpoint can help")
                    .noneMatch(name -> name.startsWith("log_0-"));
        }
        namenodes.start(wiped);
        namenodes.awaitJoined(wiped);
        namenodes.stop(other);
        namenodes.mkdirs(last + 1, "/after");
        namenodes.start(other);
        namenodes.stop(leader);
        for (int i = 2; i <= last; i += 57) {
            assertThat(namenodes.has(filling(i))).isTrue();
        }
        assertThat(namenodes.has("/after")).isTrue();
    }

    /** A name that fills the log: a hundred are more than one of its files. */
    private static String filling(int number) {
        return "/d/" + "n".repeat(200) + number;
    }

    @Test
    void emptyNamenodesWaitForTheOneThatHasTheState() throws Exception {
        namenodes.foundByOrder(3);
        namenodes.mkdirs(1, "/kept");
        namenodes.ids().forEach(namenodes::awaitJoined);
        String third = namenodes.leader();
        refused(() -> format(third), ErrorCode.ALREADY_EXISTS, "already");
        namenodes.stopAll();
        List<String> wiped = namenodes.others(third);
        for (String id : wiped) {
            DirectoryTree.delete(directory.resolve(id));
            namenodes.start(id);
        }
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(wiped)
                        .allSatisfy(id ->
                                assertThat(namenodes.waitsFor(id)).contains(third, "its directory is empty too")));
        namenodes.start(third);
        assertThat(namenodes.has("/kept")).isTrue();
        String again = wiped.get(0);
        namenodes.stop(again);
        DirectoryTree.delete(directory.resolve(again));
        refused(() -> format(again), ErrorCode.ALREADY_EXISTS, "has log", "it joins");
        assertThat(directory.resolve(again)).as("nothing was changed").doesNotExist();
    }

    @Test
    void aNamenodeThatMayNotVoteNamesTheOneItWaitsFor() throws Exception {
        namenodes.found(3);
        namenodes.mkdirs(1, "/d");
        namenodes.stopAll();
        DirectoryTree.delete(directory.resolve("nn1"));
        namenodes.start("nn0");
        namenodes.start("nn1"); // learns the log from nn0, and neither leads before nn2 is there
        Awaitility.await().atMost(PATIENCE).until(() -> !health("nn1").body().contains("looks for"));
        assertThat(health("nn1").statusCode()).isEqualTo(503);
        assertThat(health("nn1").body()).contains("may not vote", "nn2");
        namenodes.start("nn2");
        Awaitility.await().atMost(PATIENCE).until(() -> health("nn1").statusCode() == 200);
    }

    private LogIdentity format(String id) throws IOException {
        return Formatting.format(RealEnvironment.open(), namenodes.config(id));
    }

    private HttpResponse<String> health(String id) throws Exception {
        return respond(namenodes.daemon(id).statusAddress().orElseThrow().port(), "/health");
    }

    @Test
    void aNamenodeAloneIsFormattedByAnOrderAndOnceOnly() throws Exception {
        namenodes.choosePorts(1);
        refused(
                () -> namenodes.start("nn0"),
                ErrorCode.NOT_FOUND,
                "is empty",
                "ecfs namenode format"); // and leaves an empty store
        LogIdentity log = format("nn0");
        refused(() -> format("nn0"), ErrorCode.ALREADY_EXISTS, log.clusterId(), "nothing was changed");
    }

    /** As 6e8d76b left it: no identity, and a Raft group that is named after the configured name of the cluster. */
    @Test
    void aDirectoryOfTheFirstLayoutIsTakenOver() throws Exception {
        namenodes.choosePorts(1);
        LogIdentity log = LogIdentity.ofCluster(UUID.randomUUID().toString());
        Formatting.format(RealEnvironment.open(), namenodes.config("nn0"), log);
        namenodes.startAll();
        namenodes.mkdirs(1, "/kept");
        namenodes.stopAll();
        Path home = directory.resolve("nn0");
        String cluster = namenodes.cluster;
        Files.writeString(
                home.resolve("VERSION"), "cluster=" + cluster + "\nclusterId=\nlayoutVersion=1\nnamenode=nn0\n");
        Files.move(
                home.resolve("log/raft").resolve(log.log().toString()),
                home.resolve("log/raft")
                        .resolve(UUID.nameUUIDFromBytes(("ecfs cluster " + cluster).getBytes(StandardCharsets.UTF_8))
                                .toString()));
        for (int i = 0; i < 2; i++) {
            namenodes.startAll();
            assertThat(namenodes.has("/kept")).isTrue();
            assertThat(namenodes.clusterIds()).containsExactly(log.clusterId());
            namenodes.stopAll();
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
    void groupsAreWhatTheNamenodeKnowsAndNotWhatAUserSays() throws Exception {
        namenodes.groups = new GroupSettings(Map.of("ada", List.of("supergroup")), Optional.empty(), true);
        namenodes.found(1);
        assertThatThrownBy(() -> safeModeOff("eve", List.of("supergroup")))
                .hasCauseInstanceOf(EcfsException.class)
                .hasMessageContaining("user eve may not begin or end safe mode");
        assertThat(safeModeOff("ada", List.of())).isInstanceOf(NamespaceReply.Done.class);
    }

    @Test
    void changesAndDeniedRequestsAreInTheAuditLog() throws Exception {
        namenodes.found(1);
        namenodes.mkdirs(1, "/a");
        assertThatThrownBy(() -> safeModeOff("eve", List.of())).hasCauseInstanceOf(EcfsException.class);
        namenodes.stopAll();
        assertThat(Files.readString(directory.resolve("nn0/audit.log")))
                .contains("allowed=true\tugi=root (auth:SIMPLE)\tip=/127.0.0.1\tcmd=mkdirs\tsrc=/a\t")
                .contains("allowed=false\tugi=eve (auth:SIMPLE)\tip=/127.0.0.1\tcmd=safemode_leave\tsrc=null\t");
    }

    private Message safeModeOff(String user, List<String> groups) throws Exception {
        try (WireClient client = new WireClient(
                namenodes.loops(),
                WireOptions.defaults(),
                () -> new Greeting.Hello(Greeting.PROTOCOL_VERSION, "", user, groups, "client"))) {
            return client.call(
                            namenodes.daemon("nn0").address(),
                            new NamespaceRequest.SetSafeMode(new RequestId(user, 1), false),
                            PATIENCE)
                    .join()
                    .head();
        }
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
                List.of("settings.defaultPolicy=rs-3-2-1024k", "status=0.0.0.0:9870", "groups.users.ada=staff,dev"));
        assertThat(read.listenAddress()).isEqualTo(new Address("b", 8020));
        assertThat(read.status()).contains(new Address("0.0.0.0", 9870));
        assertThat(read.settings().leaseHardLimit()).isEqualTo(Duration.ofMinutes(10));
        assertThat(read.settings().defaultPolicy()).isEqualTo(Policy.parse("rs-3-2-1024k"));
        assertThat(read.groups())
                .isEqualTo(new GroupSettings(Map.of("ada", List.of("staff", "dev")), Optional.empty(), true));
        assertThat(read.settings().tokenLife())
                .isEqualTo(NamenodeSettings.defaults().tokenLife());
    }

    private void monitored(String id) throws Exception {
        int port = namenodes.daemon(id).statusAddress().orElseThrow().port();
        assertThat(get(port, "/health")).startsWith(id + " ");
        assertThat(get(port, "/metrics"))
                .contains("# TYPE ecfs_namenode_applied_index gauge")
                .contains("ecfs_namenode_datanodes{namenode=\"" + id + "\"} 0")
                .contains("# TYPE ecfs_namenode_chunks_repaired_total counter")
                .contains("ecfs_namenode_audit_lines_total{namenode=\"" + id + "\"} ");
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
