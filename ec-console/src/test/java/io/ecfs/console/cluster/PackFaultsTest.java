package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.client.ClusterUri;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.Identity;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.FilePath;
import io.ecfs.message.Message;
import io.ecfs.message.namespace.NamespaceRequest.CommitFiles;
import io.ecfs.message.namespace.NamespaceRequest.OpenPack;
import io.ecfs.message.namespace.PackedFile;
import io.ecfs.wire.Await;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packs whose bytes or answers got lost. */
class PackFaultsTest {
    @TempDir
    private static Path directory;

    private static TestCluster cluster;

    @BeforeAll
    static void up() throws IOException {
        cluster = TestCluster.start(directory, "rs-2-1-64k", 1, 4);
    }

    @AfterAll
    static void down() {
        cluster.close();
    }

    /** A network in which some calls go wrong. */
    private interface Fault {
        CompletableFuture<Envelope> call(
                Caller network, Address to, Message request, ByteBuf payload, Duration timeout);
    }

    private static EcfsClient client(Fault fault, String... settings) throws EcfsException {
        UnaryOperator<Caller> faulty = network -> new Caller() {
            @Override
            public CompletableFuture<Envelope> call(Address to, Message request, ByteBuf payload, Duration timeout) {
                return fault.call(network, to, request, payload, timeout);
            }

            @Override
            public void close() {
                network.close();
            }
        };
        ClientConfig config = ClientConfig.defaults().with(settings).with("local.on=off");
        return EcfsClient.connect(ClusterUri.resolve(cluster.uri()), config, Identity.ofThisProcess(), faulty);
    }

    /** A commit that has the files end behind what was written, as after power took the bytes. */
    private static CommitFiles stretched(CommitFiles commit) {
        return new CommitFiles(
                commit.request(),
                commit.pack(),
                commit.files().stream()
                        .map(file -> new PackedFile(
                                file.file(),
                                file.pieces().stream()
                                        .map(piece -> new PackedFile.Piece(
                                                piece.group(), piece.offset(), piece.length() + 50_000))
                                        .toList()))
                        .toList());
    }

    private static JsonNode fsck(String path, int code) throws IOException {
        Ecfs ran = Ecfs.run("admin", "fsck", "--cluster", cluster.uri(), path, "--json");
        assertThat(ran.code()).as(ran.err()).isEqualTo(code);
        return ran.json();
    }

    @Test
    void fsckListsTheFilesThatEndBehindTheEndOfTheirPack() throws Exception {
        AtomicInteger commits = new AtomicInteger();
        try (EcfsClient client = client((network, to, request, payload, timeout) -> network.call(
                to,
                request instanceof CommitFiles commit && commits.incrementAndGet() == 2 ? stretched(commit) : request,
                payload,
                timeout))) {
            TestCluster.write(client, "/beyond/kept", Pattern.bytes(1, 1000));
            TestCluster.write(client, "/beyond/lost", Pattern.bytes(2, 1000));
        }
        await("the pack is sealed")
                .atMost(TestCluster.PATIENCE)
                .until(() -> cluster.report().at("/groups/open").asLong() == 0);
        assertThat(cluster.read("/beyond/kept")).isEqualTo(Pattern.bytes(1, 1000));
        assertThatThrownBy(() -> cluster.read("/beyond/lost"))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.GROUP_UNREADABLE));
        JsonNode problems = fsck("/", 1).get("problems");
        assertThat(problems.findValuesAsText("path")).containsExactly("/beyond/lost");
        assertThat(problems.get(0).get("lost").asBoolean()).isTrue();
        assertThat(problems.get(0).get("doing").asText()).contains("50000 of its bytes");
        assertThat(fsck("/beyond/kept", 0).get("problems")).isEmpty();
        assertThat(Ecfs.run("admin", "fsck", "--cluster", cluster.uri()).text())
                .contains("UNAVAILABLE /beyond/lost", "are shared by small files");
        Await.result(cluster.client().delete(new FilePath("/beyond/lost"), false));
        await("nothing refers to the lost bytes")
                .atMost(TestCluster.PATIENCE)
                .untilAsserted(() ->
                        assertThat(fsck("/", 0).get("packedGroups").asLong()).isPositive());
    }

    @Test
    void fsckListsTheFilesOfAPackThatLostItsDatanodesBeforeItWasSealed(@TempDir Path own) throws Exception {
        try (TestCluster small = TestCluster.start(own, "rs-2-1-64k", 1, 3, "client.pack.idle=1h")) {
            small.write("/open/a", Pattern.bytes(1, 1000));
            assertThat(Ecfs.run("admin", "fsck", "--cluster", small.uri()).code())
                    .isZero();
            small.stop("dn0", "dn1");
            await("the file is listed").atMost(TestCluster.PATIENCE).untilAsserted(() -> {
                Ecfs ran = Ecfs.run("admin", "fsck", "--cluster", small.uri());
                assertThat(ran.code()).isOne();
                assertThat(ran.text()).contains("UNAVAILABLE /open/a", "its pack was not sealed");
            });
            small.start("dn0", "dn1");
            await("it is healthy")
                    .atMost(TestCluster.PATIENCE)
                    .untilAsserted(() -> assertThat(Ecfs.run("admin", "fsck", "--cluster", small.uri())
                                    .code())
                            .isZero());
            assertThat(small.read("/open/a")).isEqualTo(Pattern.bytes(1, 1000));
        }
    }

    @Test
    void aPackThatWasOpenedTooLateIsClosed() throws Exception {
        AtomicInteger openings = new AtomicInteger();
        CompletableFuture<Void> answered = new CompletableFuture<>();
        Fault late = (network, to, request, payload, timeout) -> {
            CompletableFuture<Envelope> call = network.call(to, request, payload, timeout);
            if (!(request instanceof OpenPack) || answered.isDone()) {
                return call;
            }
            openings.incrementAndGet();
            return call.thenCompose(answer -> {
                answer.release();
                return CompletableFuture.failedFuture(new EcfsException(ErrorCode.TIMEOUT, "no answer in time"));
            });
        };
        try (EcfsClient client = client(late, "namenodeDeadline=1s")) {
            TestCluster.write(client, "/late", Pattern.bytes(3, 1000));
            assertThat(openings.get()).isPositive();
            assertThat(cluster.report().at("/groups/open").asLong()).isOne();
            answered.complete(null);
            await("the pack is closed though its client lives")
                    .atMost(TestCluster.PATIENCE)
                    .until(() -> cluster.report().at("/groups/open").asLong() == 0);
            assertThat(cluster.read("/late")).isEqualTo(Pattern.bytes(3, 1000));
            TestCluster.write(client, "/later", Pattern.bytes(4, 1000));
            assertThat(cluster.layout("/later").at("/groups/0/pack/files").asLong())
                    .isOne();
        }
    }

    @Test
    void aLayoutSaysHowManyFilesShareAGroup() throws Exception {
        try (EcfsClient client = client(Caller::call)) {
            for (int i = 0; i < 3; i++) {
                TestCluster.write(client, "/laid/f" + i, Pattern.bytes(i, 100));
            }
            TestCluster.write(client, "/laid/own", Pattern.bytes(4, 300_000));
        }
        JsonNode pack = cluster.layout("/laid/f1").at("/groups/0/pack");
        assertThat(pack.get("files").asInt()).isEqualTo(3);
        assertThat(pack.get("liveBytes").asInt()).isEqualTo(300);
        assertThat(cluster.layout("/laid/own").at("/groups/0/pack").isNull()).isTrue();
        assertThat(Ecfs.run("admin", "layout", "--cluster", cluster.uri(), "/laid/f2")
                        .well()
                        .text())
                .contains("pack of 3 files, 300 bytes live");
    }
}
