package io.ecfs.namenode.rewriting;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.ConversionRule;
import io.ecfs.message.namespace.NamespaceRequest.SetConversionRules;
import io.ecfs.namenode.entry.CommandCodec;
import io.ecfs.namenode.rpc.TestCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Walks over all files at the leader. */
class SweepTest {
    private final TestCluster cluster =
            new TestCluster(1, 6, TestCluster.RECOVERY.off(), new CommandCodec(), Duration.ofMinutes(2)).ready();

    private long namesReadWithin(Duration time) {
        long before = cluster.stores.get(cluster.leader()).names;
        cluster.time.advance(time);
        return cluster.stores.get(cluster.leader()).names - before;
    }

    @Test
    void anIdleClusterIsNotWalkedAgainAndAgain() {
        cluster.file("/a", TestCluster.LENGTH);
        assertThat(namesReadWithin(Duration.ofMinutes(5))).isPositive();
        assertThat(namesReadWithin(Duration.ofMinutes(10))).isZero();
        cluster.file("/b", TestCluster.LENGTH);
        assertThat(namesReadWithin(Duration.ofMinutes(2))).isPositive();
    }

    @Test
    void filesAgeUnderARuleThoughNothingElseHappens() {
        Policy later = Policy.parse("rs-2-1-4k");
        cluster.file("/d/a", TestCluster.LENGTH);
        cluster.call(new SetConversionRules(
                cluster.request("operator"),
                new FilePath("/d"),
                List.of(new ConversionRule(Duration.ofMinutes(20), later))));
        cluster.await(() -> cluster.status("/d/a").policy().equals(later), Duration.ofMinutes(25));
    }
}
