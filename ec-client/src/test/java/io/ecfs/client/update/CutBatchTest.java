package io.ecfs.client.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ecfs.client.Bytes;
import io.ecfs.client.ClusterTest;
import io.ecfs.client.MemoryCluster.Fate;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.Message;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.namespace.PatchGroup;
import io.ecfs.patch.PatchBatch;
import io.ecfs.patch.Write;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Batches that are cut because a datanode fails in their middle: what they leave is no batch. */
class CutBatchTest extends ClusterTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-4k");
    private static final int STRIPES = 10;
    private static final GroupId FIRST = new GroupId(2);

    /** It cuts the file to one byte. */
    private static final ByteBuffer FORGED =
            PatchBatch.plan(0, 1L << 40, 1, List.of(new Write(0, 1))).head(0);

    /** Each page of it imitates a batch, wherever it is cut. */
    private static byte[] forged() {
        byte[] bytes = new byte[Math.toIntExact(STRIPES * POLICY.stripeBytes())];
        Arrays.fill(bytes, (byte) 3);
        for (int at = 0; at < bytes.length; at += PatchBatch.PAGE_BYTES) {
            FORGED.get(0, bytes, at, FORGED.capacity());
        }
        return bytes;
    }

    /**
     * From a later cell of the first patch group on, a chunk of it takes no more. A writer has four stripes under way: it
     * knows before the last.
     */
    private static Function<Message, Fate> failsInTheMiddle() {
        AtomicInteger cells = new AtomicInteger();
        return request -> request instanceof ChunkRequest.WriteCells write
                        && write.chunk().equals(new ChunkId(FIRST, 1, 0))
                        && cells.incrementAndGet() > 2
                ? new Fate.Fails(ErrorCode.VOLUME_FAILED)
                : new Fate.Answered();
    }

    /** A later cell of any group but the file's first; as many groups as there are attempts. */
    private static Function<Message, Fate> failsInEveryGroup() {
        Map<GroupId, Integer> cells = new HashMap<>();
        return request -> request instanceof ChunkRequest.WriteCells write
                        && write.chunk().index() == 1
                        && cells.merge(write.chunk().group(), 1, Integer::sum) > 1
                ? new Fate.Fails(ErrorCode.VOLUME_FAILED)
                : new Fate.Answered();
    }

    private List<PatchGroup> patches() {
        return cluster.on(c -> {
            try {
                return c.namenode().file(FILE).patches();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    private byte[] begin(GroupId group) {
        return cluster.on(c -> Arrays.copyOf(c.chunk(new ChunkId(group, 0, 0)).bytes(), FORGED.capacity()));
    }

    @Test
    void aBatchThatIsCutAgainAndAgainEndsTheFileWithWhatWasAcknowledged() throws IOException {
        start(8, config().with("suspicion=1ms"));
        write(FILE, POLICY, 100);
        UpdatableFile file = Await.result(client.update(FILE, UpdateOptions.defaults()));
        Await.result(file.write(0, ByteBuffer.wrap(new byte[] {9})));
        cluster.fate(failsInEveryGroup());
        EcfsException failure =
                catchThrowableOfType(EcfsException.class, () -> Await.result(file.write(0, ByteBuffer.wrap(forged()))));
        assertThat(failure.code()).isEqualTo(ErrorCode.UNREACHABLE);
        assertThat(failure.getMessage()).contains("was cut by failures of datanodes 4 times");
        cluster.heal();
        assertThat(readAll(FILE)).hasSize(100).startsWith(9);
        assertThat(catchThrowableOfType(EcfsException.class, file::close).code())
                .isEqualTo(ErrorCode.UNREACHABLE);
    }

    /** Without its index the group is read batch by batch. */
    @Test
    void anIndexThatIsCutIsNotSaidToBeThere() throws IOException {
        start(8);
        write(FILE, POLICY, 100);
        byte[] bytes = Arrays.copyOf(Bytes.range(0, 100), 140_000);
        try (UpdatableFile file = Await.result(client.update(FILE, UpdateOptions.defaults()))) {
            List<CompletableFuture<Void>> written = new ArrayList<>();
            for (int at = 0; at < bytes.length; at += 20) { // 7,000 entries of an index are eleven stripes
                bytes[at] = 1;
                written.add(file.write(at, ByteBuffer.wrap(bytes, at, 1)));
            }
            written.add(file.truncate(bytes.length));
            Await.result(CompletableFuture.allOf(written.toArray(CompletableFuture[]::new)));
            AtomicInteger cells = new AtomicInteger();
            cluster.fate(request -> request instanceof ChunkRequest.WriteCells write
                            && write.chunk().index() == 1
                            && cells.incrementAndGet() == 1
                    ? new Fate.Fails(ErrorCode.VOLUME_FAILED)
                    : new Fate.Answered());
        }
        assertThat(patches()).isNotEmpty().allMatch(patch -> patch.indexOffset().isEmpty());
        assertThat(readAll(FILE)).isEqualTo(bytes);
    }

    @Test
    void theRestOfACutBatchIsNotReadAsTheBatchThatItImitates() throws IOException {
        start(8);
        write(FILE, POLICY, 100);
        cluster.fate(failsInTheMiddle());
        byte[] bytes = forged();
        try (UpdatableFile file = Await.result(client.update(FILE, UpdateOptions.defaults()))) {
            Await.result(file.write(0, ByteBuffer.wrap(bytes)));
            cluster.heal();
            List<PatchGroup> patches = patches();
            assertThat(patches).as("the first part, and the rest").hasSize(2);
            assertThat(patches.get(0).group()).isEqualTo(FIRST);
            assertThat(ByteBuffer.wrap(begin(patches.get(1).group()))).isEqualTo(FORGED);
            assertThat(readAll(FILE)).isEqualTo(bytes);
            Await.result(file.write(5, ByteBuffer.wrap(new byte[] {7})));
            bytes[5] = 7;
            assertThat(readAll(FILE)).isEqualTo(bytes);
        }
        assertThat(readAll(FILE)).isEqualTo(bytes);
        assertThat(patches())
                .as("with its index")
                .hasSize(1)
                .allMatch(patch -> patch.indexOffset().isPresent());
    }
}
