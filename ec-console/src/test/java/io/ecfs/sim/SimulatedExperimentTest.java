package io.ecfs.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.buffer.LosesBuffers;
import io.ecfs.config.ConfigReader;
import io.ecfs.error.EcfsException;
import io.ecfs.fault.profile.FaultKind;
import io.ecfs.fault.profile.FaultProfile;
import io.ecfs.sim.script.SimulatedOutcome;
import io.ecfs.sim.script.SimulatedOutcome.Fault;
import io.netty.util.ResourceLeakDetector;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@LosesBuffers
class SimulatedExperimentTest {
    /** Faults are noticed soon, so that a test is short; the paces of repair are those of a real cluster. */
    private static final String QUICK = """
            cluster:
              shape: sim
              datanodes: 7
              racks: 7
              set:
               - namenode.settings.silence.suspectAfter=3s
               - namenode.settings.recovery.grace=1s
               - namenode.settings.recovery.settle=1s
               - namenode.settings.recovery.retryAfter=1s
               - namenode.settings.parityCheck.period=1s
               - datanode.scrub.every=3s
               - datanode.repair.sliceBytes=4096
            policies: [rs-3-2-4k]
            workload: {files: 4, bytes: 30k, threads: 2}
            """;

    private static FaultProfile profile(String faults, String... overrides) {
        return ConfigReader.read(FaultProfile.class, "test", QUICK + faults, List.of(overrides));
    }

    private static SimulatedOutcome run(FaultProfile profile) throws EcfsException {
        // A process that is killed gives its buffers back to nobody: here that is no leak.
        ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        Alarms alarms = Alarms.listen(true);
        try {
            return SimulatedExperiment.run(profile, profile.policies().get(0), 1);
        } finally {
            alarms.close();
            ResourceLeakDetector.setLevel(level);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyKindOfFaultIsInjectedAndUndoneAndEveryByteReadBack(FaultKind.Target target) throws EcfsException {
        String level = target == FaultKind.Target.DISK || target == FaultKind.Target.CHUNK ? "volume" : "datanode";
        List<FaultKind> kinds = Arrays.stream(FaultKind.values())
                .filter(kind -> kind.target() == target)
                .toList();
        StringBuilder faults = new StringBuilder("faults:\n");
        for (FaultKind kind : kinds) {
            faults.append(" - {fault: %s, at: %ds, victims: {level: %s, of: random}%s}\n"
                    .formatted(
                            kind.word(), 8 * kinds.indexOf(kind), level, kind.healsWhileItLasts() ? "" : ", for: 3s"));
        }
        SimulatedOutcome outcome = run(profile(faults.toString()));
        assertThat(outcome.faults().stream().map(Fault::kind)).isEqualTo(kinds);
        assertThat(outcome.load().files()).isEqualTo(4);
        assertThat(outcome.load().bytesBack()).isEqualTo(4 * 30_720L);
        assertThat(outcome.leastSpare().orElse(0)).isNotNegative();
        for (Fault fault : outcome.faults()) {
            assertThat(fault.rebuilt()).as("%s", fault).isEqualTo(fault.kind().healsWhileItLasts());
            assertThat(fault.undoneMillis()).isGreaterThan(fault.injectedMillis());
            if (fault.kind().healsWhileItLasts()) {
                assertThat(fault.chunksRepaired()).as("%s", fault).isPositive();
                assertThat(Math.round(1e3 * fault.phases().totalSeconds()))
                        .as("phases of %s", fault)
                        .isEqualTo(fault.healedMillis().orElseThrow() - fault.injectedMillis());
            }
        }
    }

    @Test
    void theSameProfileAndSeedGiveTheSameOutcome() throws EcfsException {
        FaultProfile mixed = profile("""
                faults:
                 - {fault: partition, victims: {level: rack, of: random}}
                 - {fault: kill, on: half-written, victims: {of: group:0, chunks: parity}, for: 2s}
                """, "workload.during=mixed");
        SimulatedOutcome outcome = run(mixed);
        assertThat(run(mixed)).isEqualTo(outcome);
        assertThat(outcome.faults().get(1).injectedMillis())
                .isGreaterThan(outcome.faults().get(0).injectedMillis());
        assertThat(outcome.load().read()).isPositive();
        assertThat(outcome.load().written()).isPositive();
        assertThat(outcome.load().files()).isGreaterThan(4);
        assertThat(outcome.load().wrong()).isZero();
        assertThat(run(profile("faults: [{fault: kill, for: 1s}]", "seed=2")).traceHash())
                .isNotEqualTo(run(profile("faults: [{fault: kill, for: 1s}]", "seed=3"))
                        .traceHash());
    }

    /** Both survivable losses last, and a third one comes; of one that heals in time no group lacks anything then. */
    @Test
    void aStrictBudgetIsNeverExceeded() throws EcfsException {
        SimulatedOutcome outcome = run(profile("""
                faults:
                 - {fault: kill, victims: {of: group:0}, for: 2s}
                 - {at: 1s, fault: freeze, victims: {of: group:0}, for: 2s}
                """));
        assertThat(outcome.leastSpare()).hasValue(0);
        assertThat(outcome.groupsLostSeen()).isZero();
        assertThatThrownBy(() -> run(profile("""
                        faults:
                         - {fault: kill, victims: {of: group:0}, for: 9s}
                         - {at: 1s, fault: freeze, victims: {of: group:0}, for: 9s}
                         - {at: 2s, fault: remove-device, victims: {level: volume, of: group:0}, for: 9s}
                        """)))
                .isInstanceOf(EcfsException.class)
                .hasMessageContaining("no victims within the budget");
    }

    @Test
    void groupsBeyondTheBudgetAreLostAndComeBack() throws EcfsException {
        SimulatedOutcome outcome = run(profile("""
                budget: beyond
                faults: [{fault: kill, victims: {count: 3, of: group:0}, for: 7s}]
                """));
        assertThat(outcome.leastSpare()).hasValue(-1);
        assertThat(outcome.groupsLostExpected()).isPositive();
        assertThat(outcome.groupsLostSeen()).isEqualTo(outcome.groupsLostExpected());
        assertThat(outcome.load().files()).isEqualTo(4);
    }

    @Test
    void chunksDamagedBeyondTheBudgetArePutBack() throws EcfsException {
        SimulatedOutcome outcome = run(profile("""
                budget: beyond
                faults: [{fault: delete, victims: {level: volume, count: 3, of: group:0}, for: 7s}]
                """));
        assertThat(outcome.groupsLostExpected()).isEqualTo(1);
        assertThat(outcome.groupsLostSeen()).isEqualTo(1);
        assertThat(outcome.load().files()).isEqualTo(4);
    }

    @Test
    void namenodesAndVolumesOfTwoDisksAreHurtToo() throws EcfsException {
        SimulatedOutcome outcome =
                run(profile("""
                faults:
                 - {fault: kill, victims: {level: leader}, for: 2s}
                 - {at: 6s, fault: freeze, victims: {level: leader}, for: 2s}
                 - {at: 12s, fault: stop, victims: {level: namenode, of: random}, for: 2s}
                 - {at: 12s, fault: remove-device, victims: {level: volume, count: 2, place: different-racks}}
                """, "cluster.namenodes=3", "cluster.volumes=2", "workload.during=read"));
        assertThat(outcome.faults().stream().map(Fault::rebuilt)).containsExactly(false, false, false, true);
        assertThat(outcome.faults().get(0).victims())
                .isNotEqualTo(outcome.faults().get(1).victims());
        assertThat(outcome.faults().get(3).victims()).hasSize(2);
    }

    @Test
    void aMomentThatDoesNotComeIsRefused() {
        assertThatThrownBy(() -> run(profile("""
                        faults:
                         - {fault: kill, for: 1s}
                         - {fault: kill, on: published}
                        """)))
                .isInstanceOf(EcfsException.class)
                .hasMessageStartingWith("no repair came to the moment 'on: published'");
    }

    @Test
    void whatHasNoRoomInMemoryIsRefusedInOneLine() {
        assertThatThrownBy(() -> run(profile("faults: [{fault: kill}]", "workload.bytes=2g")))
                .isInstanceOf(EcfsException.class)
                .hasMessageContaining("use shape processes, or a larger heap; nearest valid is workload.bytes:");
        assertThatThrownBy(() -> run(profile("faults: [{fault: kill}]", "cluster.set=datanode.wire.tls=x")))
                .hasMessageContaining("no key 'wire'");
    }
}
