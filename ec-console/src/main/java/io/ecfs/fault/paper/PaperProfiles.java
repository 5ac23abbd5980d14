package io.ecfs.fault.paper;

import io.ecfs.fault.profile.FaultKind;
import io.ecfs.fault.profile.FaultProfile;
import io.ecfs.fault.profile.FaultStep;
import io.ecfs.fault.profile.LabCluster;
import io.ecfs.fault.profile.LabLoad;
import io.ecfs.fault.profile.Level;
import io.ecfs.fault.profile.VictimRule;
import io.ecfs.fault.profile.VictimRule.Place;
import io.ecfs.fault.profile.VictimSource;
import io.ecfs.layout.Policy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Profiles of the paper's experiments: one loss of a datanode unless something else is varied, no requests meanwhile,
 * no grace (the paper's cluster waits for 600 s by default, which is not work). {@link PaperRun} repeats them.
 */
final class PaperProfiles {
    /** Of RS and Clay codes with 9 data chunks; 3 more, so that each loss of one has targets. */
    static final int DATANODES = 15;

    static final int RACKS = 5;
    private static final String NO_GRACE = "namenode.settings.recovery.grace=0s";

    private final Scale scale;

    PaperProfiles(Scale scale) {
        this.scale = scale;
    }

    Scale scale() {
        return scale;
    }

    /** The load in so many files, each a group of its own. */
    LabLoad load(int files, boolean cold) {
        return new LabLoad(
                files,
                Math.max(1, scale.bytes() / files),
                LabLoad.During.NONE,
                LabLoad.defaults().threads(),
                cold);
    }

    /** One loss of the fullest datanode. */
    FaultProfile oneLoss(String policy, LabLoad load, String... settings) {
        return profile(policy, load, kill(1, Place.ANY, VictimSource.FULLEST), settings);
    }

    FaultProfile profile(String policy, LabLoad load, VictimRule victims, String... settings) {
        List<String> set = new ArrayList<>(List.of(NO_GRACE));
        set.addAll(List.of(settings));
        return new FaultProfile(
                new LabCluster(scale.shape(), 1, DATANODES, 1, RACKS, LabCluster.DiskKind.DIR, set),
                List.of(Policy.parse(policy)),
                load,
                List.of(new FaultStep(
                        Optional.empty(),
                        Optional.empty(),
                        FaultKind.KILL,
                        victims,
                        Optional.empty(),
                        Duration.ofMillis(100),
                        0.01)),
                FaultProfile.Budget.STRICT,
                1,
                1);
    }

    static VictimRule kill(int count, Place place, VictimSource of) {
        return new VictimRule(Level.DATANODE, count, of, place, VictimRule.Chunks.ANY, VictimRule.Plan.ANY);
    }
}
