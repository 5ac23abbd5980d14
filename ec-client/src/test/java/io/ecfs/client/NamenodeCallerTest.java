package io.ecfs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.client.MemoryCluster.Fate;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.FilePath;
import io.ecfs.message.RequestId;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class NamenodeCallerTest extends ClusterTest {
    private static final Address FOLLOWER = new Address("nn1", 1);
    private static final Address DEAD = new Address("nn2", 1);

    private void connect(Address... namenodes) {
        cluster = new MemoryCluster(3);
        cluster.on(c -> c.namenode().namenodes = List.of(namenodes));
        cluster.stop(DEAD);
        cluster.namenodeFate(
                address -> address.equals(FOLLOWER) ? new Fate.Fails(ErrorCode.NOT_LEADER) : new Fate.Answered());
    }

    private void open(Address... known) {
        client = new EcfsClient(new ClusterUri(List.of(known)), config(), cluster.environment, cluster, Kernels.java());
    }

    @Test
    void leaderIsFoundByAHintFromAFollowerAndPastADeadNamenode() throws IOException {
        connect(FOLLOWER, DEAD);
        open(DEAD, FOLLOWER);
        for (int i = 0; i < 20; i++) {
            Await.result(client.mkdirs(new FilePath("/d" + i), 0755, true));
        }
        assertThat(Await.result(client.status(new FilePath("/d19"))).directory())
                .isTrue();
    }

    @Test
    void safeModeAndOverloadAreWaitedOut() throws IOException {
        connect();
        AtomicInteger refusals = new AtomicInteger();
        cluster.fate(request -> request instanceof NamespaceRequest.Mkdirs && refusals.incrementAndGet() <= 4
                ? new Fate.Fails(refusals.get() % 2 == 0 ? ErrorCode.SAFE_MODE : ErrorCode.BUSY)
                : new Fate.Answered());
        open(cluster.leader);
        Await.result(client.mkdirs(new FilePath("/d"), 0755, true));
        assertThat(refusals.get()).isEqualTo(5);
    }

    @Test
    void retriesCarryTheSameRequestId() throws IOException {
        connect();
        AtomicInteger lost = new AtomicInteger();
        cluster.fate(request -> request instanceof NamespaceRequest.Mkdirs && lost.incrementAndGet() <= 2
                ? new Fate.AnswerLost()
                : new Fate.Answered());
        open(cluster.leader);
        Await.result(client.mkdirs(new FilePath("/d"), 0755, true));
        assertThat(namenodeRequests().stream()
                        .filter(r -> r instanceof NamespaceRequest.Mkdirs)
                        .map(r -> ((NamespaceRequest.Mkdirs) r).request())
                        .distinct())
                .hasSize(1);
        assertThat(lost.get()).isEqualTo(3);
    }

    @Test
    void aSessionIsOpenedOnceBeforeTheFirstMutation() throws IOException {
        connect();
        open(cluster.leader);
        for (int i = 0; i < 3; i++) {
            Await.result(client.mkdirs(new FilePath("/d" + i), 0755, true));
        }
        List<RequestId> ids = namenodeRequests().stream()
                .filter(r -> r instanceof NamespaceRequest.Mutation)
                .map(r -> ((NamespaceRequest.Mutation) r).request())
                .toList();
        assertThat(namenodeRequests().stream().filter(r -> r instanceof NamespaceRequest.Mutation))
                .first()
                .isInstanceOf(NamespaceRequest.OpenSession.class);
        assertThat(ids).hasSize(4).doesNotHaveDuplicates();
        assertThat(ids.get(3).oldestOpen())
                .as("all before are answered")
                .hasValue(ids.get(3).number());
    }

    @Test
    void aYoungMutationWithoutASessionHadNoEffectAndGoesOnInANewOne() throws IOException {
        connect();
        AtomicInteger sent = new AtomicInteger();
        cluster.fate(request -> request instanceof NamespaceRequest.Mkdirs && sent.incrementAndGet() == 1
                ? new Fate.Fails(ErrorCode.SESSION_EXPIRED)
                : new Fate.Answered());
        open(cluster.leader);
        Await.result(client.mkdirs(new FilePath("/a"), 0755, true));
        assertThat(namenodeRequests().stream().filter(r -> r instanceof NamespaceRequest.OpenSession))
                .hasSize(2);

        // As after a failover: the first attempt meets a namenode that leads no more, the next one a session that
        // ended.
        AtomicInteger again = new AtomicInteger();
        cluster.fate(request -> !(request instanceof NamespaceRequest.Mkdirs)
                ? new Fate.Answered()
                : switch (again.incrementAndGet()) {
                    case 1 -> new Fate.Fails(ErrorCode.NOT_LEADER);
                    case 2 -> new Fate.Fails(ErrorCode.SESSION_EXPIRED);
                    default -> new Fate.Answered();
                });
        Await.result(client.mkdirs(new FilePath("/b"), 0755, true));
        assertThat(again.get()).isEqualTo(3);
    }

    @Test
    void aCallThatWasAcknowledgedIsNotRepeated() throws IOException {
        connect();
        cluster.fate(request -> request instanceof NamespaceRequest.Mkdirs
                ? new Fate.Fails(ErrorCode.DUPLICATE_CALL)
                : new Fate.Answered());
        open(cluster.leader);
        assertThatThrownBy(() -> Await.result(client.mkdirs(new FilePath("/b"), 0755, true)))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DUPLICATE_CALL));
    }

    @Test
    void withoutALeaderTheErrorNamesEveryAddressTriedAndWhy() {
        connect();
        cluster.namenodeFate(address -> new Fate.Fails(ErrorCode.NOT_LEADER));
        cluster.stop(cluster.leader);
        open(DEAD, FOLLOWER);
        assertThatThrownBy(() -> Await.result(client.status(FilePath.ROOT)))
                .isInstanceOfSatisfying(
                        EcfsException.class,
                        e -> assertThat(e.code().retryable()).isTrue())
                .hasMessageContaining("GetStatus")
                .hasMessageContaining("nn1:1 (NOT_LEADER")
                .hasMessageContaining("nn2:1 (UNREACHABLE")
                .hasMessageContaining("nn0:1 (UNREACHABLE");
    }

    @Test
    void refusalThatARetryWouldNotChangeComesBackAtOnce() {
        connect();
        open(cluster.leader);
        long before = namenodeRequests().size();
        assertThatThrownBy(() -> Await.result(client.status(new FilePath("/none"))))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
        assertThat(namenodeRequests().size()).isLessThanOrEqualTo((int) before + 2);
    }

    @Test
    void clusterUriHoldsAllNamenodesAndRefusesWhatIsNone() {
        assertThat(ClusterUri.parse("ecfs://a:1,b:2,a:1").namenodes())
                .containsExactly(new Address("a", 1), new Address("b", 2));
        assertThat(ClusterUri.parse("ecfs://a:1,b:2")).hasToString("ecfs://a:1,b:2");
        for (String bad : List.of("hdfs://a:1", "ecfs:///x", "ecfs://a", "ecfs://a:1,", "ecfs://a:x")) {
            assertThatThrownBy(() -> ClusterUri.parse(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("ecfs://host:port");
        }
    }

    @Test
    void interruptedCallerIsToldAndStaysInterrupted() {
        connect();
        cluster.fate(request -> new Fate.Late(Duration.ofMillis(300)));
        open(cluster.leader);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> Await.result(client.status(FilePath.ROOT)))
                .isInstanceOf(java.io.InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void clientOverTheNetworkSaysThatNobodyAnswersAndClosesTwice() throws IOException {
        EcfsClient lonely =
                EcfsClient.connect(ClusterUri.parse("ecfs://127.0.0.1:1"), config(), new Identity("u", List.of()));
        assertThatThrownBy(() -> Await.result(lonely.status(FilePath.ROOT)))
                .hasMessageContaining("127.0.0.1:1 (UNREACHABLE");
        lonely.close();
        lonely.close();
    }
}
