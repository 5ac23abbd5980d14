package io.ecfs.namenode.rewriting;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.message.FilePath;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.namespace.NamespaceRequest.SetMode;
import io.ecfs.namenode.entry.CommandCodec;
import io.ecfs.namenode.rpc.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Packed files whose rights change, on manual time: walks begin once a minute. */
class MixedPacksTest {
    private static final int FILES = 20;
    private static final int LENGTH = 1000;

    private final TestCluster cluster =
            new TestCluster(1, 6, TestCluster.RECOVERY.off(), new CommandCodec(), Duration.ofMinutes(2)).ready();
    private final GroupId pack = cluster.pack(
            IntStream.range(0, FILES).mapToObj(MixedPacksTest::name).toList(), LENGTH);

    private static String name(int file) {
        return "/f" + (10 + file);
    }

    private void chmod(int mode, int from, int to) {
        for (int i = from; i < to; i++) {
            cluster.call(new SetMode(cluster.request("writer"), new FilePath(name(i)), mode));
        }
    }

    private GroupId group(int file) {
        List<Extent> extents = cluster.locate(name(file)).extents();
        assertThat(extents).hasSize(1);
        return extents.get(0).group();
    }

    private List<GroupId> groups(int from, int to) {
        return IntStream.range(from, to).mapToObj(this::group).distinct().toList();
    }

    private List<Integer> moved() {
        return IntStream.range(0, FILES)
                .filter(file -> !group(file).equals(pack))
                .boxed()
                .toList();
    }

    private List<DatanodeOrder.Rewrite> orders() {
        return cluster.datanodes.values().stream()
                .flatMap(datanode -> datanode.rewritten.stream())
                .toList();
    }

    private void walks(int number) {
        cluster.time.advance(Duration.ofMinutes(number));
    }

    @Test
    void theFilesOfOtherRightsGetAGroupOfTheirOwn() {
        chmod(0600, 7, 9);
        walks(3);
        assertThat(moved()).containsExactly(7, 8);
        assertThat(groups(7, 9)).as("they share it").hasSize(1);
        assertThat(orders().stream().map(order -> order.target().group()).distinct())
                .hasSize(1);
        walks(5);
        assertThat(groups(7, 9)).as("and stay there").hasSize(1);
        assertThat(orders().stream().map(order -> order.target().group()).distinct())
                .hasSize(1);
    }

    @Test
    void theFirstFilesOfAPackAreNoOthersThanTheRest() {
        chmod(0600, 0, 2);
        walks(3);
        assertThat(moved()).containsExactly(0, 1);
    }

    @Test
    void nothingMovesWhileTheRightsOfATreeChange() {
        chmod(0600, 0, FILES / 2);
        walks(1);
        chmod(0600, FILES / 2, FILES);
        walks(5);
        assertThat(orders()).isEmpty();
    }

    @Test
    void aFileThatHasItsOldRightsBackStays() {
        chmod(0600, 7, 8);
        walks(1);
        chmod(0644, 7, 8);
        walks(5);
        assertThat(orders()).isEmpty();
    }

    @Test
    void theOnlyFileOfAPackStays() {
        cluster.pack(List.of("/alone"), LENGTH);
        cluster.call(new SetMode(cluster.request("writer"), new FilePath("/alone"), 0600));
        walks(5);
        assertThat(orders()).isEmpty();
    }
}
