package io.ecfs.client.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.ecfs.client.Bytes;
import io.ecfs.client.ClusterTest;
import io.ecfs.client.MemoryCluster.Fate;
import io.ecfs.client.read.stream.EcfsInputStream;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.wire.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Files whose bytes lie in many short pieces of other files' groups. */
@Timeout(300)
class GatheredReadTest extends ClusterTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-64k");
    private static final int DATANODES = 6;
    private static final int PIECES = 400;
    private static final int MOST_PIECE = 3000;

    private byte[] expected;

    /** Pieces of three groups, shuffled: neighbours of a group are apart in the file, and the other way round. */
    private FileReader scattered(String... settings) throws IOException {
        start(
                DATANODES,
                config().with("spanBytes=1MiB", "lateAfter=20s", "callTimeout=20s")
                        .with(settings));
        List<Extent> pieces = new ArrayList<>();
        Random random = new Random(7);
        for (int number = 0; number < 3; number++) {
            FilePath source = new FilePath("/source-" + number);
            write(source, POLICY, (long) PIECES * MOST_PIECE);
            GroupId group = onlyGroup(source);
            long at = 0;
            for (int i = 0; i < PIECES; i++) {
                long length = 1L + random.nextInt(MOST_PIECE);
                at += random.nextInt(MOST_PIECE) % (MOST_PIECE + 1 - length);
                if (at + length > (long) PIECES * MOST_PIECE) {
                    break;
                }
                pieces.add(new Extent(0, length, group, at));
                at += length;
            }
        }
        Collections.shuffle(pieces, random);
        write(FILE, POLICY, 1);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        List<Extent> extents = new ArrayList<>();
        for (Extent piece : pieces) {
            extents.add(piece.at(bytes.size()));
            bytes.writeBytes(Bytes.range(piece.groupOffset(), piece.groupOffset() + piece.length()));
        }
        expected = bytes.toByteArray();
        cluster.on(c -> {
            try {
                c.namenode().file(FILE).extents.clear();
                c.namenode().file(FILE).extents.addAll(extents);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            return null;
        });
        cluster.takeChunkRequests();
        cluster.takeMessagesOfReads();
        return Await.result(client.open(FILE));
    }

    private byte[] readLater(FileReader file) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(expected.length);
        assertThat(Await.result(file.readLater(0, target))).isEqualTo(expected.length);
        return Bytes.of(target);
    }

    @Test
    void goToEachDatanodeInOneMessageForEachStretch() throws IOException {
        FileReader file = scattered();
        assertThat(readLater(file)).isEqualTo(expected);
        assertThat(cluster.takeMessagesOfReads())
                .as("a stretch of 2 MiB, a message to each datanode; runs across chunks leave in the next one")
                .isLessThanOrEqualTo(2 * DATANODES);
        assertThat(cluster.takeChunkRequests())
                .as("neighbours are read together")
                .hasSizeLessThan(file.length() > 0 ? 3 * PIECES / 4 : 0);
    }

    @Test
    void areTheSameByEveryWayToRead() throws IOException {
        FileReader file = scattered();
        try (EcfsInputStream in = file.stream()) {
            assertThat(in.readAllBytes()).isEqualTo(expected);
        }
        assertThat(read(file, 0, expected.length)).isEqualTo(expected);
        Random random = new Random(11);
        for (int i = 0; i < 100; i++) {
            int from = random.nextInt(expected.length);
            int to = from + 1 + random.nextInt(Math.min(300_000, expected.length - from));
            ByteBuffer target = ByteBuffer.allocate(to - from);
            assertThat(Await.result(file.readLater(from, target))).isEqualTo(to - from);
            assertThat(target.array()).isEqualTo(Arrays.copyOfRange(expected, from, to));
        }
    }

    @Test
    void areDecodedWhereDatanodesFail() throws IOException {
        FileReader file = scattered();
        List<Address> broken = cluster.on(c -> c.namenode().groups.values().iterator().next().chunks().stream()
                .limit(2)
                .map(chunk -> chunk.address())
                .toList());
        cluster.datanodeFate(to -> broken.contains(to) ? new Fate.Fails(ErrorCode.VOLUME_FAILED) : new Fate.Answered());
        assertThat(readLater(file)).isEqualTo(expected);
    }

    @Test
    void areReadWhereTheirChunksLieByNow() throws IOException {
        FileReader file = scattered();
        List<GroupId> groups = groups(FILE).stream().distinct().toList();
        for (int round = 0; round < 2; round++) {
            groups.forEach(group -> cluster.on(c -> {
                c.move(group, 1);
                return null;
            }));
            assertThat(readLater(file)).isEqualTo(expected);
        }
        assertThat(badChunks()).isEmpty();
    }

    @Test
    void areReadPieceByPieceWhereTogetherTheyAreRefused() throws IOException {
        FileReader file = scattered();
        AtomicInteger refused = new AtomicInteger();
        cluster.fate(request -> {
            boolean joined = request instanceof ChunkRequest.ReadChunk read && read.bytes() > MOST_PIECE;
            refused.addAndGet(joined ? 1 : 0);
            return joined ? new Fate.Fails(ErrorCode.TOKEN_REFUSED) : new Fate.Answered();
        });
        assertThat(readLater(file)).isEqualTo(expected);
        assertThat(refused).hasPositiveValue();
    }

    @Test
    void failWhenTooManyChunksAreGone() throws IOException {
        FileReader file = scattered("namenodeDeadline=2s");
        cluster.fate(request -> request instanceof ChunkRequest.ReadChunk
                ? new Fate.Fails(ErrorCode.VOLUME_FAILED)
                : new Fate.Answered());
        ByteBuffer target = ByteBuffer.allocate(expected.length);
        assertThat(file.readLater(0, target))
                .failsWithin(Duration.ofSeconds(60))
                .withThrowableThat()
                .withMessageContaining("VOLUME_FAILED");
        cluster.heal();
        assertThat(readLater(file)).isEqualTo(expected);
    }

    @Test
    void areReadByAStreamUpToTheFirstThatIsGone() throws IOException {
        FileReader file = scattered();
        List<Extent> extents = cluster.on(c -> {
            try {
                return List.copyOf(c.namenode().file(FILE).extents);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        GroupId gone = extents.stream().map(Extent::group).distinct().toList().get(2);
        long readable = extents.stream()
                .filter(extent -> extent.group().equals(gone))
                .findFirst()
                .orElseThrow()
                .fileOffset();
        cluster.fate(request -> request instanceof ChunkRequest.ReadChunk read
                        && read.chunk().group().equals(gone)
                ? new Fate.Fails(ErrorCode.VOLUME_FAILED)
                : new Fate.Answered());
        ByteBuffer bytes = ByteBuffer.allocate(expected.length);
        try (EcfsInputStream in = file.stream()) {
            assertThatThrownBy(() -> {
                        while (in.read(bytes) >= 0) {}
                    })
                    .hasMessageContaining("VOLUME_FAILED");
        }
        assertThat(bytes.position()).isEqualTo((int) readable).isPositive();
        assertThat(Bytes.of(bytes)).isEqualTo(Arrays.copyOf(expected, (int) readable));
    }

    @Test
    void giveTheirMemoryBackWhenTheyAreGivenUp() throws IOException {
        FileReader file = scattered("callTimeout=100s", "lateAfter=90s");
        cluster.fate(request -> request instanceof ChunkRequest.ReadChunk ? new Fate.Hangs() : new Fate.Answered());
        CompletableFuture<Integer> read = file.readLater(0, ByteBuffer.allocate(expected.length));
        await().atMost(Duration.ofMinutes(1)).until(() -> client.reservedBytes() > 0);
        read.cancel(false);
        await().atMost(Duration.ofMinutes(1)).until(() -> client.reservedBytes() == 0);
        cluster.heal();
        EcfsInputStream in = file.stream();
        assertThat(in.read()).isEqualTo(expected[0] & 0xFF);
        in.close();
        assertThat(readLater(file)).isEqualTo(expected);
    }

    @Test
    void shareLittleMemory() throws IOException {
        FileReader file = scattered("readBudgetBytes=4MiB", "readAheadBudgetBytes=3MiB", "writeBudgetBytes=8MiB");
        assertThat(readLater(file)).isEqualTo(expected);
        try (EcfsInputStream in = file.stream()) {
            assertThat(in.readAllBytes()).isEqualTo(expected);
        }
    }
}
