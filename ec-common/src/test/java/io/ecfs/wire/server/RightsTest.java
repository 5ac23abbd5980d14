package io.ecfs.wire.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.env.real.RealEnvironment;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.CancelCalls;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.Failure;
import io.ecfs.message.Greeting;
import io.ecfs.message.Message;
import io.ecfs.message.chunk.ChunkReads;
import io.ecfs.message.datanode.DatanodeReport;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.snapshot.SnapshotRequest;
import io.ecfs.token.JoinToken;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.RawPeer;
import io.ecfs.wire.Session;
import io.ecfs.wire.WireFixture;
import io.ecfs.wire.codec.SampleRecords;
import io.ecfs.wire.codec.WireNumbers;
import io.ecfs.wire.server.Rights.Asker;
import io.ecfs.wire.tls.PeerProof;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An attacker who speaks frames sends every message that travels, as everybody that he can be, and reaches a handler
 * with what the table lets that one ask, and with nothing else.
 */
@Timeout(300)
class RightsTest {
    private static final String OURS = "01".repeat(32);
    private static final String THEIRS = "ff".repeat(32);
    private static final long SEED = 7;

    /** What every server answers itself, without its handler; calling off is not answered. */
    private static final Set<String> NOT_HANDLED = Set.of("ReadCounts", "CancelCalls");

    private final WireFixture wire = new WireFixture();
    private final Set<String> handled = new ConcurrentSkipListSet<>();
    private volatile boolean required = true;

    @AfterEach
    void end() {
        wire.close();
    }

    private CompletionStage<Envelope> handle(Session session, Envelope request) {
        handled.add(request.head().getClass().getSimpleName());
        request.release();
        return CompletableFuture.completedFuture(Envelope.of(new NamespaceReply.Done()));
    }

    private WireServer server() throws IOException {
        return wire.server(
                new PeerProof(
                        Optional.of(JoinToken.of(List.of(OURS))),
                        RealEnvironment.open().randomness(),
                        () -> required),
                this::handle);
    }

    private static Greeting.Hello hello(String user, String role) {
        return new Greeting.Hello(Greeting.PROTOCOL_VERSION, "c1", user, List.of("supergroup"), role);
    }

    /** @return names of the messages that reached the handler */
    private Set<String> allSent(WireServer server, Greeting.Hello hello, Optional<String> secret) throws IOException {
        handled.clear();
        Set<String> sent = new TreeSet<>();
        try (RawPeer peer = new RawPeer(server.address())) {
            if (secret.isEmpty()) {
                assertThat(peer.ask(hello)).isInstanceOf(Greeting.Welcome.class);
            } else {
                prove(peer, hello, secret.get());
            }
            for (Message message : all()) {
                sent.add(message.getClass().getSimpleName());
                peer.send(RawPeer.frame(2, message, 0));
                if (!(message instanceof CancelCalls)) {
                    int answers =
                            message instanceof ChunkReads reads ? reads.reads().size() : 1;
                    for (int i = 0; i < answers; i++) {
                        peer.receive();
                    }
                }
            }
        }
        assertThat(sent).hasSize(WireNumbers.all().size());
        return Set.copyOf(handled);
    }

    private static Greeting.Welcome prove(RawPeer peer, Greeting.Hello said, String secret) throws IOException {
        Greeting.Hello hello = said.with("7".repeat(64));
        Greeting.Welcome welcome = (Greeting.Welcome) peer.ask(hello);
        assertThat(peer.ask(new Greeting.Prove(
                        JoinToken.of(List.of(secret)).prove(JoinToken.Prover.CALLER, hello, welcome))))
                .isInstanceOf(Greeting.Proved.class);
        return welcome;
    }

    private static List<Message> all() {
        SampleRecords samples = new SampleRecords(SEED);
        List<Message> all = new ArrayList<>();
        WireNumbers.all().values().forEach(kind -> all.add((Message) samples.any(kind)));
        return all;
    }

    /** Of the messages that go to a handler, whose name there is that of what it asks. */
    private static Set<String> allowed(Asker... askers) {
        Set<String> names = new TreeSet<>();
        for (Class<? extends Message> kind : WireNumbers.all().values()) {
            Set<Asker> of = EnumSet.noneOf(Asker.class);
            of.addAll(Rights.of(kind));
            of.retainAll(List.of(askers));
            if (!of.isEmpty() && !NOT_HANDLED.contains(kind.getSimpleName())) {
                names.add(kind == ChunkReads.class ? "ReadChunk" : kind.getSimpleName());
            }
        }
        return names;
    }

    @Test
    void everyMessageHasOneRow() {
        for (Map.Entry<Integer, Class<? extends Message>> entry :
                WireNumbers.all().entrySet()) {
            assertThat(Rights.of(entry.getValue()))
                    .as("%s %s", entry.getKey(), entry.getValue())
                    .isNotNull();
        }
    }

    @Test
    void whatTellsKeysIsForDaemonsAlone() {
        for (Class<?> kind : DatanodeReport.class.getPermittedSubclasses()) {
            assertThat(Rights.of(kind.asSubclass(Message.class))).containsExactly(Asker.DATANODE_ITSELF);
        }
        for (Class<?> kind : SnapshotRequest.class.getPermittedSubclasses()) {
            assertThat(Rights.of(kind.asSubclass(Message.class))).containsExactly(Asker.NAMENODE);
        }
        assertThat(Rights.of(NamespaceRequest.GetNamenodeState.class)).containsExactly(Asker.NAMENODE);
    }

    @Test
    void aStrangerGetsNoAnswerToAnyMessage() throws IOException {
        WireServer server = server();
        for (Message message : all()) {
            if (!(message instanceof Greeting.Hello)) {
                try (RawPeer peer = new RawPeer(server.address())) {
                    assertThat(peer.ask(message)).isInstanceOf(Failure.class);
                    assertThatThrownBy(peer::receive).isInstanceOf(EOFException.class);
                }
            }
        }
        assertThat(handled).isEmpty();
    }

    @Test
    void whoProvesNothingIsAUserWhateverHeCallsHimself() throws IOException {
        WireServer server = server();
        for (Greeting.Hello hello : List.of(
                hello("ada", "client"),
                hello("root", "namenode nn0"),
                hello("datanode dn1", "datanode dn1"),
                hello("ada", "datanode d"))) {
            assertThat(allSent(server, hello, Optional.empty())).as("%s", hello).isEqualTo(allowed(Asker.USER));
        }
    }

    @Test
    void aWrongTokenOpensNothing() throws IOException {
        WireServer server = server();
        Greeting.Hello hello = hello("datanode dn1", "datanode dn1").with("7".repeat(64));
        for (Message message : all()) {
            try (RawPeer peer = new RawPeer(server.address())) {
                Greeting.Welcome welcome = (Greeting.Welcome) peer.ask(hello);
                peer.send(RawPeer.frame(
                        1,
                        new Greeting.Prove(
                                JoinToken.of(List.of(THEIRS)).prove(JoinToken.Prover.CALLER, hello, welcome)),
                        0));
                assertThat(peer.receive())
                        .isInstanceOfSatisfying(
                                Failure.class,
                                refused -> assertThat(refused.code()).isEqualTo(ErrorCode.ACCESS_DENIED));
                try {
                    peer.ask(message);
                } catch (IOException closed) {
                    continue;
                }
                throw new AssertionError(message + " was answered");
            }
        }
        assertThat(handled).isEmpty();
    }

    @Test
    void aProvedDaemonAsksWhatIsItsOwn() throws IOException {
        WireServer server = server();
        assertThat(allSent(server, hello("root", "namenode nn1"), Optional.of(OURS)))
                .isEqualTo(allowed(Asker.NAMENODE));
        // The samples speak for others: dn0 to dn99.
        assertThat(allSent(server, hello("datanode dn100", "datanode dn100"), Optional.of(OURS)))
                .isEqualTo(allowed(Asker.DATANODE));
        try (RawPeer peer = new RawPeer(server.address())) {
            prove(peer, hello("datanode dn1", "datanode dn1"), OURS);
            for (String name : List.of("dn1", "dn2")) {
                Message answer = peer.ask(new DatanodeReport.AwaitOrders(new DatanodeId(name), "uuid", 1));
                assertThat(answer instanceof Failure).as(name).isEqualTo(name.equals("dn2"));
            }
        }
    }

    /** While a cluster is upgraded from level 1. */
    @Test
    void unprovedDaemonsAreTakenAtTheirWordUntilAProofIsRequired() throws IOException {
        WireServer server = server();
        required = false;
        assertThat(allSent(server, hello("root", "namenode nn0"), Optional.empty()))
                .isEqualTo(allowed(Asker.USER, Asker.NAMENODE));
        assertThat(allSent(server, hello("ada", "client"), Optional.empty())).isEqualTo(allowed(Asker.USER));
        try (RawPeer peer = new RawPeer(server.address())) {
            peer.ask(hello("datanode dn1", "datanode dn1"));
            Message own = new DatanodeReport.AwaitOrders(new DatanodeId("dn1"), "uuid", 1);
            Message other = new DatanodeReport.AwaitOrders(new DatanodeId("dn2"), "uuid", 1);
            assertThat(peer.ask(own)).isInstanceOf(NamespaceReply.Done.class);
            assertThat(peer.ask(other)).isInstanceOf(Failure.class);
            required = true;
            assertThat(peer.ask(own)).isInstanceOf(Failure.class);
        }
    }
}
