package io.ecfs.fault.lab;

import io.ecfs.bench.load.Crew;
import io.ecfs.bench.part.PageCache;
import io.ecfs.console.local.Readiness;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.fault.inject.Machine;
import io.ecfs.fault.inject.Requirements;
import io.ecfs.fault.profile.FaultProfile;
import io.ecfs.fault.profile.LabCluster;
import io.ecfs.layout.Policy;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs the experiments of a profile on real daemons, or in the simulation, after the experiment of ECFault (section 3):
 * a cluster of its own, the load, the faults, and every byte read back. For one thread.
 */
public final class FaultLab {
    private final FaultProfile profile;
    private final Optional<Path> parent;
    private final Consumer<String> doing;
    private final Readiness.Progress progress;

    /**
     * @param parent of the clusters' directories; empty: where the system has temporary files
     * @param doing notified of the current step
     */
    public FaultLab(FaultProfile profile, Optional<Path> parent, Consumer<String> doing, Readiness.Progress progress) {
        this.profile = profile;
        this.parent = parent;
        this.doing = doing;
        this.progress = progress;
    }

    /** Runs all policies and repetitions, in turn; each result is given as soon as it is there. */
    public void run(Consumer<ExperimentResult> results) throws Exception {
        for (int repetition = 1; repetition <= profile.repetitions(); repetition++) {
            for (Policy policy : profile.policies()) {
                results.accept(run(policy, repetition));
            }
        }
    }

    /** Runs one repetition with one policy: who compares profiles runs theirs in turn. */
    public ExperimentResult run(Policy policy, int repetition) throws Exception {
        requireMeans();
        String what = policy + ", repetition " + repetition;
        if (profile.cluster().shape() == LabCluster.Shape.SIM) {
            doing.accept("simulating " + what);
            return SimulatedRun.run(profile, policy, repetition);
        }
        doing.accept("starting the cluster of " + what);
        try (Lab lab = Lab.start(profile, policy, parent, neededBytes(policy), progress);
                Crew crew = new Crew()) {
            LabFiles files = new LabFiles(lab.client(), profile.workload(), profile.seed());
            doing.accept("writing " + profile.workload().files() + " files, " + what);
            files.write(policy, crew);
            Healing healing = new Healing(lab.client());
            healing.awaitWhole();
            if (profile.workload().cold()) {
                PageCache.empty();
            }
            return new Repetition(profile, policy, repetition, lab, files, crew, healing, doing).run();
        }
    }

    /** Bytes on disks for each byte of the load's files, without any fault. */
    public double storedPerByte(Policy policy) throws Exception {
        doing.accept("starting the cluster of " + policy);
        try (Lab lab = Lab.start(profile, policy, parent, neededBytes(policy), progress);
                Crew crew = new Crew()) {
            new LabFiles(lab.client(), profile.workload(), profile.seed()).write(policy, crew);
            new Healing(lab.client()).awaitWhole();
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
}
