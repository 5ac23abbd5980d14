package io.ecfs.namenode.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.config.ConfigReader;
import io.ecfs.env.real.JoinTokenFile;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.FilePath;
import io.ecfs.message.Greeting;
import io.ecfs.message.Message;
import io.ecfs.message.RequestId;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.message.datanode.DatanodeReport;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.snapshot.SnapshotReply;
import io.ecfs.message.snapshot.SnapshotRequest;
import io.ecfs.token.JoinToken;
import io.ecfs.wire.WireOptions;
import io.ecfs.wire.client.WireClient;
import io.ecfs.wire.tls.PeerProof;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who gets keys and checkpoints of a real namenode. */
@Timeout(300)
class PeersOverTheWireTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration CALL = Duration.ofSeconds(20);

    @TempDir
    private Path directory;

    private Namenodes namenodes;
    private Address address;

    @BeforeEach
    void begin() throws Exception {
        namenodes = new Namenodes(directory);
        namenodes.tuning = ConfigReader.with(
                namenodes.tuning, List.of("segmentBytes=16KiB", "checkpointEvery=1", "laggingEntries=10"));
        namenodes.found(1);
        namenodes.mkdirs(1, "/d");
        address = namenodes.daemon("nn0").address();
    }

    @AfterEach
    void end() {
        namenodes.close();
    }

    private Optional<JoinToken> ours() throws EcfsException {
        return JoinTokenFile.read(directory.resolve("join.token"));
    }

    private WireClient as(String user, String role, Optional<JoinToken> token) throws EcfsException {
        return new WireClient(
                namenodes.loops(),
                WireOptions.defaults(),
                () -> new Greeting.Hello(Greeting.PROTOCOL_VERSION, "", user, List.of("supergroup"), role),
                new PeerProof(token, RealEnvironment.open().randomness(), () -> false));
    }

    private Message ask(WireClient client, Message request) {
        return client.call(address, request, CALL).join().head();
    }

    private static DatanodeReport.Register register(String name, String uuid) {
        return new DatanodeReport.Register(
                new DatanodeId(name),
                uuid,
                1,
                "",
                2,
                new Address("127.0.0.1", 9),
                "/r",
                List.of(new DatanodeReport.VolumeOffer("volume-" + uuid, 1L << 40)));
    }

    private static List<Message> forDaemons() {
        DatanodeId dn1 = new DatanodeId("dn1");
        return List.of(
                register("dn1", "u1"),
                new DatanodeReport.Heartbeat(dn1, "u1", List.of(), Optional.empty(), Optional.empty()),
                new DatanodeReport.ChangeReport(dn1, "u1", 7, List.of()),
                new DatanodeReport.AwaitOrders(dn1, "u1", 1),
                new SnapshotRequest.DescribeLog(),
                new SnapshotRequest.OpenSnapshot(),
                new SnapshotRequest.OpenSnapshot(Optional.of(true)),
                new NamespaceRequest.GetNamenodeState(0));
    }

    private void denied(WireClient client, Message request) {
        assertThatThrownBy(() -> ask(client, request))
                .as("%s", request)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ACCESS_DENIED))
                .hasMessageNotContaining("\n");
    }

    @Test
    void whoDoesNotProveTheTokenGetsNoKeyAndNoCheckpoint() throws Exception {
        JoinToken another = JoinToken.of(List.of("ab".repeat(JoinToken.BYTES)));
        for (Optional<JoinToken> token : List.of(Optional.<JoinToken>empty(), Optional.of(another))) {
            for (String role : List.of("client", "datanode dn1", "namenode nn0")) {
                for (String user : List.of("root", "guest")) {
                    try (WireClient attacker = as(user, role, token)) {
                        forDaemons().forEach(request -> denied(attacker, request));
                    }
                }
            }
        }
    }

    @Test
    void aProvedDatanodeSpeaksForItselfAlone() throws Exception {
        try (WireClient datanode = as("datanode dn1", "datanode dn1", ours())) {
            DatanodeReply.Registered registered = (DatanodeReply.Registered) Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> ask(datanode, register("dn1", "u1")), DatanodeReply.Registered.class::isInstance);
            assertThat(registered.levelInForce()).contains(FeatureLevel.RELEASE);
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> !((DatanodeReply.HeartbeatReply) ask(
                                    datanode,
                                    new DatanodeReport.Heartbeat(
                                            new DatanodeId("dn1"),
                                            "u1",
                                            List.of(),
                                            Optional.empty(),
                                            Optional.empty())))
                            .keys()
                            .isEmpty());
            denied(datanode, register("dn2", "u2"));
            denied(datanode, new SnapshotRequest.OpenSnapshot());
            denied(datanode, new NamespaceRequest.GetNamenodeState(0));
            denied(datanode, new NamespaceRequest.Mkdirs(new RequestId("x", 1), new FilePath("/x"), 0755, true));
            assertThatThrownBy(() -> ask(datanode, register("dn1", "u2")))
                    .hasMessageContainingAll("dn1", "ecfs admin admit dn1")
                    .hasMessageNotContaining("u1");
        }
    }

    @Test
    void aProvedNamenodeReadsCheckpoints() throws Exception {
        try (WireClient namenode = as("root", "namenode nn0", ours())) {
            Message manifest = Awaitility.await()
                    .atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(
                            () -> ask(namenode, new SnapshotRequest.OpenSnapshot()),
                            SnapshotReply.Manifest.class::isInstance);
            assertThat(manifest).isNotNull();
            assertThat(((NamespaceReply.NamenodeState) ask(namenode, new NamespaceRequest.GetNamenodeState(0)))
                            .proved())
                    .contains(true);
            denied(namenode, register("dn1", "u1"));
        }
    }

    @Test
    void aNamenodeDoesNotStartWithoutTheTokenOrWithOneThatOthersRead() throws IOException {
        namenodes.stopAll();
        Path token = directory.resolve("join.token");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> namenodes.start("nn0")).hasMessageContaining("chmod 0600 " + token);
        Files.delete(token);
        assertThatThrownBy(() -> namenodes.start("nn0"))
                .hasMessageContainingAll("nn0", "has no join token", token.toString());
    }
}
