package io.ecfs.fault.lab;

import io.ecfs.bench.load.Crew;
import io.ecfs.bench.meter.Cost;
import io.ecfs.bench.meter.Meter;
import io.ecfs.bench.meter.Snapshot;
import io.ecfs.code.construction.Codes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.fault.profile.FaultProfile;
import io.ecfs.fault.record.DaemonLogs;
import io.ecfs.fault.record.PhaseTimes;
import io.ecfs.layout.Policy;
import io.ecfs.message.report.Incident;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** One repetition of a profile with one policy, on a cluster that has the load: faults, healing, and reading back. */
final class Repetition {
    private final FaultProfile profile;
    private final Policy policy;
    private final int number;
    private final Lab lab;
    private final LabFiles files;
    private final Crew crew;
    private final Healing healing;
    private final Consumer<String> doing;
    private final InstantSource clock = InstantSource.system();

    /** @param number from 1 */
    Repetition(
            FaultProfile profile,
            Policy policy,
            int number,
            Lab lab,
            LabFiles files,
            Crew crew,
            Healing healing,
            Consumer<String> doing) {
        this.profile = profile;
        this.policy = policy;
        this.number = number;
        this.lab = lab;
        this.files = files;
        this.crew = crew;
        this.healing = healing;
        this.doing = doing;
    }

    ExperimentResult run() throws Exception {
        long diskBytes = lab.diskBytes();
        long begunMillis = clock.millis();
        List<InjectedFault> faults;
        Cost cost;
        try (Meter meter = lab.meter()) {
            Snapshot begin = meter.begin();
            faults = faults();
            cost = meter.end(begin);
        }
        doing.accept("waiting until all is well again");
        healing.awaitWhole();
        List<Incident> incidents = healing.incidents();
        PhaseTimes phases = healing.phases(firstLoss(faults).orElse(begunMillis));
        doing.accept("reading everything back");
        List<String> problems = new ArrayList<>(files.verify(crew));
        failedReads().ifPresent(problems::add);
        DaemonLogs logs = DaemonLogs.read(lab.logs(), begunMillis, clock.millis());
        return new ExperimentResult(
                policy,
                number,
                Map.of(),
                lab.racks(),
                faults,
                phases,
                profile.workload().totalBytes(),
                diskBytes,
                incidents.stream().mapToLong(Incident::bytesRepaired).sum(),
                incidents.stream().mapToLong(Incident::bytesRead).sum(),
                incidents.stream().mapToLong(Incident::repaired).sum(),
                incidents.stream().mapToLong(Incident::failed).sum(),
                healing.lostGroups(),
                cost.cpuSeconds(),
                cost.machine().diskReadBytes(),
                cost.machine().diskWrittenBytes(),
                files.counts(),
                logs.events(),
                logs.counts(),
                problems);
    }

    /** All faults, while clients use the files; in the order of their injection. */
    private List<InjectedFault> faults() throws Exception {
        LoadMeanwhile load = LoadMeanwhile.begin(files, crew, profile.workload());
        try {
            SplittableRandom random = new SplittableRandom(profile.seed() + number - 1);
            Codes codes = new Codes(Kernels.best());
            return new Experiment(profile, lab, healing, codes, random, clock, doing)
                    .run().stream()
                            .sorted(Comparator.comparingLong(InjectedFault::injectedMillis))
                            .toList();
        } finally {
            load.end();
        }
    }

    /** When the first fault was injected that takes chunks away; of others the first. */
    private static Optional<Long> firstLoss(List<InjectedFault> faults) {
        return faults.stream()
                .filter(fault -> fault.fault().takesChunksAway())
                .findFirst()
                .or(() -> faults.stream().findFirst())
                .map(InjectedFault::injectedMillis);
    }

    /** Reads that failed though every group was decodable, and no fault deceives readers. */
    private Optional<String> failedReads() {
        ClientCounts clients = files.counts();
        boolean readable = profile.budget() == FaultProfile.Budget.STRICT
                && profile.faults().stream().noneMatch(step -> step.fault().deceivesReaders());
        return readable && clients.failedReads() > 0
                ? Optional.of(
                        clients.failedReads() + " reads failed though every group was decodable: " + clients.failures())
                : Optional.empty();
    }
}
