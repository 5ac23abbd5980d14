package io.ecfs.bench.bed.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.bench.bed.Device;
import io.ecfs.bench.bed.recovery.DatanodeHardware.Visits;
import io.ecfs.bench.bed.recovery.Victims.Where;
import io.ecfs.fault.record.Phase;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecoveryBedTest {
    private static final long MIB = 1 << 20;
    private static final Policy RS = Policy.parse("rs-4-2-1024k");
    private static final Policy CLAY = Policy.parse("clay-4-2-5-1024k");
    private static final DatanodeHardware HARDWARE =
            new DatanodeHardware(new Device(200_000, 250_000_000), 1_250_000_000, 4, Visits.EACH_RUN);
    private static final RepairLimits LIMITS = RepairLimits.usual(Duration.ZERO);
    private static final Victims ONE = new Victims(Where.SAME_RACK, 1);
    private static final Victims HOST = new Victims(Where.WHOLE_RACKS, 1);

    private static final RecoveryResult OF_A_HOST = RecoveryBed.run(plan(RS, 400, HOST));

    private static StoredData data(Policy policy, int files) {
        return new StoredData(10, 2, true, files, 16 * MIB, policy, 0);
    }

    private static RecoveryPlan plan(Policy policy, int files, Victims victims) {
        return new RecoveryPlan(data(policy, files), HARDWARE, victims, LIMITS, 7);
    }

    @Test
    void aDeadHostIsRebuiltAndEveryByteIsAccountedFor() {
        RecoveryResult result = OF_A_HOST;
        assertThat(result.bytesRepaired()).isEqualTo(result.bytesLost());
        assertThat(result.chunksRepaired()).isEqualTo(result.chunksLost());
        assertThat(result.bytesRead()).isEqualTo(4 * result.bytesLost());
        assertThat(result.groupsByLosses().stream().mapToInt(Integer::intValue).sum())
                .isEqualTo(400);
        assertThat(result.groupsByLosses().get(1)).isEqualTo((int) result.chunksLost());
        assertThat(result.seconds().values())
                .allSatisfy(seconds -> assertThat(seconds).isNotNegative());
        assertThat(result.rate() * 1e6 * result.seconds(Phase.RECOVERY))
                .isCloseTo((double) result.bytesRepaired(), within(1.0));
        assertThat(result.busiest().disk()).isBetween(result.use().disk(), 1.01);
    }

    @Test
    void aSeedAlwaysGivesTheSameResult() {
        RecoveryPlan plan = plan(RS, 60, HOST);
        RecoveryResult first = RecoveryBed.run(plan);
        assertThat(RecoveryBed.run(plan)).isEqualTo(first);
        assertThat(RecoveryBed.run(plan.withSeed(8))).isNotEqualTo(first);
    }

    /** 10 s less what has passed since the last heartbeat, and the grace as it was set. */
    @Test
    void noticeAndGraceAreTheSettings() {
        RecoveryPlan patient =
                new RecoveryPlan(data(RS, 50), HARDWARE, ONE, RepairLimits.usual(Duration.ofMinutes(2)), 7);
        RecoveryResult result = RecoveryBed.run(patient);
        assertThat(result.seconds(Phase.NOTICE)).isBetween(9.0, 10.1);
        assertThat(result.seconds(Phase.GRACE)).isCloseTo(120, within(0.01));
        assertThat(result.checkedShare()).isGreaterThan(0.9);
        assertThat(result.seconds(Phase.CHECKING)).isLessThan(1.1);
    }

    /** They die up to a second apart for the namenode: no chunk is rebuilt on one of which nothing is heard. */
    @Test
    void noTargetIsADatanodeThatDiedWithTheOthers() {
        assertThat(OF_A_HOST.attemptsFailed()).isZero();
        assertThat(OF_A_HOST.seconds(Phase.RECOVERY)).isLessThan(10);
    }

    /** One rack holds one chunk of a group at most; where racks are unknown some groups lose several. */
    @Test
    void groupsLoseSeveralChunksOnlyWhereRacksAreNotKnown() {
        assertThat(OF_A_HOST.groupsByLosses().get(2)).isZero();
        StoredData unknown = new StoredData(10, 2, false, 300, 16 * MIB, RS, 0);
        RecoveryResult result = RecoveryBed.run(new RecoveryPlan(unknown, HARDWARE, HOST, LIMITS, 7));
        assertThat(result.groupsByLosses().get(2)).isPositive();
        assertThat(result.bytesRepaired()).isEqualTo(result.bytesLost());
    }

    /** Of 20 datanodes those of the set: a victim has a chunk of every group, and the others are sources of all. */
    @Test
    void withOnePlacementSetAllGroupsLieOnTheSameDatanodes() {
        StoredData data = new StoredData(10, 2, true, 200, 16 * MIB, RS, 1);
        RecoveryResult result = RecoveryBed.run(new RecoveryPlan(data, HARDWARE, ONE, LIMITS, 7));
        assertThat(result.chunksLost()).isEqualTo(200);
        assertThat(result.busiestSource()).isGreaterThan(2);
    }

    /** d / (d - k + 1) = 2.5 bytes a byte; in runs that cost an access each. */
    @Test
    void clayReadsFewerBytesInMoreRuns() {
        RecoveryResult clay = RecoveryBed.run(plan(CLAY, 200, ONE));
        assertThat((double) clay.bytesRead() / clay.bytesRepaired()).isCloseTo(2.5, within(0.01));
        DatanodeHardware slowAccess = HARDWARE.with(new Device(5_000_000, 250_000_000));
        RecoveryResult runs = RecoveryBed.run(new RecoveryPlan(data(CLAY, 200), slowAccess, ONE, LIMITS, 7));
        assertThat(runs.seconds(Phase.RECOVERY)).isGreaterThan(2 * clay.seconds(Phase.RECOVERY));
    }

    /** Sub-chunks of 16 KiB are read with those between them; no more bytes are sent. */
    @Test
    void neighbouringRunsAreReadAtOnce() {
        StoredData data = data(Policy.parse("clay-4-2-5-128k"), 200);
        DatanodeHardware slowAccess = HARDWARE.with(new Device(5_000_000, 250_000_000));
        RecoveryResult runs = RecoveryBed.run(new RecoveryPlan(data, slowAccess, ONE, LIMITS, 7));
        RecoveryResult visits =
                RecoveryBed.run(new RecoveryPlan(data, slowAccess.with(Visits.ONE_WHERE_FASTER), ONE, LIMITS, 7));
        assertThat(visits.seconds(Phase.RECOVERY)).isLessThan(0.9 * runs.seconds(Phase.RECOVERY));
        assertThat(visits.bytesRead()).isEqualTo(runs.bytesRead());
    }

    /** What a datanode reads: the lengths of cells and tails add up to what the plan says, at each length. */
    @Test
    void slicesReadEachSourceOnceAndRepairAllThatIsStored() {
        for (Policy policy : List.of(RS, CLAY)) {
            for (long length : List.of(1L, 4096L, 4 * MIB - 1, 4 * MIB, 4 * MIB + 1, 19 * MIB + 17)) {
                GroupLayout layout = new GroupLayout(policy, length);
                RebuildSlicesCheck.check(layout);
            }
        }
    }

    @Test
    void refusesWhatCannotBe() {
        assertThatThrownBy(() -> new StoredData(3, 2, true, 1, MIB, RS, 0)).hasMessageContaining("need 7 datanodes");
        assertThatThrownBy(() -> new StoredData(300, 2, true, 1, MIB, RS, 0)).hasMessageContaining("1 to 500");
        assertThatThrownBy(() -> new StoredData(10, 2, true, 1, 1L << 40, RS, 0))
                .hasMessageContaining("one group");
        assertThatThrownBy(() -> new Victims(Where.SAME_RACK, 0)).hasMessageContaining("at least one");
        assertThatThrownBy(() -> plan(RS, 10, new Victims(Where.SAME_RACK, 3))).hasMessageContaining("at most 2 die");
        assertThatThrownBy(() -> RecoveryBed.run(plan(RS, 100, new Victims(Where.WHOLE_RACKS, 5))))
                .hasMessageContaining("lost for good");
    }
}
