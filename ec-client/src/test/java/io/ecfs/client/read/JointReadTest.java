package io.ecfs.client.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.ecfs.client.Bytes;
import io.ecfs.client.MemoryCluster;
import io.ecfs.client.access.ReadPlans;
import io.ecfs.client.read.batch.Explanation;
import io.ecfs.client.read.batch.FileRange;
import io.ecfs.client.read.batch.RangeResult;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many ranges of many files in one request. */
@Timeout(300)
class JointReadTest extends JointReads {
    @ParameterizedTest
    @ValueSource(strings = {"rs-2-2-4k", "rs-3-2-4k", "replication-3-4k", "lrc-4-2-2-4k", "clay-4-2-5-4k"})
    void everyRangeIsWhatAReadOfItAloneGives(String name) throws IOException {
        Policy policy = Policy.parse(name);
        start(policy.chunks() + 3);
        Random random = new Random(11);
        List<FilePath> files = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            files.add(file(i, policy, i == 0 ? 0 : random.nextInt(1 << (8 + 2 * i))));
        }
        for (int round = 0; round < 30; round++) {
            List<FileRange> ranges = new ArrayList<>();
            for (int i = 0; i < 1 + random.nextInt(12); i++) {
                FilePath path = files.get(random.nextInt(files.size()));
                long from = random.nextInt(100_000);
                ranges.add(
                        random.nextInt(3) == 0
                                ? FileRange.whole(path)
                                : new FileRange(path, from, from + random.nextInt(60_000)));
            }
            List<RangeResult> results = Await.result(client.readAll(ranges));
            assertThat(results).extracting(RangeResult::range).isEqualTo(ranges);
            results.forEach(this::requireRight);
        }
    }

    @Test
    void namesWhatIsMissingAndAnswersTheOthers() throws IOException {
        start(6);
        FileRange one = FileRange.whole(file(1, POLICY, 100_000));
        FileRange gone = FileRange.whole(new FilePath("/gone"));
        FileRange two = new FileRange(file(2, POLICY, 5000), 100, 200);
        List<RangeResult> results = Await.result(client.readAll(List.of(one, gone, two, gone)));

        requireRight(results.get(0));
        requireRight(results.get(2));
        assertThat(results.get(1)).isEqualTo(results.get(3));
        EcfsException failure = ((RangeResult.Failed) results.get(1)).failure();
        assertThat(failure.code()).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(failure).hasMessageContaining("/gone");
        assertThat(Await.result(client.readAll(List.of()))).isEmpty();
    }

    @Test
    void aRangeThatIsWantedTwiceHasAPositionForEach() throws IOException {
        start(4);
        FileRange range = FileRange.whole(file(1, POLICY, 100_000));
        List<RangeResult> results = Await.result(client.readAll(List.of(range, range)));
        ByteBuffer first = ((RangeResult.Read) results.get(0)).bytes();
        first.position(first.limit());
        assertThat(((RangeResult.Read) results.get(1)).bytes().remaining()).isEqualTo(100_000);
        requireRight(results.get(1));
    }

    @Test
    void refusesToBindMoreChunksThanThereAreParities() throws IOException {
        start(6);
        FileRange range = FileRange.whole(file(1, POLICY, 100_000));
        cluster.takeChunkRequests();
        for (int delta : new int[] {3, 255, -1}) {
            assertThatThrownBy(() -> Await.result(client.readAll(List.of(range), delta)))
                    .isInstanceOf(EcfsException.class)
                    .hasMessageContaining("delta " + delta)
                    .hasMessageContaining("/file-1")
                    .hasMessageContaining("2 parity chunks");
        }
        assertThat(cluster.takeChunkRequests()).isEmpty();
        requireRight(Await.result(client.readAll(List.of(range), 2)).get(0));
        assertThat(cluster.takeChunkRequests()).hasSize(4);
    }

    @Test
    void asksAsFewDatanodesAsThePlanSays() throws IOException {
        start(7);
        List<FileRange> ranges = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            ranges.add(FileRange.whole(file(i, POLICY, 100_000)));
        }
        Explanation told = Await.result(client.explain(ranges, false));
        assertThat(told.origin()).isEqualTo(ReadPlans.Origin.GREEDY);
        assertThat(told.actualNanos()).isEmpty();
        assertThat(told.planCost()).isLessThanOrEqualTo(told.dataChunksCost().orElseThrow());
        cluster.takeChunkRequests();

        Await.result(client.readAll(ranges)).forEach(this::requireRight);

        List<ChunkRequest> asked = cluster.takeChunkRequests();
        assertThat(asked).hasSize(8);
        assertThat(asked.stream()
                        .map(r -> ((ChunkRequest.ReadChunk) r).volume())
                        .distinct())
                .hasSizeLessThanOrEqualTo((int) told.spans().stream()
                        .flatMap(part -> part.chunks().stream())
                        .filter(Explanation.Chunk::chosen)
                        .map(Explanation.Chunk::volume)
                        .distinct()
                        .count());
        assertThat(client.planCounts().hits()).isEqualTo(1);
    }

    @Test
    void chunksOfSeveralBlocksOnOneDatanodeAreAskedForInOneMessage() throws IOException {
        // Each of the datanodes has a chunk of every file, and the plan stays.
        start(4, config().with("plan.exact=off", "plan.change=1000", "lateAfter=20s", "callTimeout=20s"));
        List<FileRange> ranges = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            ranges.add(FileRange.whole(file(i, POLICY, 100_000)));
        }
        cluster.takeChunkRequests();
        cluster.takeMessagesOfReads();
        Await.result(client.readAll(ranges)).forEach(this::requireRight);

        List<ChunkRequest> asked = cluster.takeChunkRequests();
        assertThat(asked).hasSize(16).allMatch(ChunkRequest.ReadChunk.class::isInstance);
        assertThat(cluster.takeMessagesOfReads())
                .as("one to each of two datanodes")
                .isEqualTo(2);

        cluster.fate(request -> request instanceof ChunkRequest.ReadChunk read
                        && read.chunk().equals(asked.get(5).chunk())
                ? new MemoryCluster.Fate.Fails(ErrorCode.VOLUME_FAILED)
                : new MemoryCluster.Fate.Answered());
        Await.result(client.readAll(ranges)).forEach(this::requireRight);
        assertThat(cluster.takeChunkRequests()).as("those that did not fail").hasSize(16);
        assertThat(cluster.takeMessagesOfReads())
                .as("one more, in the place of the one that failed")
                .isEqualTo(3);
    }

    @Test
    void filesAreLookedUpByOneCallForAsManyAsItAnswers() throws IOException {
        start(6);
        List<FileRange> ranges = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            ranges.add(FileRange.whole(file(i, POLICY, 5000 + i)));
        }
        ranges.add(FileRange.whole(new FilePath("/gone")));
        ranges.add(new FileRange(ranges.get(0).path(), 7, 99));
        int before = namenodeRequests().size();

        List<RangeResult> results = new ArrayList<>(Await.result(client.readAll(ranges)));

        assertThat(results.remove(7)).isInstanceOf(RangeResult.Failed.class);
        results.forEach(this::requireRight);
        assertThat(namenodeRequests().subList(before, namenodeRequests().size()))
                .filteredOn(request -> !(request instanceof NamespaceRequest.ReportAccesses))
                .hasSize(3) // eight files, three of them in an answer
                .allMatch(NamespaceRequest.LocateAll.class::isInstance);
    }

    @Test
    void rangesOfAnOpenFileAreReadTogetherIntoMemoryOfTheCaller() throws IOException {
        start(4, config().with("plan.exact=off", "plan.change=1000", "lateAfter=20s", "callTimeout=20s"));
        FileReader file = Await.result(client.open(file(1, POLICY, 600_000)));
        SortedMap<Long, ByteBuffer> targets = new TreeMap<>();
        for (long position = 1000; position < 600_000; position += 40_000) {
            ByteBuffer target = position % 3 == 0 ? ByteBuffer.allocateDirect(9000) : ByteBuffer.allocate(9000);
            targets.put(position, target.position(500).limit(500 + 8000));
        }
        targets.put(599_990L, ByteBuffer.allocate(100));
        cluster.takeMessagesOfReads();

        Map<Long, CompletableFuture<Integer>> read = file.readLater(targets);

        for (Map.Entry<Long, ByteBuffer> one : targets.entrySet()) {
            long to = Math.min(600_000, one.getKey() + one.getValue().remaining());
            int count = Await.result(read.get(one.getKey()));
            assertThat(count).isEqualTo((int) (to - one.getKey()));
            byte[] bytes = new byte[count];
            one.getValue().get(bytes);
            assertThat(bytes).isEqualTo(Bytes.range(one.getKey(), to));
        }
        assertThat(cluster.takeMessagesOfReads()).isLessThanOrEqualTo(4);

        cluster.fate(request -> request instanceof ChunkRequest
                ? new MemoryCluster.Fate.Fails(ErrorCode.VOLUME_FAILED)
                : new MemoryCluster.Fate.Answered());
        targets.values().forEach(target -> target.position(0));
        assertThat(file.readLater(targets).values())
                .allSatisfy(future ->
                        assertThatThrownBy(() -> Await.result(future)).hasMessageContaining("cannot be read"));
    }

    @Test
    void tellsWhatWasReadAndWhoWasLate() throws IOException {
        start(5, config().with("lateAfter=500ms", "plan.exact=off"));
        FileRange range = FileRange.whole(file(1, POLICY, 100_000));
        AtomicInteger late = new AtomicInteger(-1);
        cluster.fate(request -> request instanceof ChunkRequest.ReadChunk read
                        && (late.compareAndSet(-1, read.chunk().index())
                                || late.get() == read.chunk().index())
                ? new MemoryCluster.Fate.Late(Duration.ofSeconds(3))
                : new MemoryCluster.Fate.Answered());

        Explanation after = Await.result(client.explain(List.of(range), true));

        Explanation.Part part = after.spans().get(0);
        assertThat(part.planned()).isTrue();
        assertThat(part.decoded()).isTrue();
        assertThat(after.actualNanos().orElseThrow()).isGreaterThan(500_000_000L);
        assertThat(part.chunks().stream()
                        .filter(c -> c.fate() == Explanation.Fate.CALLED_OFF_LATE)
                        .map(Explanation.Chunk::index))
                .containsExactly(late.get());
        assertThat(part.chunks().stream().filter(c -> c.fate() == Explanation.Fate.ANSWERED))
                .hasSize(2);
    }

    @Test
    void readsOnAroundChunksOfThePlanThatFail() throws IOException {
        start(6);
        List<FileRange> ranges = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ranges.add(FileRange.whole(file(i, POLICY, 50_000 + i)));
        }
        for (ErrorCode code : List.of(ErrorCode.CHUNK_MISSING, ErrorCode.VOLUME_FAILED, ErrorCode.UNREACHABLE)) {
            Address one = cluster.addressOf(1);
            Address two = cluster.addressOf(4);
            cluster.datanodeFate(to -> to.equals(one) || to.equals(two)
                    ? new MemoryCluster.Fate.Fails(code)
                    : new MemoryCluster.Fate.Answered());
            Await.result(client.readAll(ranges)).forEach(this::requireRight);
        }
    }

    @Test
    void goesRoundAVolumeThatIsUnderLoad() throws IOException {
        start(4, config().with("plan.probeEvery=10ms", "lateAfter=10s", "plan.change=1.2"));
        List<FileRange> ranges = List.of(FileRange.whole(file(1, POLICY, 100_000)));
        Address loaded = cluster.addressOf(0);
        cluster.datanodeFate(to -> to.equals(loaded)
                ? new MemoryCluster.Fate.Late(Duration.ofMillis(20))
                : new MemoryCluster.Fate.Answered());
        await().atMost(Duration.ofMinutes(2)).until(() -> {
            Await.result(client.readAll(ranges)).forEach(this::requireRight);
            return !asks("dn0", ranges);
        });
        assertThat(read(Await.result(client.open(ranges.get(0).path())), 0, 100_000))
                .isEqualTo(Bytes.range(0, 100_000));
    }

    private boolean asks(String datanode, List<FileRange> ranges) throws IOException {
        return Await.result(client.explain(ranges, false)).spans().stream()
                .flatMap(part -> part.chunks().stream())
                .anyMatch(chunk -> chunk.chosen() && chunk.datanode().name().equals(datanode));
    }

    @Test
    void ofAShortTailTheCheapestChunkIsNeededAndAnotherIsTheSpare() throws IOException {
        start(5, config().with("plan.probeEvery=10ms", "lateAfter=10s", "plan.change=1.2", "plan.exact=off"));
        FilePath path = file(1, Policy.parse("rs-3-2-4k"), 50); // chunk 0 has it all, chunks 1 and 2 store nothing
        GroupId group = onlyGroup(path);
        Address loaded = cluster.on(
                c -> c.namenode().groups.get(group).chunk(0).orElseThrow().address());
        cluster.datanodeFate(to -> to.equals(loaded)
                ? new MemoryCluster.Fate.Late(Duration.ofMillis(20))
                : new MemoryCluster.Fate.Answered());
        await().atMost(Duration.ofMinutes(2)).until(() -> {
            cluster.takeChunkRequests();
            Await.result(client.readAll(List.of(FileRange.whole(path)), 1)).forEach(this::requireRight);
            List<ChunkRequest.ReadChunk> asked = cluster.takeChunkRequests().stream()
                    .map(ChunkRequest.ReadChunk.class::cast)
                    .toList();
            return asked.size() == 2
                    && asked.stream().filter(ChunkRequest.ReadChunk::spare).count() == 1
                    && asked.stream().noneMatch(read -> read.chunk().index() == 0);
        });
    }
}
