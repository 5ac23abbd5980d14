package io.ecfs.wire;

import static io.ecfs.wire.WireFixture.LONG;
import static io.ecfs.wire.WireFixture.failure;
import static io.ecfs.wire.WireFixture.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.env.real.RealEnvironment;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.Failure;
import io.ecfs.message.Greeting;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.SentBefore;
import io.ecfs.message.chunk.VolumeLoad;
import io.ecfs.token.JoinToken;
import io.ecfs.wire.codec.RecordCodec;
import io.ecfs.wire.tls.PeerProof;
import java.io.EOFException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What daemons prove to each other after they greeted, and what comes of a peer that does not, or lies. */
@Timeout(120)
class PeerProofTest {
    private static final String OURS = "01".repeat(32);
    private static final String THEIRS = "ff".repeat(32);

    private final WireFixture wire = new WireFixture();
    private final AtomicReference<Session> seen = new AtomicReference<>();

    @AfterEach
    void end() {
        wire.close();
    }

    private static PeerProof proof(boolean required, String... secrets) throws EcfsException {
        Optional<JoinToken> token =
                secrets.length == 0 ? Optional.empty() : Optional.of(JoinToken.of(List.of(secrets)));
        return new PeerProof(token, RealEnvironment.open().randomness(), () -> required);
    }

    private Address server(PeerProof proof) throws EcfsException {
        return wire.server(proof, (session, request) -> {
                    seen.set(session);
                    return WireFixture.acknowledge(session, request);
                })
                .address();
    }

    private static Greeting.Hello hello(String role) {
        return new Greeting.Hello(Greeting.PROTOCOL_VERSION, "c1", role.replace(' ', '/'), List.of(), role);
    }

    /** Something that both users and datanodes may ask. */
    private static VolumeLoad.Ask question() {
        return new VolumeLoad.Ask(new VolumeId(1));
    }

    private EcfsException refusal(Address server, PeerProof proof) throws Exception {
        return failure(wire.client(hello("datanode dn1"), proof).call(server, question(), LONG));
    }

    @Test
    void aDaemonWithTheTokenIsKnownByItsName() throws Exception {
        Address server = server(proof(true, OURS));
        result(wire.client(hello("datanode dn1"), proof(true, OURS)).call(server, question(), LONG));
        assertThat(seen.get().identity()).isEqualTo(new PeerIdentity.Datanode(new DatanodeId("dn1")));
        assertThat(seen.get().user()).isEqualTo("datanode/dn1");
    }

    @Test
    void aSecretIsReplacedWhileDaemonsTalk() throws Exception {
        Address server = server(proof(true, OURS, THEIRS));
        for (String[] secrets : new String[][] {{THEIRS, OURS}, {OURS, THEIRS}, {OURS}}) {
            result(wire.client(hello("datanode dn1"), proof(true, secrets)).call(server, question(), LONG));
            assertThat(seen.getAndSet(null).identity()).isInstanceOf(PeerIdentity.Datanode.class);
        }
    }

    @Test
    void aWrongTokenIsRefusedByTheServer() throws Exception {
        EcfsException refusal = refusal(server(proof(false, OURS)), proof(false, THEIRS));
        assertThat(refusal.code()).isEqualTo(ErrorCode.ACCESS_DENIED);
        assertThat(refusal).hasMessageContaining("copy the file").hasMessageNotContaining("\n");
        assertThat(seen.get()).isNull();
    }

    /** A server that takes any proof still has to show one. */
    @Test
    void aServerWithAnotherTokenIsRefusedByTheCaller() throws Exception {
        EcfsException refusal = refusal(server(proof(false, THEIRS, OURS)), proof(true, OURS));
        assertThat(refusal.code()).isEqualTo(ErrorCode.ACCESS_DENIED);
        assertThat(seen.get()).isNull();
    }

    @Test
    void anUnprovedServerIsTakenUnlessAProofIsRequired() throws Exception {
        Address server = server(proof(false));
        result(wire.client(hello("datanode dn1"), proof(false, OURS)).call(server, question(), LONG));
        assertThat(seen.get().identity()).isEqualTo(new PeerIdentity.User("datanode/dn1"));
        assertThat(refusal(server, proof(true, OURS)).code()).isEqualTo(ErrorCode.ACCESS_DENIED);
    }

    @Test
    void aNameAloneProvesNothing() throws Exception {
        result(wire.client(hello("namenode nn1"), proof(false)).call(server(proof(true, OURS)), question(), LONG));
        assertThat(seen.get().identity()).isEqualTo(new PeerIdentity.User("namenode/nn1"));
    }

    @Test
    void usersAreWelcomedAtOnceAndProveNothing() throws Exception {
        Address server = server(proof(true, OURS));
        try (RawPeer peer = new RawPeer(server)) {
            Greeting.Welcome welcome = (Greeting.Welcome) peer.ask(hello("client"));
            assertThat(welcome.nonce()).isEmpty();
            assertThat(peer.ask(question())).isInstanceOf(ChunkReply.Written.class);
            assertThat(seen.get().identity()).isEqualTo(new PeerIdentity.User("client"));
        }
        try (RawPeer user = new RawPeer(server)) {
            assertThat(proveWith(user, hello("client"), OURS))
                    .isInstanceOfSatisfying(
                            Failure.class, refused -> assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
        }
    }

    private static Object proveWith(RawPeer peer, Greeting.Hello said, String secret) throws Exception {
        Greeting.Hello hello = said.with("7".repeat(64));
        Greeting.Welcome welcome = (Greeting.Welcome) peer.ask(hello);
        return peer.ask(
                new Greeting.Prove(JoinToken.of(List.of(secret)).prove(JoinToken.Prover.CALLER, hello, welcome)));
    }

    @Test
    void aReplayedProofIsNone() throws Exception {
        Address server = server(proof(true, OURS));
        Greeting.Hello hello = hello("datanode dn1").with("7".repeat(64));
        Greeting.Prove recorded;
        try (RawPeer honest = new RawPeer(server)) {
            Greeting.Welcome welcome = (Greeting.Welcome) honest.ask(hello);
            recorded = new Greeting.Prove(JoinToken.of(List.of(OURS)).prove(JoinToken.Prover.CALLER, hello, welcome));
            assertThat(honest.ask(recorded)).isInstanceOf(Greeting.Proved.class);
        }
        try (RawPeer attacker = new RawPeer(server)) {
            attacker.ask(hello);
            assertThat(attacker.ask(recorded))
                    .isInstanceOfSatisfying(
                            Failure.class, refused -> assertThat(refused.code()).isEqualTo(ErrorCode.ACCESS_DENIED));
            assertThatThrownBy(attacker::receive).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void nothingIsAnsweredBeforeTheProof() throws Exception {
        Address server = server(proof(true, OURS));
        try (RawPeer attacker = new RawPeer(server)) {
            attacker.ask(hello("datanode dn1").with("7".repeat(64)));
            assertThat(attacker.ask(question())).isInstanceOf(Failure.class);
            assertThatThrownBy(attacker::receive).isInstanceOf(EOFException.class);
        }
        assertThat(seen.get()).isNull();
    }

    private record Refused(Greeting.Hello hello, String message) {}

    @Test
    void namesThatCouldBeNoNamesAreRefusedWithoutAWordOfThem() throws Exception {
        Address server = server(proof(false));
        String user = "the caller's user name is not valid: use 1 to 64 characters";
        String group = "a group of the caller is not valid: use 1 to 256 characters";
        String role = "the peer's role is not valid: use 1 to 256 characters";
        List<Refused> bad = List.of(
                new Refused(greeting("", List.of(), "client"), user),
                new Refused(greeting("evil\nevent=granted", List.of(), "client"), user),
                new Refused(greeting("evil user", List.of(), "client"), user),
                new Refused(greeting("evil".repeat(17), List.of(), "client"), user),
                new Refused(greeting("-evil", List.of(), "client"), user),
                new Refused(greeting("datanode dn1", List.of(), "client"), user),
                new Refused(greeting("datanode evil user", List.of(), "datanode evil user"), user),
                new Refused(greeting("ada", List.of("evil\n"), "client"), group),
                new Refused(greeting("ada", List.of("", "evil"), "client"), group),
                new Refused(
                        greeting("ada", Collections.nCopies(65, "evil"), "client"),
                        "the caller sends 65 groups: send at most 64"),
                new Refused(greeting("ada", List.of(), "evil\rrole"), role),
                new Refused(greeting("ada", List.of(), "evil\u202erole"), role),
                new Refused(greeting("ada", List.of(), "evil".repeat(65)), role),
                new Refused(
                        new Greeting.Hello(Greeting.PROTOCOL_VERSION, "evil\ncluster", "ada", List.of(), "client"),
                        "the peer's cluster id is not valid: use 1 to 256 characters"));
        for (Refused one : bad) {
            try (RawPeer peer = new RawPeer(server)) {
                assertThat(peer.ask(one.hello())).isInstanceOfSatisfying(Failure.class, refused -> {
                    assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
                    assertThat(refused.message()).startsWith(one.message()).doesNotContain("evil", "\n");
                });
            }
        }
        for (Greeting.Hello hello : List.of(
                greeting("hdfs/host.example@REALM", Collections.nCopies(64, "Domain Users"), "client"),
                greeting("host$", List.of(), "client"),
                greeting("datanode dn-1", List.of(), "datanode dn-1"))) {
            try (RawPeer peer = new RawPeer(server)) {
                assertThat(peer.ask(hello)).isInstanceOf(Greeting.Welcome.class);
            }
        }
    }

    private static Greeting.Hello greeting(String user, List<String> groups, String role) {
        return new Greeting.Hello(Greeting.PROTOCOL_VERSION, "c1", user, groups, role);
    }

    @Test
    void peersOfLevel1ProveNothingAndAreUnderstood() throws Exception {
        record HelloOfLevel1(
                int protocolVersion,
                String clusterId,
                String user,
                List<String> groups,
                String role,
                Optional<Integer> featureLevel) {}
        record WelcomeOfLevel1(int protocolVersion, String clusterId, String role, Optional<Integer> featureLevel) {}
        RecordCodec codec = new RecordCodec();
        Greeting.Hello old = codec.decode(
                Greeting.Hello.class,
                codec.encode(new HelloOfLevel1(2, "c1", "datanode dn1", List.of(), "datanode dn1", Optional.of(1))));
        assertThat(old.nonce()).isEmpty();
        assertThat(codec.decode(HelloOfLevel1.class, codec.encode(old.with("7".repeat(64))))
                        .role())
                .isEqualTo("datanode dn1");
        Greeting.Welcome welcome = codec.decode(
                Greeting.Welcome.class, codec.encode(new WelcomeOfLevel1(2, "c1", "namenode nn0", Optional.of(1))));
        assertThat(welcome.nonce()).isEmpty();
    }

    @Test
    void tailRecordsAreForUsersButCellsForDatanodesTooThatRelayOrRewrite() throws Exception {
        Address server = server(proof(true, OURS));
        ChunkRequest.WriteCells write = WireFixture.write(0);
        var datanode = wire.client(hello("datanode dn1"), proof(true, OURS));
        ChunkRequest.SyncChunk sync =
                new ChunkRequest.SyncChunk(write.chunk(), 5, new SentBefore(0, -1), Optional.empty());
        assertThat(failure(datanode.call(server, sync, LONG)).code()).isEqualTo(ErrorCode.ACCESS_DENIED);
        result(datanode.call(server, write, LONG));
        result(wire.client(WireOptions.defaults()).call(server, write, LONG));
    }
}
