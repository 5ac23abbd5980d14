package io.ecfs.client.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.ecfs.client.Bytes;
import io.ecfs.client.ClusterTest;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.MemoryCluster;
import io.ecfs.client.MemoryCluster.Fate;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.read.stream.EcfsInputStream;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.code.kernel.Program;
import io.ecfs.code.kernel.Schedule;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DegradedReadTest extends ClusterTest {

    private static ClientConfig noSuspicion() {
        return config().with("suspicion=1ms");
    }

    // HORRORS 17 (HDFS-16544): data and first parity lost, more than one stripe; 20 (HDDS-6256): short last stripes.
    @ParameterizedTest
    @ValueSource(strings = {"rs-2-1-4k", "rs-3-2-4k", "rs-6-3-4k", "replication-3-4k", "xor-2-1-4k"})
    void everyPatternOfUpToMDeadDatanodesReadsBackEqual(String name) throws IOException {
        Policy policy = Policy.parse(name);
        start(policy.chunks(), noSuspicion());
        for (long tail : new long[] {0, 1, 4097, policy.stripeBytes() - 1}) {
            long length = policy.stripeBytes() * 5 + tail;
            write(FILE, policy, length);
            GroupId group = onlyGroup(FILE);
            for (int dead = 1; dead <= policy.parityChunks(); dead++) {
                for (Set<Integer> pattern : choose(policy.chunks(), dead)) {
                    cluster.stopHolders(group, pattern);
                    assertThat(readAll(FILE))
                            .as("%d without %s", length, pattern)
                            .isEqualTo(Bytes.range(0, length));
                    cluster.heal();
                }
            }
        }
    }

    @Test
    void positionalReadsOfALostChunkDecodeOnlyTheColumnsTheyNeed() throws IOException {
        Policy policy = Policy.parse("rs-3-2-64k");
        start(5, noSuspicion());
        long length = 1_000_001;
        write(FILE, policy, length);
        FileReader file = Await.result(client.open(FILE));
        cluster.stopHolders(onlyGroup(FILE), Set.of(1, 3));
        Random random = new Random(3);
        for (int i = 0; i < 100; i++) {
            long from = random.nextInt((int) length);
            long to = Math.min(length, from + 1 + random.nextInt(300_000));
            assertThat(read(file, from, to)).as("seed 3, %d to %d", from, to).isEqualTo(Bytes.range(from, to));
        }
        cluster.takeChunkRequests();
        long inChunkOne = 64 * 1024 + 100;
        assertThat(read(file, inChunkOne, inChunkOne + 50)).isEqualTo(Bytes.range(inChunkOne, inChunkOne + 50));
        for (ChunkRequest request : cluster.takeChunkRequests()) {
            assertThat(((ChunkRequest.ReadChunk) request).bytes())
                    .as("%s", request)
                    .isEqualTo(50);
        }
    }

    @Test
    void oneDeadChunkTooManyFailsWithGroupCountsAndReasons() throws IOException {
        Policy policy = Policy.parse("rs-3-2-4k");
        start(5, noSuspicion());
        write(FILE, policy, 50_000);
        GroupId group = onlyGroup(FILE);
        cluster.stopHolders(group, Set.of(0, 2, 4));
        assertThatThrownBy(() -> readAll(FILE))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.GROUP_UNREADABLE))
                .hasMessageContaining(group.toString())
                .hasMessageContaining("2 of 5 chunks live, 3 needed")
                .hasMessageContaining(group + ".0 on dn")
                .hasMessageContaining("UNREACHABLE");
        cluster.heal();
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, 50_000));
    }

    // HORRORS 4 (HDFS-17003): only the damaged chunk is blamed.
    @Test
    void flippedBitIsNeverReturnedAndExactlyThatChunkIsReported() throws IOException {
        Policy policy = Policy.parse("rs-3-2-4k");
        start(5, noSuspicion());
        long length = 40_000;
        write(FILE, policy, length);
        GroupId group = onlyGroup(FILE);
        Random random = new Random(11);
        for (int index = 0; index < 5; index++) {
            ChunkId bad = new ChunkId(group, index, 0);
            int bit = random.nextInt(1 << 20);
            cluster.fate(request -> request instanceof ChunkRequest.ReadChunk read
                            && read.chunk().equals(bad)
                    ? new Fate.Flipped(bit)
                    : new Fate.Answered());
            assertThat(readAll(FILE)).as("seed 11, %s bit %d", bad, bit).isEqualTo(Bytes.range(0, length));
        }
        Awaitility.await()
                .untilAsserted(() -> assertThat(badChunks())
                        .extracting(b -> b.chunk().index(), BadChunk::reason)
                        .containsExactlyInAnyOrder(
                                tuple(0, BadChunk.Reason.CORRUPT),
                                tuple(1, BadChunk.Reason.CORRUPT),
                                tuple(2, BadChunk.Reason.CORRUPT)));
    }

    @Test
    void corruptChunksBeyondTheCodeAreAnErrorAndNeverBytes() throws IOException {
        Policy policy = Policy.parse("rs-3-2-4k");
        start(5, noSuspicion());
        write(FILE, policy, 40_000);
        cluster.fate(request ->
                request instanceof ChunkRequest.ReadChunk read && read.chunk().index() > 1
                        ? new Fate.Flipped(999)
                        : new Fate.Answered());
        assertThatThrownBy(() -> readAll(FILE))
                .hasMessageContaining("2 of 5 chunks live, 3 needed")
                .hasMessageContaining("CHUNK_CORRUPT");
    }

    @Test
    void missingChunkIsDecodedAndReported() throws IOException {
        Policy policy = Policy.parse("rs-3-2-4k");
        start(5);
        write(FILE, policy, 40_000);
        ChunkId gone = new ChunkId(onlyGroup(FILE), 1, 0);
        cluster.fate(request ->
                request instanceof ChunkRequest.ReadChunk read && read.chunk().equals(gone)
                        ? new Fate.Fails(ErrorCode.CHUNK_MISSING)
                        : new Fate.Answered());
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, 40_000));
        Awaitility.await().until(() -> cluster.on(c -> c.namenode().badChunks.size()) == 1);
        BadChunk reported = cluster.on(c -> c.namenode().badChunks.get(0));
        assertThat(reported.chunk()).isEqualTo(gone);
        assertThat(reported.reason()).isEqualTo(BadChunk.Reason.MISSING);
    }

    @Test
    // Ceph tracker 81194
    void aHangingChunkIsReplacedBeforeItsTimeout() throws IOException {
        Policy policy = Policy.parse("rs-3-2-4k");
        start(5, noSuspicion());
        write(FILE, policy, 60_000);
        cluster.fate(request ->
                request instanceof ChunkRequest.ReadChunk read && read.chunk().index() == 0
                        ? new Fate.Late(Duration.ofMillis(400))
                        : new Fate.Answered());
        FileReader file = Await.result(client.open(FILE));
        for (int i = 0; i < 4; i++) {
            assertThat(read(file, i * 12_288L, i * 12_288L + 4096))
                    .isEqualTo(Bytes.range(i * 12_288L, i * 12_288L + 4096));
        }
        assertThat(cluster.takeChunkRequests())
                .anyMatch(r -> r instanceof ChunkRequest.ReadChunk && r.chunk().index() >= 3);
    }

    /** A namenode that confuses the datanodes of a group: what is read is right, or nothing is. */
    @ParameterizedTest
    @ValueSource(strings = {"0 1 2 4 3", "4 1 2 3 0", "2 1 0 3 4", "1 2 3 4 0", "4 3 2 1 0"})
    // HDDS-6259, HDDS-7407, HDDS-8276
    void datanodesInAnotherOrderThanTheirChunksNeverServeAnotherIndex(String order) throws IOException {
        Policy policy = Policy.parse("rs-3-2-4k");
        start(5, noSuspicion().with("namenodeDeadline=1s"));
        long length = policy.stripeBytes() * 3 + 4097;
        write(FILE, policy, length);
        GroupId group = onlyGroup(FILE);
        int[] places =
                Arrays.stream(order.split(" ")).mapToInt(Integer::parseInt).toArray();
        cluster.on(c -> {
            LocatedGroup right = c.namenode().groups.get(group);
            List<ChunkLocation> wrong = IntStream.range(0, places.length)
                    .mapToObj(index -> {
                        ChunkLocation place = right.chunks().get(places[index]);
                        return new ChunkLocation(
                                right.chunks().get(index).chunk(),
                                place.volume(),
                                place.datanode(),
                                place.address(),
                                place.rack(),
                                place.state());
                    })
                    .toList();
            return c.namenode()
                    .groups
                    .put(group, new LocatedGroup(group, policy, right.length(), wrong, right.token()));
        });
        long inPlace =
                IntStream.range(0, 5).filter(index -> places[index] == index).count();
        if (inPlace >= policy.dataChunks()) {
            assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, length));
        } else {
            assertThatThrownBy(() -> readAll(FILE)).isInstanceOf(EcfsException.class);
        }
    }

    /**
     * Every file ends in a stripe of its own length, so that decoders at work at the same time fill up cells of many
     * lengths.
     */
    @Test
    // HDDS-15341
    void shortStripesOfManyLengthsAreDecodedAtTheSameTime() throws Exception {
        Policy policy = Policy.parse("rs-3-2-4k");
        start(5, noSuspicion());
        Map<FilePath, Long> lengths = new TreeMap<>();
        for (int i = 0; i < 24; i++) {
            FilePath path = new FilePath("/short" + i);
            lengths.put(path, policy.stripeBytes() * (i % 2) + 1 + i * 509L);
            write(path, policy, lengths.get(path));
        }
        cluster.fate(request ->
                request instanceof ChunkRequest.ReadChunk read && read.chunk().index() < 2
                        ? new Fate.Fails(ErrorCode.CHUNK_CORRUPT)
                        : new Fate.Answered());
        List<CompletableFuture<Void>> readers = new ArrayList<>();
        for (Map.Entry<FilePath, Long> file : lengths.entrySet()) {
            readers.add(CompletableFuture.runAsync(() -> {
                try {
                    for (int i = 0; i < 5; i++) {
                        assertThat(readAll(file.getKey())).isEqualTo(Bytes.range(0, file.getValue()));
                    }
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }));
        }
        for (CompletableFuture<Void> reader : readers) {
            reader.get(2, TimeUnit.MINUTES);
        }
    }

    /** The chunks that were read for it, and what it had computed, go back: nothing may be on loan afterwards. */
    @Test
    void aDecodeThatFailsKeepsNoBuffer() throws IOException {
        AtomicBoolean broken = new AtomicBoolean();
        GaloisKernel sound = Kernels.java();
        GaloisKernel kernel = new GaloisKernel() {
            @Override
            public String name() {
                return sound.name();
            }

            @Override
            public String description() {
                return "breaks when it is told to";
            }

            @Override
            public Program prepare(Schedule schedule) {
                Program program = sound.prepare(schedule);
                return (inputs, outputs) -> {
                    if (broken.get()) {
                        throw new IllegalStateException("broken");
                    }
                    program.run(inputs, outputs);
                };
            }
        };
        cluster = new MemoryCluster(5);
        client = new EcfsClient(cluster.uri(), config(), cluster.environment, cluster, kernel);
        write(FILE, Policy.parse("rs-3-2-4k"), 50_000);
        cluster.stopHolders(onlyGroup(FILE), Set.of(1));
        broken.set(true);
        assertThatThrownBy(() -> readAll(FILE)).hasMessageContaining("broken");
        nothingIsLeftBehind();
        client = null;
    }

    @Test
    void suspectedDatanodeIsLeftForLast() throws IOException {
        Policy policy = Policy.parse("rs-3-2-4k");
        start(5);
        write(FILE, policy, 12_288);
        cluster.fate(request ->
                request instanceof ChunkRequest.ReadChunk read && read.chunk().index() == 0
                        ? new Fate.Fails(ErrorCode.CONNECTION_LOST)
                        : new Fate.Answered());
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, 12_288));
        cluster.heal();
        cluster.takeChunkRequests();
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, 12_288));
        assertThat(cluster.takeChunkRequests()).noneMatch(r -> r.chunk().index() == 0);
    }

    @Test
    void chunksThatTheNamenodeDoubtsAreReadOnlyWhenOthersDoNotSuffice() throws IOException {
        Policy policy = Policy.parse("rs-3-2-4k");
        start(5, noSuspicion());
        write(FILE, policy, 30_000);
        GroupId group = onlyGroup(FILE);
        cluster.on(c -> {
            for (int index : List.of(0, 1)) {
                c.namenode()
                        .states
                        .put(
                                c.namenode()
                                        .groups
                                        .get(group)
                                        .chunk(index)
                                        .orElseThrow()
                                        .datanode(),
                                ChunkLocation.State.UNREACHABLE);
            }
            return null;
        });
        cluster.takeChunkRequests();
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, 30_000));
        assertThat(cluster.takeChunkRequests()).noneMatch(r -> r.chunk().index() < 2);
        cluster.stopHolders(group, Set.of(3));
        assertThat(readAll(FILE)).isEqualTo(Bytes.range(0, 30_000));
    }

    @Test
    void expiredTokensAreRefreshed() throws IOException {
        Policy policy = Policy.parse("rs-3-2-4k");
        start(5);
        write(FILE, policy, 30_000);
        FileReader file = Await.result(client.open(FILE));
        AtomicInteger locates = new AtomicInteger();
        cluster.fate(request -> {
            if (request instanceof NamespaceRequest.Locate) {
                locates.incrementAndGet();
            }
            return request instanceof ChunkRequest.ReadChunk && locates.get() == 0
                    ? new Fate.Fails(ErrorCode.TOKEN_REFUSED)
                    : new Fate.Answered();
        });
        assertThat(read(file, 0, 30_000)).isEqualTo(Bytes.range(0, 30_000));
        assertThat(locates.get()).isPositive();
    }

    @Test
    void closingAStreamInTheMiddleOfReadAheadGivesEverythingBack() throws IOException {
        Policy policy = Policy.parse("rs-3-2-4k");
        start(5);
        write(FILE, policy, 900_000);
        cluster.fate(request ->
                request instanceof ChunkRequest.ReadChunk ? new Fate.Late(Duration.ofMillis(20)) : new Fate.Answered());
        for (int i = 0; i < 5; i++) {
            try (EcfsInputStream in = Await.result(client.open(FILE)).stream()) {
                assertThat(in.readNBytes(70_000)).isEqualTo(Bytes.range(0, 70_000));
            }
        }
    }

    @Test
    @Timeout(300)
    void chunkWhoseWantedBytesAreHereButFailsAsSourceIsAskedOnce() throws IOException {
        Policy policy = Policy.parse("rs-3-2-64k");
        start(5, noSuspicion());
        write(FILE, policy, policy.stripeBytes());
        GroupId group = onlyGroup(FILE);
        long cell = policy.cellBytes();
        AtomicInteger larger = new AtomicInteger();
        cluster.fate(request -> {
            if (!(request instanceof ChunkRequest.ReadChunk read)) {
                return new Fate.Answered();
            }
            if (read.chunk().index() == 1) {
                return new Fate.Late(Duration.ofMillis(100));
            }
            boolean source = read.chunk().index() == 0 && read.offset() < cell - 4096;
            return source && larger.incrementAndGet() > 0
                    ? new Fate.Fails(ErrorCode.CHUNK_CORRUPT)
                    : new Fate.Answered();
        });
        cluster.on(c -> c.datanode(
                        c.namenode().groups.get(group).chunk(1).orElseThrow().address())
                .chunks
                .remove(new ChunkId(group, 1, 0)));
        FileReader file = Await.result(client.open(FILE));
        assertThat(read(file, cell - 4096, 2 * cell)).isEqualTo(Bytes.range(cell - 4096, 2 * cell));
        assertThat(larger).hasValueLessThanOrEqualTo(1);
    }

    // HORRORS 14 (HDFS-15240), 15 (HDFS-16422, HDDS-6271), 22 (HDDS-6319): late answers and concurrent decodes touch
    // nobody else's
    // bytes, under a wide code too.
    @ParameterizedTest
    @ValueSource(strings = {"rs-3-2-16k", "rs-10-4-4k"})
    void concurrentReadsWithDeadLateAndDamagedChunksGetTheirOwnBytes(String name) throws Exception {
        Policy policy = Policy.parse(name);
        start(policy.chunks());
        long length = policy.stripeBytes() * 6 + 12_345;
        write(FILE, policy, length);
        cluster.stopHolders(onlyGroup(FILE), Set.of(0));
        Random luck = new Random(5); // used on the cluster's thread only
        cluster.fate(request -> {
            if (!(request instanceof ChunkRequest.ReadChunk read)
                    || read.chunk().index() == 0) {
                return new Fate.Answered();
            }
            boolean damaged = policy.parityChunks() > 1 && read.chunk().index() == 1 && luck.nextInt(4) == 0;
            if (damaged) {
                return new Fate.Flipped(luck.nextInt(1 << 16));
            }
            return luck.nextInt(10) == 0 ? new Fate.Late(Duration.ofMillis(300)) : new Fate.Answered();
        });
        FileReader file = Await.result(client.open(FILE));
        List<CompletableFuture<Void>> readers = new ArrayList<>();
        for (int r = 0; r < 4; r++) {
            Random random = new Random(r);
            readers.add(CompletableFuture.runAsync(() -> {
                for (int i = 0; i < 15; i++) {
                    long from = random.nextInt((int) length);
                    long to = Math.min(length, from + 1 + random.nextInt(100_000));
                    try {
                        assertThat(read(file, from, to))
                                .as("%d to %d", from, to)
                                .isEqualTo(Bytes.range(from, to));
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                }
            }));
        }
        CompletableFuture.allOf(readers.toArray(CompletableFuture[]::new)).get(2, TimeUnit.MINUTES);
    }

    @Test
    void aReaderUnderWhomTheFileIsCutIsToldSo() throws IOException {
        start(6);
        write(FILE, Policy.parse("rs-3-2-4k"), 50_000);
        GroupId gone = onlyGroup(FILE);
        FileReader file = Await.result(client.open(FILE));
        setExtents(FILE, List.of());
        cluster.on(c -> {
            c.forget(gone);
            return null;
        });
        assertChanged(file, "was cut to 0 bytes");
    }

    @Test
    void aReaderOfATruncatedAndRewrittenFileGetsNoNewBytes() throws IOException {
        start(6);
        FilePath other = new FilePath("/other");
        write(FILE, Policy.parse("rs-3-2-4k"), 50_000);
        write(other, Policy.parse("rs-3-2-4k"), 60_000);
        GroupId gone = onlyGroup(FILE);
        FileReader file = Await.result(client.open(FILE));
        setExtents(FILE, List.of(new Extent(0, 60_000, onlyGroup(other), 0)));
        cluster.on(c -> {
            c.forget(gone);
            return null;
        });
        assertChanged(file, "written anew");
    }

    private void setExtents(FilePath path, List<Extent> extents) {
        cluster.on(c -> {
            try {
                c.namenode().file(path).extents.clear();
                return c.namenode().file(path).extents.addAll(extents);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    private void assertChanged(FileReader file, String how) {
        assertThatThrownBy(() -> read(file, 10, 20_000))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_CHANGED))
                .hasMessageContaining(how);
    }
}
