package io.ecfs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.client.read.stream.EcfsInputStream;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.WriteShare;
import io.ecfs.wire.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WriteAndReadTest extends ClusterTest {

    @ParameterizedTest
    @ValueSource(strings = {"rs-2-1-4k", "rs-3-2-4k", "rs-6-3-4k", "replication-3-4k", "xor-2-1-4k", "rs-3-2-12k"})
    void lengthsAroundEveryCellEdgeAreReadAsTheyWereWritten(String name) throws IOException {
        Policy policy = Policy.parse(name);
        start(policy.chunks());
        for (long length : edgeLengths(policy, 3)) {
            write(FILE, policy, length);
            assertThat(readAll(FILE)).as("length %d", length).isEqualTo(Bytes.range(0, length));
            assertThat(Await.result(client.status(FILE)).length()).isEqualTo(length);
            if (length > 0) {
                GroupId group = onlyGroup(FILE);
                GroupLayout layout = new GroupLayout(policy, length);
                for (int index = 0; index < policy.chunks(); index++) {
                    ChunkId id = new ChunkId(group, index, 0);
                    assertThat((long) cluster.on(c -> c.chunk(id).bytes().length))
                            .as("%s of %d", id, length)
                            .isEqualTo(layout.chunkBytes(index));
                }
            } else {
                assertThat(groups(FILE)).isEmpty();
            }
        }
    }

    @Test
    void theTimesOfAWriteHaveEveryStep() throws IOException {
        Policy policy = Policy.parse("rs-3-2-64k");
        start(5);
        write(FILE, policy, 3 * policy.stripeBytes() + 1);
        WriteShare before = client.writeTimes().get(0);
        assertThat(before.stripes()).as("three full ones and a tail").isEqualTo(4);
        assertThat(before.bytes()).isEqualTo(3 * policy.stripeBytes() + 1);
        assertThat(List.of(before.copying(), before.asking(), before.encoding(), before.distributing()))
                .allMatch(nanos -> nanos > 0);

        write(new FilePath("/second"), policy, policy.stripeBytes());
        assertThat(client.writeTimes().get(0).since(before).stripes()).isEqualTo(1);
    }

    @Test
    void preadOfFourKiBAsksOneChunkForOneWindow() throws IOException {
        Policy policy = Policy.parse("rs-3-2-64k");
        start(5);
        write(FILE, policy, 1_000_000);
        FileReader file = Await.result(client.open(FILE));
        cluster.takeChunkRequests();
        assertThat(read(file, 300 * 1024, 304 * 1024)).isEqualTo(Bytes.range(300 * 1024, 304 * 1024));
        List<ChunkRequest> requests = cluster.takeChunkRequests();
        assertThat(requests).hasSize(1);
        ChunkRequest.ReadChunk read = (ChunkRequest.ReadChunk) requests.get(0);
        assertThat(read.bytes()).isEqualTo(4096);
        assertThat(read.chunk().index()).isEqualTo(300 / 64 % 3);
        assertThat(read.offset()).isEqualTo(300 / 192 * 64 * 1024 + 300 % 64 * 1024);
    }

    // HORRORS 15 (HDFS-16422), 42 (Ceph PR 58749): every read gets the bytes of its own place.
    @Test
    // HDDS-6259, HDDS-7407, HDDS-8276
    void concurrentPreadsAtRandomPlacesGetTheirOwnBytes() throws Exception {
        Policy policy = Policy.parse("rs-3-2-4k");
        start(5);
        long length = 301_777;
        write(FILE, policy, length);
        cluster.stopHolders(onlyGroup(FILE), java.util.Set.of(1));
        FileReader file = Await.result(client.open(FILE));
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<Void>> done = new ArrayList<>();
            for (int t = 0; t < 8; t++) {
                long seed = 77L + t;
                done.add(threads.submit((Callable<Void>) () -> {
                    Random random = new Random(seed);
                    for (int i = 0; i < 60; i++) {
                        long from = random.nextInt((int) length);
                        long to = Math.min(length, from + 1 + random.nextInt(50_000));
                        assertThat(read(file, from, to)).as("seed %d", seed).isEqualTo(Bytes.range(from, to));
                    }
                    return null;
                }));
            }
            for (Future<Void> one : done) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void streamWithSeeksReadsWhatLiesThere() throws IOException {
        Policy policy = Policy.parse("rs-3-2-4k");
        start(5);
        long length = 500_001;
        write(FILE, policy, length);
        Random random = new Random(5);
        try (EcfsInputStream in = Await.result(client.open(FILE)).stream()) {
            for (int i = 0; i < 200; i++) {
                if (i % 3 == 0) {
                    in.seek(random.nextInt((int) length + 1));
                }
                long from = in.position();
                byte[] bytes = new byte[1 + random.nextInt(40_000)];
                int count = in.readNBytes(bytes, 0, bytes.length);
                long to = Math.min(length, from + bytes.length);
                assertThat(count).as("seed 5, step %d", i).isEqualTo((int) (to - from));
                assertThat(java.util.Arrays.copyOf(bytes, count)).isEqualTo(Bytes.range(from, to));
            }
            assertThatThrownBy(() -> in.seek(length + 1)).hasMessageContaining("seek to " + (length + 1));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void lentBytesAreThoseOfTheirPlace(int stopped) throws IOException {
        Policy policy = Policy.parse("rs-3-2-4k");
        start(5);
        int length = 500_001;
        write(FILE, policy, length);
        if (stopped > 0) {
            cluster.stopHolders(onlyGroup(FILE), java.util.Set.of(1));
        }
        Random random = new Random(6);
        try (EcfsInputStream in = Await.result(client.open(FILE)).stream()) {
            for (int i = 0; i < 200; i++) {
                if (i % 5 == 0) {
                    in.seek(random.nextInt(length));
                }
                long from = in.position();
                long most = 1L + random.nextInt(40_000);
                ByteArrayOutputStream lent = new ByteArrayOutputStream();
                long count = in.lend(most, bytes -> {
                    byte[] copy = new byte[bytes.remaining()];
                    bytes.get(copy);
                    lent.writeBytes(copy);
                });
                assertThat(in.position()).isEqualTo(from + Math.max(0, count));
                if (from == length) {
                    assertThat(count).isEqualTo(-1);
                } else {
                    assertThat(count).isBetween(1L, most);
                }
                assertThat(lent.toByteArray()).isEqualTo(Bytes.range(from, in.position()));
            }
        }
    }

    @Test
    void whatTheBorrowerRefusesIsLentAgain() throws IOException {
        start(3);
        write(FILE, Policy.parse("rs-2-1-4k"), 100_000);
        try (EcfsInputStream in = Await.result(client.open(FILE)).stream()) {
            assertThatThrownBy(() -> in.lend(Long.MAX_VALUE, bytes -> {
                        throw new IOException("full");
                    }))
                    .hasMessage("full");
            assertThat(in.position()).isZero();
            assertThat(in.readAllBytes()).isEqualTo(Bytes.range(0, 100_000));
        }
    }

    @Test
    void whatWasFlushedIsReadableWhileTheFileIsStillWritten() throws IOException {
        Policy policy = Policy.parse("rs-3-2-4k");
        start(5);
        try (EcfsOutputStream out = create(FILE, policy)) {
            append(out, 20_000);
            out.hflush();
            assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, 20_000));
            out.hflush();
            append(out, 20_001);
            out.hsync();
            assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, 20_001));
            append(out, 70_000);
        }
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, 70_000));
        assertThat(groups(FILE)).hasSize(1);
    }

    @Test
    void syncPutsWhatWasFlushedBeforeOnDiskToo() throws IOException {
        Policy policy = Policy.parse("rs-2-1-4k");
        start(3);
        try (EcfsOutputStream out = create(FILE, policy)) {
            append(out, 10_000);
            out.hflush();
            assertThat(cluster.<Boolean>on(MemoryCluster::allSynced)).isFalse();
            append(out, 20_000);
            out.hsync();
            assertThat(cluster.<Boolean>on(MemoryCluster::allSynced)).isTrue();
        }
    }

    @Test
    void smallFileTakesTwoNamenodeMutations() throws IOException {
        start(3);
        write(FILE, Policy.parse("rs-2-1-4k"), 100);
        List<String> mutations = cluster.on(c -> c.namenode().requests.stream()
                .filter(r -> r instanceof NamespaceRequest.Mutation)
                .map(r -> r.getClass().getSimpleName())
                .toList());
        assertThat(mutations).containsExactly("OpenSession", "Create", "CompleteFile");
    }

    @Test
    void closingTwiceIsFineAndWritingAfterwardsIsNot() throws IOException {
        start(3);
        EcfsOutputStream out = create(FILE, Policy.parse("rs-2-1-4k"));
        out.write(1);
        out.close();
        out.close();
        assertThatThrownBy(() -> out.write(2)).hasMessageContaining("closed");
    }

    @Test
    void abortedFileDisappears() throws IOException {
        start(3);
        EcfsOutputStream out = create(FILE, Policy.parse("rs-2-1-4k"));
        append(out, 100_000);
        out.abort();
        assertThatThrownBy(() -> Await.result(client.status(FILE))).hasMessageContaining("no file");
        out.close();
    }

    /** As when it was taken over: what was synced is then all that recovery has. */
    @Test
    void abortOfAFileThatIsNoLongerTheWritersLeavesTheChunks() throws IOException {
        start(3);
        EcfsOutputStream out = create(FILE, Policy.parse("rs-2-1-4k"));
        append(out, 100_000);
        out.hsync();
        cluster.fate(request -> request instanceof NamespaceRequest.AbandonFile
                ? new MemoryCluster.Fate.Fails(ErrorCode.LEASE_CONFLICT)
                : new MemoryCluster.Fate.Answered());
        assertThatThrownBy(out::abort).hasMessageContaining("told to fail");
        assertThat(cluster.takeChunkRequests()).noneMatch(request -> request instanceof ChunkRequest.AbortChunk);
    }

    @Test
    void budgetBelowOneStripeFailsAtCreateAndNamesTheBytesNeeded() {
        start(9);
        Policy policy = Policy.parse("rs-6-3-1024k");
        assertThatThrownBy(() -> create(FILE, policy))
                .hasMessageContaining(Long.toString(EcfsOutputStream.stripeMemoryBytes(policy)))
                .hasMessageContaining("writeBudgetBytes");
        cluster.setDefaultPolicy(policy);
        assertThatThrownBy(() -> Await.result(client.create(FILE, CreateOptions.defaults())))
                .hasMessageContaining("writeBudgetBytes");
        assertThatThrownBy(() -> Await.result(client.status(FILE))).hasMessageContaining("no file");
    }

    @Test
    void manyWritersShareTheBudgetAndAllFinish() throws Exception {
        Policy policy = Policy.parse("rs-3-2-64k");
        start(5);
        ExecutorService threads = Executors.newFixedThreadPool(40);
        try {
            List<Future<Void>> done = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                FilePath path = new FilePath("/many/" + i);
                done.add(threads.submit((Callable<Void>) () -> {
                    write(path, policy, 1_000_000);
                    return null;
                }));
            }
            for (Future<Void> one : done) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(readAll(new FilePath("/many/17"))).isEqualTo(Bytes.range(0, 1_000_000));
    }

    @Test
    void leasesAreRenewedWhileAFileIsOpenAndNotAfter() throws IOException {
        start(3);
        EcfsOutputStream out = create(FILE, Policy.parse("rs-2-1-4k"));
        Awaitility.await().until(() -> renewals() >= 2);
        out.close();
        long after = renewals();
        Awaitility.await().during(java.time.Duration.ofMillis(150)).until(() -> renewals() <= after + 1);
    }

    private long renewals() {
        return cluster.on(c -> c.namenode().requests.stream()
                .filter(r -> r instanceof NamespaceRequest.RenewLease)
                .count());
    }

    @Test
    void readingAtTheEndAndBehindIt() throws IOException {
        start(3);
        write(FILE, Policy.parse("rs-2-1-4k"), 10);
        FileReader file = Await.result(client.open(FILE));
        assertThat(file.read(10, java.nio.ByteBuffer.allocate(1))).isEqualTo(-1);
        assertThat(file.read(9, java.nio.ByteBuffer.allocate(5))).isEqualTo(1);
        assertThatThrownBy(() -> Await.result(client.open(new FilePath("/"))))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.IS_A_DIRECTORY));
    }
}
