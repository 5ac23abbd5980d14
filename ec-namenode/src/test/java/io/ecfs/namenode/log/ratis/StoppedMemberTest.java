package io.ecfs.namenode.log.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.entry.CommandCodec;
import io.ecfs.namenode.entry.NextRelease;
import io.ecfs.namenode.log.StateStopped;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.state.MetadataState;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.MemoryStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real facts on the real log: what one member cannot read, or has otherwise than the leader, stops that member alone.
 */
@Timeout(300)
final class StoppedMemberTest {
    private final Map<String, MemoryStore> stores = new TreeMap<>();
    private final Map<String, MetadataState> states = new TreeMap<>();

    @TempDir
    Path root;

    private void start(LogCluster cluster, String id, CommandCodec codec) throws IOException {
        RatisLog.markFormatted(cluster.directory(id));
        stores.put(id, new MemoryStore());
        states.put(id, new MetadataState(stores.get(id), codec));
        cluster.logs.put(id, RatisLog.open(cluster.member(id), LogCluster.STEADY, states.get(id), cluster.context(id)));
    }

    private void propose(LogCluster cluster, byte[] command) {
        cluster.persist(log -> log.propose(command));
    }

    private void awaitStopped(LogCluster cluster, String id) {
        await().atMost(LogCluster.PATIENCE).until(() -> cluster.failures.containsKey(id));
        assertThat(cluster.failures.get(id)).isInstanceOf(StateStopped.class);
    }

    @Test
    void anEntryOfTheNextReleaseStopsTheMemberThatCannotReadIt() throws Exception {
        try (LogCluster cluster = new LogCluster(root, 3, LogCluster.STEADY)) {
            start(cluster, "nn0", NextRelease.codec());
            start(cluster, "nn1", NextRelease.codec());
            cluster.leader();
            start(cluster, "nn2", new CommandCodec());
            CommandCodec next = NextRelease.codec();
            propose(
                    cluster,
                    next.encode(new Command.Format(
                            1, "cluster", "root", Policy.parse("rs-2-1-64k"), Optional.empty(), Optional.empty())));
            propose(cluster, next.encode(new Command.RaiseLevel(1, NextRelease.LEVEL)));
            awaitStopped(cluster, "nn2");

            assertThat(cluster.failures.get("nn2"))
                    .hasMessageContaining("start a release of level " + NextRelease.LEVEL + " or above");
            assertThat(cluster.logs.get("nn2").leadership().leading()).isFalse();
            long stoppedAt = states.get("nn2").applied().index();
            propose(cluster, next.encode(new Command.PurgeStep(1, 5)));
            assertThat(states.get("nn2").applied().index()).isEqualTo(stoppedAt);
            assertThat(states.get("nn0").levelInForce() + states.get("nn1").levelInForce())
                    .isGreaterThan(NextRelease.LEVEL);
            assertThat(cluster.failures).containsOnlyKeys("nn2");
        }
    }

    @Test
    void oneRowThatDiffersStopsTheFollowerAtTheNextComparison() throws Exception {
        try (LogCluster cluster = new LogCluster(root, 3, LogCluster.STEADY)) {
            CommandCodec codec = new CommandCodec();
            for (String id : new String[] {"nn0", "nn1", "nn2"}) {
                start(cluster, id, codec);
            }
            propose(
                    cluster,
                    codec.encode(new Command.Format(
                            1, "cluster", "root", Policy.parse("rs-2-1-64k"), Optional.empty(), Optional.empty())));
            check(cluster, codec); // from now on their rows are comparable
            String leader = cluster.leader();
            String bad = cluster.followers().get(0);
            await().atMost(LogCluster.PATIENCE)
                    .until(() ->
                            states.get(bad).applied().equals(states.get(leader).applied()));
            try (Transaction behindItsBack = stores.get(bad).begin()) {
                behindItsBack.put(
                        Table.META,
                        "count/last_volume".getBytes(StandardCharsets.UTF_8),
                        new RowWriter().i64(10).bytes());
                behindItsBack.commit();
            }
            propose(
                    cluster,
                    codec.encode(new Command.RegisterDatanode(
                            1, new DatanodeId("dn1"), "uuid", new Address("host", 1), "/r", List.of("volume"))));
            check(cluster, codec);
            awaitStopped(cluster, bad);

            assertThat(cluster.failures.get(bad))
                    .hasMessageContaining("the facts of this namenode are not those of")
                    .hasMessageContaining("after log entry");
            check(cluster, codec);
            assertThat(cluster.failures).containsOnlyKeys(bad);
        }
    }

    private void check(LogCluster cluster, CommandCodec codec) {
        String leader = cluster.leader();
        long index = states.get(leader).applied().index();
        long hash = states.get(leader).hashAt(index).orElseThrow();
        propose(cluster, codec.encode(new Command.CheckState(1, leader, index, hash)));
    }
}
