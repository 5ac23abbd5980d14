package io.ecfs.client.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.ecfs.client.Bytes;
import io.ecfs.client.ClusterTest;
import io.ecfs.client.MemoryCluster;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.wire.Await;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Chunks that are not where an open file believes them to be: moved, or lost. */
@Timeout(300)
class MovedChunkTest extends ClusterTest {
    private static final long LENGTH = 200_000;

    private FileReader file;
    private GroupId group;

    private void open(String... settings) throws IOException {
        start(9, config().with("lateAfter=20s", "callTimeout=20s").with(settings));
        write(FILE, Policy.parse("rs-3-2-4k"), LENGTH);
        file = Await.result(client.open(FILE));
        group = onlyGroup(FILE);
        assertThat(read(file, 0, 10)).isEqualTo(Bytes.range(0, 10));
        cluster.takeChunkRequests();
    }

    private void readsAllWithoutParity() throws IOException {
        assertThat(read(file, 0, LENGTH)).isEqualTo(Bytes.range(0, LENGTH));
        assertThat(cluster.takeChunkRequests())
                .noneMatch(request -> request.chunk().index() >= 3);
    }

    private long locates() {
        return namenodeRequests().stream()
                .filter(NamespaceRequest.Locate.class::isInstance)
                .count();
    }

    @Test
    void areReadWhereTheyLieNowWithoutDecodingAndWithoutComplaint() throws IOException {
        open();
        long before = locates();
        for (int round = 1; round <= 2; round++) {
            cluster.on(c -> {
                c.move(group, 2);
                return null;
            });
            readsAllWithoutParity();
            readsAllWithoutParity();
            assertThat(locates() - before)
                    .as("one question for each of two chunks, however many spans missed them")
                    .isLessThanOrEqualTo(2L * round);
        }
        assertThat(badChunks()).isEmpty();
    }

    @Test
    void areFoundThoughTheFileWasRenamedSinceItWasOpened() throws IOException {
        open();
        Await.result(client.rename(FILE, new FilePath("/renamed"), false));
        for (int index = 0; index < 3; index++) {
            int moved = index;
            cluster.on(c -> {
                c.move(group, moved);
                return null;
            });
            readsAllWithoutParity();
        }
        assertThat(badChunks()).isEmpty();
    }

    @Test
    void oneThatIsLostIsAskedForOnceAndComplainedOfOnce() throws IOException {
        open();
        ChunkLocation lost = cluster.on(c -> {
            ChunkLocation location = c.namenode().groups.get(group).chunk(1).orElseThrow();
            c.datanode(location.address()).chunks.remove(new ChunkId(group, 1, 0));
            return location;
        });
        long before = locates();
        for (int i = 0; i < 3; i++) {
            assertThat(read(file, 0, LENGTH)).isEqualTo(Bytes.range(0, LENGTH));
        }
        await().until(() -> !badChunks().isEmpty());
        assertThat(badChunks())
                .extracting(BadChunk::chunk, BadChunk::datanode, BadChunk::reason)
                .containsExactly(tuple(lost.chunk(), lost.datanode(), BadChunk.Reason.MISSING));
        assertThat(locates() - before).isEqualTo(1);
    }

    @Test
    void nobodyIsBlamedWhileTheNamenodeDoesNotSayWhereTheyAre() throws IOException {
        open("lateAfter=100ms");
        cluster.on(c -> {
            c.move(group, 2);
            return null;
        });
        cluster.fate(request -> request instanceof NamespaceRequest.Locate
                ? new MemoryCluster.Fate.Hangs()
                : new MemoryCluster.Fate.Answered());
        assertThat(read(file, 0, 50_000)).as("by decoding").isEqualTo(Bytes.range(0, 50_000));
        cluster.heal();
        assertThat(badChunks()).isEmpty();
    }
}
