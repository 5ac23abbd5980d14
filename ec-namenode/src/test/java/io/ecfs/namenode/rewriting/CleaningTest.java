package io.ecfs.namenode.rewriting;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.message.VolumeState;
import io.ecfs.namenode.entry.CommandCodec;
import io.ecfs.namenode.rpc.TestCluster;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When the leader cleans packs. */
class CleaningTest {
    private final TestCluster cluster =
            new TestCluster(1, 6, TestCluster.RECOVERY.off(), new CommandCodec(), Duration.ofMinutes(2)).ready();

    private boolean cleans() {
        try (MetadataView view = cluster.facts(cluster.leader())) {
            return !view.rewrites(1).isEmpty();
        }
    }

    @Test
    void whatMayStayDeadDoesNotWhenAVolumeIsFull() {
        for (String directory : new String[] {"/a", "/b", "/c"}) {
            cluster.pack(
                    IntStream.range(0, 10).mapToObj(i -> directory + "/f" + i).toList(), 1000);
        }
        IntStream.range(0, 8).forEach(i -> cluster.delete("/a/f" + i));
        cluster.time.advance(Duration.ofMinutes(5));
        assertThat(cluster.datanodes.values())
                .allSatisfy(datanode -> assertThat(datanode.rewritten)
                        .as("8 of 30 files are dead")
                        .isEmpty());
        cluster.datanodes.get(1).state = VolumeState.FULL;
        cluster.await(this::cleans, Duration.ofMinutes(3));
    }
}
