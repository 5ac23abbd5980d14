package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.blocks.BlockStore;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Blocks on real datanodes, read together, and what {@code ecfs admin explain} tells of it. */
@Timeout(300)
class ExplainTest {
    private static final int BLOCKS = 6;

    @TempDir
    private static Path directory;

    private static TestCluster cluster;
    private static EcfsClient client;
    private static BlockStore store;

    @BeforeAll
    static void up() throws IOException {
        cluster = TestCluster.start(directory, "rs-2-2-64k", 1, 6);
        // Whether costs have changed by so much that a kept plan is made anew depends on what else this machine does.
        // A pack's open tail is not planned: whether there is one depends on when the pack was sealed.
        client = TestCluster.client(cluster.uri(), "plan.change=1000", "pack.on=false");
        store = BlockStore.in(client, new FilePath("/blocks"));
        CompletableFuture<?>[] puts = IntStream.range(0, BLOCKS)
                .mapToObj(i -> store.put("b" + i, Pattern.bytes(i, 100_000 + i)).toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new);
        Await.result(CompletableFuture.allOf(puts));
    }

    @AfterAll
    static void down() {
        client.close();
        cluster.close();
    }

    private static void readAll() throws IOException {
        List<String> keys = IntStream.range(0, BLOCKS).mapToObj(i -> "b" + i).toList();
        BlockStore.Blocks blocks = Await.result(store.read(keys).toCompletableFuture());
        assertThat(blocks.failures()).isEmpty();
        for (int i = 0; i < BLOCKS; i++) {
            assertThat(blocks.blocks().get("b" + i)).isEqualTo(ByteBuffer.wrap(Pattern.bytes(i, 100_000 + i)));
        }
    }

    @Test
    void readsTogetherAndTellsWhatItAskedAndWhatItCost() throws IOException {
        for (int i = 0; i < 20; i++) {
            readAll();
        }
        assertThat(client.planCounts().hits()).isGreaterThanOrEqualTo(10);

        JsonNode told = Ecfs.run("admin", "explain", "/blocks/b0", "/blocks/b1", "--json", "--cluster", cluster.uri())
                .well()
                .json();
        assertThat(told.get("parts")).hasSize(2);
        assertThat(told.get("planCost").asDouble())
                .isPositive()
                .isLessThanOrEqualTo(told.get("dataChunksCost").asDouble());
        assertThat(told.get("actualMillis").asDouble()).isPositive();
        for (JsonNode part : told.get("parts")) {
            assertThat(part.get("planned").asBoolean()).isTrue();
            assertThat(part.findValues("chosen").stream().filter(JsonNode::asBoolean))
                    .hasSize(2);
            assertThat(part.findValues("accessMillis")).allMatch(millis -> millis.asDouble() > 0);
        }
        String text = Ecfs.run("admin", "explain", "/blocks/b0", "--plan", "--cluster", cluster.uri())
                .well()
                .text();
        assertThat(text).contains("rs-2-2-64k", "not read", "plan: greedy", "o_j ms");
        JsonNode part = Ecfs.run(
                        "admin",
                        "explain",
                        "/blocks/b0",
                        "--from",
                        "100",
                        "--length",
                        "7",
                        "--json",
                        "--cluster",
                        cluster.uri())
                .well()
                .json()
                .at("/parts/0");
        assertThat(List.of(part.get("from").asLong(), part.get("to").asLong())).containsExactly(100L, 107L);
        Ecfs missing = Ecfs.run("admin", "explain", "/blocks/none", "--cluster", cluster.uri());
        assertThat(missing.code()).isNotZero();
        assertThat(missing.err()).contains("/blocks/none").hasLineCount(1);
    }
}
