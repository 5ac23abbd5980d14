package io.ecfs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.blocks.BlockStore;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class BlockStoreTest extends ClusterTest {
    private static final Policy POLICY = Policy.parse("rs-2-2-64k");
    /** Lengths around a stripe of 128 KiB. */
    private static final int[] LENGTHS = {0, 1, 1000, 131_071, 131_072, 131_073, 400_000};

    private BlockStore store;

    @Override
    protected void start(int datanodes, ClientConfig config) {
        super.start(datanodes, config.with("plan.on=on"));
    }

    private void start() {
        start(6);
        cluster.setDefaultPolicy(POLICY);
        store = BlockStore.in(client, new FilePath("/blocks"));
    }

    private static <T> T result(CompletionStage<T> stage) throws IOException {
        return Await.result(stage.toCompletableFuture());
    }

    @Test
    void whatWasPutIsReadUnderItsKey() throws IOException {
        start();
        List<String> keys = new ArrayList<>();
        List<CompletionStage<Void>> puts = new ArrayList<>();
        for (int length : LENGTHS) {
            String key = "user" + length + "/" + length + " %ä.";
            keys.add(key);
            puts.add(store.put(key, Bytes.range(length, 2L * length)));
        }
        for (CompletionStage<Void> put : puts) {
            result(put);
        }
        for (BlockStore reader : List.of(store, store.bindingLate(1), store.bindingLate(2))) {
            BlockStore.Blocks read = result(reader.read(keys));
            assertThat(read.failures()).isEmpty();
            assertThat(read.blocks().keySet()).containsExactlyElementsOf(keys);
            for (int i = 0; i < LENGTHS.length; i++) {
                byte[] bytes = new byte[read.blocks().get(keys.get(i)).remaining()];
                read.blocks().get(keys.get(i)).duplicate().get(bytes);
                assertThat(bytes).as(keys.get(i)).isEqualTo(Bytes.range(LENGTHS[i], 2L * LENGTHS[i]));
            }
        }
    }

    @Test
    void aPutOfASmallBlockTakesTwoChangesOfTheNamespace() throws IOException {
        start();
        result(store.put("a", Bytes.range(0, 1000)));
        int before = namenodeRequests().size();
        result(store.put("b", Bytes.range(0, 100_000)));

        assertThat(namenodeRequests().subList(before, namenodeRequests().size()).stream()
                        .filter(NamespaceRequest.Mutation.class::isInstance))
                .hasSize(2);
    }

    @Test
    void aPutReplacesAndADeleteRemoves() throws IOException {
        start();
        result(store.put("a", Bytes.range(0, 1000)));
        result(store.synced().put("a", Bytes.range(0, 50)));
        assertThat(result(store.read("a")).blocks().get("a").remaining()).isEqualTo(50);

        result(store.delete("a"));
        BlockStore.Blocks none = result(store.read("a", "b"));
        assertThat(none.blocks()).isEmpty();
        assertThat(none.failures()).containsOnlyKeys("a", "b");
        assertThat(none.failures().get("b").code()).isEqualTo(ErrorCode.NOT_FOUND);
        assertThatThrownBy(() -> result(store.delete("a"))).isInstanceOf(EcfsException.class);
    }

    @Test
    void keysThatCannotBeAndTooManyChunksAreRefusedInOneLine() throws IOException {
        start();
        result(store.put("..", Bytes.range(0, 10)));
        result(store.put("%2E%2E", Bytes.range(0, 20)));
        assertThat(result(store.read("..")).blocks().get("..").remaining()).isEqualTo(10);
        for (String key : List.of("", "x".repeat(300), "\uD800")) {
            assertThatThrownBy(() -> result(store.put(key, new byte[1])))
                    .isInstanceOf(EcfsException.class)
                    .hasMessageContaining("/blocks")
                    .hasMessageNotContaining("\n");
            assertThatThrownBy(() -> result(store.read("..", key))).isInstanceOf(EcfsException.class);
        }
        assertThatThrownBy(() -> result(store.bindingLate(3).read("..")))
                .isInstanceOf(EcfsException.class)
                .hasMessageContaining("delta 3");
    }
}
