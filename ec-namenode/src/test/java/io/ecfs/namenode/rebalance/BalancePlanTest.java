package io.ecfs.namenode.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.rebalance.BalancePlan.Fill;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BalancePlanTest {
    private static VolumeId volume(int number) {
        return new VolumeId(number);
    }

    private static Fill fill(int number, double used, double room) {
        return new Fill(new DatanodeId("dn" + number), used, room);
    }

    private static BalancePlan plan(double threshold, double... usedAndRoom) {
        Map<VolumeId, Fill> fills = new TreeMap<>();
        for (int i = 0; i < usedAndRoom.length; i += 2) {
            int number = 1 + i / 2;
            fills.put(volume(number), fill(number, usedAndRoom[i], usedAndRoom[i + 1]));
        }
        return BalancePlan.of(threshold, fills);
    }

    /** Volumes of a ring, and within it of a colour, are filled evenly among themselves. */
    @Test
    void chunksMoveWithinAPoolAlone() {
        Map<VolumeId, Fill> fills = new TreeMap<>();
        fills.put(volume(1), new Fill(new DatanodeId("dn1"), "r1/0", 90, 100));
        fills.put(volume(2), new Fill(new DatanodeId("dn2"), "r1/0", 80, 100));
        fills.put(volume(3), new Fill(new DatanodeId("dn3"), 0, 100));
        BalancePlan plan = BalancePlan.of(0.1, fills);
        assertThat(plan.even()).isTrue();
        assertThat(plan.sources(9)).isEmpty();
        fills.put(volume(4), new Fill(new DatanodeId("dn4"), "r1/0", 10, 100));
        plan = BalancePlan.of(0.1, fills);
        assertThat(plan.sources(9)).containsExactly(volume(1), volume(2));
        assertThat(plan.evens(volume(1), volume(4), 10)).isTrue();
        assertThat(plan.evens(volume(1), volume(3), 10)).isFalse();
    }

    @Test
    void anEmptyVolumeIsFilledFromAllAboveTheMeanThoughNoneIsTooFull() {
        BalancePlan plan = plan(0.1, 80, 100, 78, 100, 0, 50);
        assertThat(plan.sources(9)).containsExactly(volume(1), volume(2));
        assertThat(plan.evens(volume(2), volume(3), 10)).isTrue();
        assertThat(plan.evens(volume(3), volume(1), 10)).isFalse();
        assertThat(plan.lacks(volume(3))).isEqualTo(27);
        assertThat(plan.bytesToMove()).isEqualTo(27);
    }

    @Test
    void aMoveThatWouldMakeTheTargetTheFullerOneIsNone() {
        BalancePlan plan = plan(0.1, 60, 100, 20, 100);
        assertThat(plan.evens(volume(1), volume(2), 20)).isTrue();
        assertThat(plan.evens(volume(1), volume(2), 21)).isFalse();
        assertThat(plan.evens(volume(1), volume(1), 1)).isFalse();
        assertThat(plan.evens(volume(1), volume(9), 1)).isFalse();
    }

    @Test
    void volumesWithoutRoomAndNoVolumesAtAllAreEven() {
        assertThat(plan(0.1).even()).isTrue();
        assertThat(plan(0.1, 0, 0, 5, 0).even()).isTrue();
        assertThat(plan(0.1, 0, 0, 50, 100).bytesToMove()).isZero();
        double most = Long.MAX_VALUE;
        assertThat(plan(0.1, most, most, 0, most).lacks(volume(2))).isPositive();
    }

    /** The oracle: whatever legal move is taken, in whatever order, moves end, and nothing is out of balance then. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void movesInAnyOrderComeToAnEndAndLeaveNothingOutOfBalance(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<VolumeId, Fill> fills = new TreeMap<>();
        for (int i = 1; i <= 2 + random.nextInt(8); i++) {
            double room = 1000 + random.nextInt(100_000);
            fills.put(volume(i), fill(i, random.nextDouble() * room, room));
        }
        BalancePlan plan = BalancePlan.of(0.05, fills);
        int moves = 0;
        while (true) {
            List<VolumeId[]> legal = new ArrayList<>();
            for (VolumeId from : plan.sources(100)) {
                for (VolumeId to : fills.keySet()) {
                    if (plan.evens(from, to, 7)) {
                        legal.add(new VolumeId[] {from, to});
                    }
                }
            }
            if (legal.isEmpty()) {
                break;
            }
            VolumeId[] move = legal.get(random.nextInt(legal.size()));
            fills.computeIfPresent(move[0], (v, fill) -> fill.plus(-7));
            fills.computeIfPresent(move[1], (v, fill) -> fill.plus(7));
            plan = BalancePlan.of(0.05, fills);
            assertThat(++moves).as("seed %s", seed).isLessThan(200_000);
        }
        assertThat(plan.even()).as("seed %s: %s", seed, plan).isTrue();
    }
}
