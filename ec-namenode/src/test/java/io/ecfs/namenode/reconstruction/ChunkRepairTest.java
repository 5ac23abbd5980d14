package io.ecfs.namenode.reconstruction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Stamp;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.namenode.reconstruction.ChunkRepair.Stage;
import io.ecfs.namenode.rpc.TestCluster;
import io.ecfs.namenode.settings.RecoverySettings;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChunkRepairTest {
    private static final GroupId GROUP = new GroupId(4);
    private static final VolumeId TARGET = new VolumeId(9);

    private static final RepairCauses.Found FOUND = new RepairCauses.Found(IncidentCause.absent(), "a test", 0, 0);

    private static ChunkRepair planned() {
        return new ChunkRepair(GROUP, 2, TARGET, new DatanodeId("dn9"), 5, FOUND, 0);
    }

    private static DatanodeOrder.Rebuild order(int index, VolumeId volume) {
        BlockToken token =
                new BlockToken(GROUP, Stamp.NONE, BlockToken.Right.READ, 1, 1, new byte[BlockToken.SIGNATURE_BYTES]);
        return new DatanodeOrder.Rebuild(
                volume,
                new ChunkId(GROUP, index, 1),
                Policy.parse("rs-3-2-4k"),
                100,
                5,
                List.of(),
                Optional.empty(),
                false,
                token);
    }

    private static void go(ChunkRepair repair, Stage to) {
        switch (to) {
            case ORDERED -> repair.ordered(order(2, TARGET), 0);
            case REBUILT -> repair.rebuilt();
            case COMMITTED -> repair.committed();
            case FAILED -> repair.failed("a reason");
            default -> throw new IllegalArgumentException("nothing leads to " + to);
        }
    }

    private static ChunkRepair at(Stage stage) {
        ChunkRepair repair = planned();
        List<Stage> way = switch (stage) {
            case PLANNED -> List.of();
            case ORDERED -> List.of(Stage.ORDERED);
            case REBUILT -> List.of(Stage.ORDERED, Stage.REBUILT);
            case COMMITTED -> List.of(Stage.ORDERED, Stage.REBUILT, Stage.COMMITTED);
            case FAILED -> List.of(Stage.FAILED);
        };
        way.forEach(next -> go(repair, next));
        assertThat(repair.stage()).isEqualTo(stage);
        return repair;
    }

    @Test
    void onlyTheDrawnEdgesExist() {
        Map<Stage, Set<Stage>> drawn = new EnumMap<>(Map.of(
                Stage.PLANNED, EnumSet.of(Stage.ORDERED, Stage.FAILED),
                Stage.ORDERED, EnumSet.of(Stage.REBUILT, Stage.FAILED),
                Stage.REBUILT, EnumSet.of(Stage.COMMITTED, Stage.FAILED),
                Stage.COMMITTED, EnumSet.noneOf(Stage.class),
                Stage.FAILED, EnumSet.noneOf(Stage.class)));
        drawn.forEach((from, ends) -> {
            for (Stage to : EnumSet.range(Stage.ORDERED, Stage.FAILED)) {
                ChunkRepair repair = at(from);
                if (ends.contains(to)) {
                    go(repair, to);
                    assertThat(repair.stage()).isEqualTo(to);
                } else {
                    assertThatThrownBy(() -> go(repair, to))
                            .isInstanceOf(AssertionError.class)
                            .hasMessageContaining("cannot go from " + from + " to " + to);
                    assertThat(repair.stage()).isEqualTo(from);
                }
            }
        });
    }

    @Test
    void anOrderIsGivenOnlyWhileItIsOrderedAndOnlyForItsOwnChunk() {
        assertThat(planned().order()).isEmpty();
        assertThat(at(Stage.ORDERED).order()).contains(order(2, TARGET));
        assertThat(at(Stage.REBUILT).order()).isEmpty();
        assertThatThrownBy(() -> planned().ordered(order(1, TARGET), 0)).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> planned().ordered(order(2, new VolumeId(1)), 0))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void theWaitAfterFailuresDoublesUpToItsBound() {
        RecoverySettings settings = TestCluster.RECOVERY;
        assertThat(List.of(settings.waitAfter(1), settings.waitAfter(2), settings.waitAfter(3), settings.waitAfter(60)))
                .containsExactly(
                        Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(20));
    }
}
