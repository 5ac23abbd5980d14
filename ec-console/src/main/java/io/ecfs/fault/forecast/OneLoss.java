package io.ecfs.fault.forecast;

import io.ecfs.fault.profile.FaultKind;
import io.ecfs.fault.profile.FaultProfile;
import io.ecfs.fault.profile.FaultStep;
import io.ecfs.fault.profile.LabCluster;
import io.ecfs.fault.profile.LabLoad;
import io.ecfs.fault.profile.Level;
import io.ecfs.fault.profile.VictimRule;
import io.ecfs.fault.profile.VictimSource;
import io.ecfs.layout.Policy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A cluster on this machine that loses its fullest datanode.
 *
 * @param bytes of each file; more than clients pack, so that each has groups of its own
 */
record OneLoss(Policy policy, int datanodes, int files, long bytes) {
    /** Calibrates the processor time of repairs: what daemons take once, and what each byte takes. */
    static final List<OneLoss> TRAINING = List.of(of("rs-6-3-1024k", 11, 64, 6), of("rs-6-3-1024k", 11, 64, 24));

    /** What the model was not made with: other codes, numbers of datanodes and files. */
    static final List<OneLoss> HELD_OUT = List.of(
            of("rs-3-2-1024k", 7, 96, 6),
            of("rs-4-2-256k", 9, 24, 24),
            of("rs-10-4-1024k", 15, 32, 20),
            of("lrc-6-2-2-1024k", 12, 48, 12),
            of("clay-6-3-8-1024k", 11, 48, 12),
            of("replication-3", 6, 96, 4));

    private static final String NO_GRACE = "namenode.settings.recovery.grace=0s";
    private static final int REPETITIONS = 3;
    private static final int SHIFT_OF_MEBIBYTES = 20;

    private static OneLoss of(String policy, int datanodes, int files, long mebibytes) {
        return new OneLoss(Policy.parse(policy), datanodes, files, mebibytes << SHIFT_OF_MEBIBYTES);
    }

    /** @param cold whether sources are read from the disks and not from the page cache; needs root */
    FaultProfile profile(boolean cold) {
        LabLoad usual = LabLoad.defaults();
        FaultStep step = FaultStep.defaults();
        return new FaultProfile(
                new LabCluster(
                        LabCluster.Shape.PROCESSES, 1, datanodes, 1, 1, LabCluster.DiskKind.DIR, List.of(NO_GRACE)),
                List.of(policy),
                new LabLoad(files, bytes, LabLoad.During.NONE, usual.threads(), cold),
                List.of(new FaultStep(
                        Optional.of(Duration.ZERO),
                        Optional.empty(),
                        FaultKind.KILL,
                        new VictimRule(
                                Level.DATANODE,
                                1,
                                VictimSource.FULLEST,
                                VictimRule.Place.ANY,
                                VictimRule.Chunks.ANY,
                                VictimRule.Plan.ANY),
                        Optional.empty(),
                        step.delay(),
                        step.loss())),
                FaultProfile.Budget.STRICT,
                REPETITIONS,
                1);
    }

    /** {@code rs-3-2-1024k, 7 datanodes, 96x6m}. */
    String words() {
        return policy + ", " + datanodes + " datanodes, " + files + "x" + (bytes >> SHIFT_OF_MEBIBYTES) + "m";
    }
}
