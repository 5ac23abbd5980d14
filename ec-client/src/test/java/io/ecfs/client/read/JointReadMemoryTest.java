package io.ecfs.client.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.client.Bytes;
import io.ecfs.client.MemoryCluster;
import io.ecfs.client.read.batch.FileRange;
import io.ecfs.client.read.batch.RangeResult;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.layout.GroupId;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many ranges of many files in one request, and the memory that they share. */
@Timeout(300)
class JointReadMemoryTest extends JointReads {
    @Test
    void spansWaitForMemoryOneAfterTheOther() throws IOException {
        // Room for two spans of 128 KiB: the last of twenty begins after longer than any one may wait.
        start(4, config().with("readBudgetBytes=1000000", "budgetWait=3s", "lateAfter=20s", "callTimeout=20s"));
        FileRange whole = FileRange.whole(file(1, POLICY, 20 << 17));
        cluster.fate(request -> request instanceof ChunkRequest
                ? new MemoryCluster.Fate.Late(Duration.ofMillis(400))
                : new MemoryCluster.Fate.Answered());
        Await.result(client.readAll(List.of(whole))).forEach(this::requireRight);
    }

    @Test
    void whatMemoryHasRoomForLeavesTogether() throws IOException {
        start(6, config().with("readBudgetBytes=2MiB", "readAheadBudgetBytes=512KiB", "writeBudgetBytes=2MiB"));
        List<FileRange> ranges = new ArrayList<>();
        for (int i = 0; i < 48; i++) {
            ranges.add(FileRange.whole(file(i, POLICY, 50_000)));
        }
        cluster.takeMessagesOfReads();
        Await.result(client.readAll(ranges)).forEach(this::requireRight);
        assertThat(cluster.takeMessagesOfReads())
                .as("waves of a quarter of the memory, a message to each of six datanodes; two and more a block"
                        + " where each leaves alone")
                .isLessThan(48);
        assertThat(client.reservedBytes()).isZero();
    }

    /** More than a plan takes together, with memory for some of them at a time; nothing is answered. */
    private List<FileRange> standstill() throws IOException {
        start(
                6,
                config().with(
                                "readBudgetBytes=512KiB",
                                "readAheadBudgetBytes=512KiB",
                                "writeBudgetBytes=2MiB",
                                "budgetWait=100s",
                                "callTimeout=100s",
                                "lateAfter=90s"));
        List<FileRange> ranges = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            ranges.add(FileRange.whole(file(i, POLICY, 130_000)));
        }
        cluster.fate(request -> request instanceof ChunkRequest.ReadChunk
                ? new MemoryCluster.Fate.Hangs()
                : new MemoryCluster.Fate.Answered());
        cluster.takeChunkRequests();
        cluster.takeReadsGivenUp();
        return ranges;
    }

    /** Until as many reads are out as there is memory for. */
    private int awaitRequests() {
        AtomicInteger out = new AtomicInteger();
        await().atMost(Duration.ofMinutes(2)).until(() -> {
            int more = cluster.takeChunkRequests().size();
            return out.addAndGet(more) > 0 && more == 0;
        });
        return out.get();
    }

    /** Until so many reads were called off. */
    private void awaitGivenUp(int out) {
        AtomicInteger givenUp = new AtomicInteger();
        await().atMost(Duration.ofSeconds(60)).until(() -> givenUp.addAndGet(cluster.takeReadsGivenUp()) == out);
    }

    @Test
    void whatIsGivenUpIsCalledOffAndGivesItsMemoryBack() throws IOException {
        List<FileRange> ranges = standstill();
        CompletableFuture<List<RangeResult>> read = client.readAll(ranges);
        int out = awaitRequests();
        assertThat(client.reservedBytes()).isPositive();
        read.cancel(false);
        await().atMost(Duration.ofSeconds(60)).until(() -> client.reservedBytes() == 0);
        awaitGivenUp(out);
        assertThat(cluster.takeChunkRequests()).as("begun after that").isEmpty();
        cluster.heal();
        Await.result(client.readAll(ranges)).forEach(this::requireRight);
    }

    @Test
    void smallReadsPassAWaveThatWaitsForMemory() throws IOException {
        List<FileRange> ranges = standstill();
        FilePath small = file(30, POLICY, 1000);
        FileReader reader = Await.result(client.open(small));
        GroupId answered = onlyGroup(small);
        cluster.fate(request -> request instanceof ChunkRequest.ReadChunk read
                        && !read.chunk().group().equals(answered)
                ? new MemoryCluster.Fate.Hangs()
                : new MemoryCluster.Fate.Answered());
        CompletableFuture<List<RangeResult>> large = client.readAll(ranges);
        awaitRequests();
        for (int i = 0; i < 5; i++) {
            ByteBuffer target = ByteBuffer.allocate(1000);
            assertThat(reader.readLater(0, target)).succeedsWithin(Duration.ofSeconds(60));
            assertThat(target.array()).isEqualTo(Bytes.range(0, 1000));
        }
        assertThat(large).isNotDone();
        large.cancel(false);
    }

    @Test
    void oneStretchIsGivenUpAlone() throws IOException {
        List<FileRange> ranges = standstill();
        FileReader file = Await.result(client.open(ranges.get(0).path()));
        SortedMap<Long, ByteBuffer> targets = new TreeMap<>();
        targets.put(0L, ByteBuffer.allocate(1000));
        targets.put(40_000L, ByteBuffer.allocate(1000));
        Map<Long, CompletableFuture<Integer>> read = file.readLater(targets);
        int out = awaitRequests();
        long reserved = client.reservedBytes();
        read.get(0L).cancel(false);
        await().atMost(Duration.ofSeconds(60)).until(() -> client.reservedBytes() < reserved);
        assertThat(client.reservedBytes()).isPositive();
        assertThat(read.get(40_000L)).isNotDone();
        read.get(40_000L).cancel(false);
        await().atMost(Duration.ofSeconds(60)).until(() -> client.reservedBytes() == 0);
        awaitGivenUp(out);
    }
}
