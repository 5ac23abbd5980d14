package io.ecfs.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.layout.Policy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdvisorTest {
    private static final long MIB = 1 << 20;
    private static final Machines MACHINES = new Machines(30, 250e6, 1.25e9, 4);
    private static final RecoveryTuning TUNING =
            new RecoveryTuning(Duration.ofSeconds(10), Duration.ofMinutes(10), 200, 4);
    private static final Goals GOALS = new Goals(3, Optional.of(Duration.ofMinutes(15)), OptionalDouble.of(1.5));
    private static final ReadCosts READS = new ReadCosts();
    private static final List<FileSet> FILES = List.of(new FileSet(10_000, 64 * MIB));

    private static List<Advice> rank(List<FileSet> files, Machines machines, Goals goals, String... policies) {
        return new Advisor(files, MIB, machines, TUNING, goals, READS)
                .rank(
                        policies.length == 0
                                ? Candidates.surviving(goals.losses())
                                : Stream.of(policies).map(Policy::parse).toList());
    }

    /**
     * 640,000 MiB x 1.33334 on 30 datanodes: 29.8 GB each, 268.4 GB to read by 29 of them at 250 MB/s, 37.0 s, in eight
     * slices of each chunk, 1.0 s. For 4000 lost chunks 36,000 are read from 29 datanodes: 7.4 % more from one of them,
     * 40.8 s. Targets write and read back the 29.8 GB: 8.3 s.
     */
    @Test
    void theWideCodeOfThePaperOnItsCluster() {
        Advice advice = rank(FILES, MACHINES, GOALS, "rs-9-3-1024k").get(0);
        assertThat(advice.policy()).isEqualTo("rs-9-3-1024k");
        assertThat(advice.cell()).isEqualTo(MIB);
        assertThat(advice.storedPerByte()).isCloseTo(1.3352, within(5e-5));
        assertThat(advice.survives()).isEqualTo(3);
        assertThat(advice.readPerByte()).isEqualTo(9);
        assertThat(advice.recoverySeconds().orElseThrow()).isCloseTo(610.2 + 49.1, within(0.2));
        assertThat(advice.bottleneck()).contains(Bottleneck.DISK);
        assertThat(advice.verdict()).isEqualTo(Advice.MEETS);
    }

    @Test
    void theFirstMeetsAllGoalsAtLeastSpace() {
        List<Advice> ranked = rank(FILES, MACHINES, GOALS);
        assertThat(ranked).hasSizeGreaterThan(100);
        assertThat(ranked.get(0).meetsAll()).isTrue();
        assertThat(ranked.stream()
                        .filter(Advice::meetsAll)
                        .mapToDouble(Advice::storedPerByte)
                        .min()
                        .orElseThrow())
                .isGreaterThan(ranked.get(0).storedPerByte() - 0.01);
        boolean missed = false;
        for (Advice one : ranked) {
            boolean meets = one.survives() >= 3
                    && one.storedPerByte() <= 1.5
                    && one.recoverySeconds().orElse(Double.MAX_VALUE) <= 900;
            assertThat(one.meetsAll()).as("%s", one).isEqualTo(meets);
            assertThat(meets && missed).as("%s behind one that misses", one).isFalse();
            missed |= !meets;
        }
    }

    /** Each misses two goals. */
    @Test
    void policiesWithoutPlaceComeLast() {
        Goals goals = new Goals(2, Optional.of(Duration.ofSeconds(1)), OptionalDouble.of(1.01));
        List<Advice> ranked = rank(FILES, MACHINES.withDatanodes(9), goals, "rs-8-2", "replication-3", "rs-4-2");
        assertThat(ranked).extracting(Advice::policy).containsExactly("rs-4-2-1024k", "replication-3", "rs-8-2-1024k");
        assertThat(ranked.get(2).verdict()).startsWith("datanodes 9 < 11");
    }

    @Test
    void theVerdictNamesEachGoalThatIsMissed() {
        Goals goals = new Goals(3, Optional.of(Duration.ofMinutes(10)), OptionalDouble.of(1.3));
        assertThat(rank(FILES, MACHINES, goals, "rs-4-2-64k").get(0).verdict())
                .startsWith("tolerate 2 < 3, overhead 1.50")
                .contains(" > 1.3, recover-in 6")
                .endsWith("s > 10m");
        assertThat(rank(FILES, MACHINES.withDatanodes(12), goals, "rs-9-3-64k").get(0))
                .satisfies(one -> {
                    assertThat(one.verdict()).startsWith("datanodes 12 < 13, overhead 1.33");
                    assertThat(one.recoverySeconds()).isEmpty();
                    assertThat(one.bottleneck()).isEmpty();
                    assertThat(one.datanodesNeeded()).isEmpty(); // no number of them makes up for the grace
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"rs-9-3-1024k", "clay-6-3-8-1024k", "lrc-12-2-2-256k", "replication-4"})
    void oneDatanodeLessThanNeededMissesTheGoal(String policy) {
        Goals goals = new Goals(3, Optional.of(Duration.ofSeconds(620)), OptionalDouble.empty());
        List<FileSet> files = List.of(new FileSet(100_000, 64 * MIB));
        Advice few = rank(files, MACHINES, goals, policy).get(0);
        assertThat(few.verdict()).startsWith("recover-in");
        int needed = few.datanodesNeeded().orElseThrow();
        assertThat(rank(files, MACHINES.withDatanodes(needed), goals, policy)
                        .get(0)
                        .verdict())
                .isEqualTo(Advice.MEETS);
        assertThat(rank(files, MACHINES.withDatanodes(needed - 1), goals, policy)
                        .get(0)
                        .verdict())
                .startsWith("recover-in");
    }

    @Test
    void withoutAGoalOfRecoveryAGroupAndARebuiltChunkNeedPlace() {
        Goals goals = new Goals(2, Optional.empty(), OptionalDouble.empty());
        assertThat(rank(FILES, MACHINES, goals, "rs-4-2").get(0).datanodesNeeded())
                .hasValue(7);
        assertThat(rank(FILES, MACHINES.withDatanodes(7), goals, "rs-4-2")
                        .get(0)
                        .meetsAll())
                .isTrue();
        assertThat(rank(FILES, MACHINES.withDatanodes(6), goals, "rs-4-2")
                        .get(0)
                        .verdict())
                .isEqualTo("datanodes 6 < 7");
    }

    /** 4 KiB files alone take nine chunks of two blocks; together they fill stripes. */
    @Test
    void smallFilesTakeLessWhereTheyShareGroups() {
        List<FileSet> files = List.of(new FileSet(1_000_000, 4096));
        Policy policy = Policy.parse("rs-6-3-64k");
        assertThat(StoredFiles.of(policy, files, MIB).perByte()).isCloseTo(1.503, within(0.002));
        assertThat(StoredFiles.of(policy, files, 0).perByte()).isEqualTo(18);
    }

    @Test
    void setsOfFilesAddUp() {
        Policy policy = Policy.parse("rs-6-3-1024k");
        StoredFiles large = StoredFiles.of(policy, List.of(new FileSet(3, 700 * MIB)), MIB);
        StoredFiles small = StoredFiles.of(policy, List.of(new FileSet(50, 10_000)), MIB);
        StoredFiles both = StoredFiles.of(policy, List.of(new FileSet(3, 700 * MIB), new FileSet(50, 10_000)), MIB);
        assertThat(both.userBytes()).isEqualTo(large.userBytes() + small.userBytes());
        assertThat(both.chunks()).isEqualTo(large.chunks() + small.chunks());
        assertThat(both.blockBytes()).isEqualTo(large.blockBytes() + small.blockBytes());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 11, 100})
    void candidatesSurviveJustTheLossesAskedForAndDiffer(int losses) {
        List<Policy> candidates = Candidates.surviving(losses);
        assertThat(candidates).isNotEmpty().doesNotHaveDuplicates();
        assertThat(candidates).allMatch(policy -> policy.code().survivedLosses() == losses);
    }

    @Test
    void readsFilesAndRefusesWhatIsNone() {
        assertThat(FileSet.parse("10000x64m")).containsExactly(new FileSet(10_000, 64 * MIB));
        assertThat(FileSet.parse("5x1G, 1000000X100k"))
                .containsExactly(new FileSet(5, 1 << 30), new FileSet(1_000_000, 102_400));
        for (String bad : List.of("", "64m", "10000*64m", "x64m", "10x", "10x64m,", "-1x4k", "10x64q")) {
            assertThatThrownBy(() -> FileSet.parse(bad)).as(bad).isInstanceOf(IllegalArgumentException.class);
        }
        for (String bad : List.of("0x4k", "1x0", "1000000001x1", "1x2000t")) {
            assertThatThrownBy(() -> FileSet.parse(bad)).as(bad).hasMessageContaining("give several sets");
        }
    }

    @Test
    void refusesGoalsAndMachinesThatCannotBe() {
        Optional<Duration> any = Optional.empty();
        assertThatThrownBy(() -> new Goals(0, any, OptionalDouble.empty())).hasMessageContaining("--tolerate 3");
        assertThatThrownBy(() -> new Goals(1, any, OptionalDouble.of(0.9))).hasMessageContaining("--overhead 1.5");
        assertThatThrownBy(() -> new Goals(1, any, OptionalDouble.of(Double.NaN)))
                .hasMessageContaining("--overhead 1.5");
        assertThatThrownBy(() -> new Goals(1, Optional.of(Duration.ZERO), OptionalDouble.empty()))
                .hasMessageContaining("--recover-in 15m");
        assertThatThrownBy(() -> new Machines(0, 1, 1, 1)).hasMessageContaining("--datanodes 30");
        assertThatThrownBy(() -> new Machines(1, 0, 1, 1)).hasMessageContaining("--disk 250MB/s");
        assertThatThrownBy(() -> new Machines(1, 1, 1, 0)).hasMessageContaining("--cores 4");
        assertThatThrownBy(() -> new Advisor(List.of(), 0, MACHINES, TUNING, GOALS, READS))
                .hasMessageContaining("--files");
    }
}
