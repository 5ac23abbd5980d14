package io.ecfs.fault.lab;

import io.ecfs.bench.load.Crew;
import io.ecfs.bench.meter.Cost;
import io.ecfs.bench.meter.Meter;
import io.ecfs.bench.meter.Snapshot;
import io.ecfs.bench.part.PageCache;
import io.ecfs.code.construction.Codes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.console.local.Readiness;
import io.ecfs.env.real.Poller;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.fault.inject.Machine;
import io.ecfs.fault.inject.Requirements;
import io.ecfs.fault.profile.FaultProfile;
import io.ecfs.fault.profile.LabLoad;
import io.ecfs.fault.record.DaemonLogs;
import io.ecfs.fault.record.PhaseTimes;
import io.ecfs.layout.Policy;
import io.ecfs.message.report.Incident;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Runs the experiments of a profile on real daemons, after the experiment of ECFault (section 3): a cluster of its own,
 * the load, the faults, and every byte read back. For one thread.
 */
public final class FaultLab {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);
    private static final Duration WHOLE_PATIENCE = Duration.ofMinutes(10);

    private final FaultProfile profile;
    private final Optional<Path> parent;
    private final Consumer<String> doing;
    private final Readiness.Progress progress;
    private final InstantSource clock = InstantSource.system();
    private final Codes codes = new Codes(Kernels.best());

    /**
     * @param parent of the clusters' directories; empty: where the system has temporary files
     * @param doing notified of the current step
     */
    public FaultLab(
            FaultProfile profile, Optional<Path> parent, Consumer<String> doing, Readiness.Progress progress) {
        this.profile = profile;
        this.parent = parent;
        this.doing = doing;
        this.progress = progress;
    }

    /** Runs all policies and repetitions, in turn; each result is given as soon as it is there. */
    public void run(Consumer<ExperimentResult> results) throws Exception {
        requireMeans();
        for (int repetition = 1; repetition <= profile.repetitions(); repetition++) {
            for (Policy policy : profile.policies()) {
                results.accept(run(policy, repetition));
            }
        }
    }

    /** Bytes on disks for each byte of the load's files, without any fault. */
    public double storedPerByte(Policy policy) throws Exception {
        doing.accept("starting the cluster of " + policy);
        try (Lab lab = Lab.start(profile, policy, parent, neededBytes(policy), progress);
                Crew crew = new Crew()) {
            new LabFiles(lab.client(), profile.workload(), profile.seed()).write(policy, crew);
            awaitWhole(new Healing(lab.client()));
            return lab.diskBytes() / (double) profile.workload().totalBytes();
        }
    }

    /** Twice what the load takes: what is rebuilt lies beside what is garbage. */
    private long neededBytes(Policy policy) {
        return 2 * profile.workload().totalBytes() * policy.chunks() / policy.dataChunks();
    }

    private void requireMeans() throws EcfsException {
        List<String> missing = Requirements.missing(profile, Machine.here());
        if (!missing.isEmpty()) {
            throw new EcfsException(ErrorCode.INVALID_ARGUMENT, String.join("; ", missing));
        }
    }

    private ExperimentResult run(Policy policy, int repetition) throws Exception {
        String what = policy + ", repetition " + repetition;
        doing.accept("starting the cluster of " + what);
        try (Lab lab = Lab.start(profile, policy, parent, neededBytes(policy), progress);
                Crew crew = new Crew()) {
            LabFiles files = new LabFiles(lab.client(), profile.workload(), profile.seed());
            doing.accept("writing " + profile.workload().files() + " files, " + what);
            files.write(policy, crew);
            Healing healing = new Healing(lab.client());
            awaitWhole(healing);
            if (profile.workload().cold()) {
                PageCache.empty();
            }
            return hurt(policy, repetition, lab, files, crew, healing);
        }
    }

    private ExperimentResult hurt(
            Policy policy, int repetition, Lab lab, LabFiles files, Crew crew, Healing healing) throws Exception {
        long diskBytes = lab.diskBytes();
        long begunMillis = clock.millis();
        List<InjectedFault> faults;
        Cost cost;
        PhaseTimes phases;
        List<Incident> incidents;
        List<String> problems = new ArrayList<>();
        try (Meter meter = lab.meter();
                LoadMeanwhile load = new LoadMeanwhile(files, crew, profile.workload())) {
            Snapshot begin = meter.begin();
            SplittableRandom random = new SplittableRandom(profile.seed() + repetition - 1);
            faults = new Experiment(profile, lab, healing, codes, random, clock, doing).run().stream()
                    .sorted(Comparator.comparingLong(InjectedFault::injectedMillis))
                    .toList();
            cost = meter.end(begin);
            incidents = healing.incidents();
            phases = healing.phases(firstLoss(faults).orElse(begunMillis));
        }
        doing.accept("waiting until all is well again");
        awaitWhole(healing);
        doing.accept("reading everything back");
        problems.addAll(files.verify(crew));
        ClientCounts clients = files.counts();
        boolean readable = profile.budget() == FaultProfile.Budget.STRICT
                && profile.faults().stream().noneMatch(step -> step.fault().deceivesReaders());
        if (readable && clients.failedReads() > 0) {
            problems.add(clients.failedReads() + " reads failed though every group was decodable: " + clients.failures());
        }
        DaemonLogs logs = DaemonLogs.read(lab.logs(), begunMillis, clock.millis());
        return new ExperimentResult(
                policy,
                repetition,
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
                clients,
                logs.events(),
                logs.counts(),
                problems);
    }

    /** When the first fault was injected that takes chunks away; of others the first. */
    private static Optional<Long> firstLoss(List<InjectedFault> faults) {
        return faults.stream()
                .filter(fault -> fault.fault().takesChunksAway())
                .findFirst()
                .or(() -> faults.stream().findFirst())
                .map(InjectedFault::injectedMillis);
    }

    private static void awaitWhole(Healing healing) throws IOException, InterruptedException {
        Poller poller = Poller.every(POLL_INTERVAL);
        while (!healing.whole()) {
            if (poller.passed(WHOLE_PATIENCE)) {
                throw new EcfsException(
                        ErrorCode.TIMEOUT,
                        "the cluster is not whole " + WHOLE_PATIENCE.toMinutes() + " minutes after the last fault");
            }
            poller.pause();
        }
    }

    /** Clients that use the files until this is closed. */
    private static final class LoadMeanwhile implements AutoCloseable {
        private final AtomicBoolean goOn = new AtomicBoolean(true);
        private final ExecutorService starter = Executors.newSingleThreadExecutor();
        private final Future<?> running;

        LoadMeanwhile(LabFiles files, Crew crew, LabLoad load) {
            running = starter.submit(() -> {
                if (load.during() != LabLoad.During.NONE) {
                    files.use(crew, goOn::get);
                }
                return null;
            });
        }

        @Override
        public void close() throws Exception {
            goOn.set(false);
            starter.shutdown();
            running.get();
        }
    }
}
