package io.ecfs.client.update;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.client.ClusterTest;
import io.ecfs.client.MemoryCluster.Fate;
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
import java.util.Arrays;
import java.util.List;
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

    /** From a later cell of the first patch group on, a chunk of it takes no more. */
    private static Function<Message, Fate> failsInTheMiddle() {
        AtomicInteger cells = new AtomicInteger();
        return request -> request instanceof ChunkRequest.WriteCells write
                        && write.chunk().equals(new ChunkId(FIRST, 1, 0))
                        && cells.incrementAndGet() > STRIPES / 2
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
            assertThat(begin(patches.get(1).group())).isEqualTo(FORGED.array());
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
