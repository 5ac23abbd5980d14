package io.ecfs.fault.lab;

import io.ecfs.code.construction.Codes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.error.EcfsException;
import io.ecfs.fault.profile.FaultProfile;
import io.ecfs.fault.profile.FaultStep;
import io.ecfs.fault.victim.FaultBudget;
import io.ecfs.fault.victim.Placement;
import io.ecfs.fault.victim.StoredVolume;
import io.ecfs.fault.victim.VictimChoice;
import io.ecfs.fault.victim.Victims;
import io.ecfs.layout.Policy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** Whom a profile would hurt, and what every group would have left, by a drawn placement. */
public final class BudgetForecast {
    private BudgetForecast() {}

    /**
     * One fault.
     *
     * @param victims names, or of namenodes the level
     * @param left losses that every group survives beside, for people
     */
    public record Row(FaultStep step, String victims, String left) {}

    /**
     * All faults of a profile, as if those that do not follow lasted on, which is the worst that can be.
     *
     * @throws EcfsException {@code INVALID_ARGUMENT} when a fault has no victims within the budget
     */
    public static List<Row> of(FaultProfile profile, Policy policy) throws EcfsException {
        Placement placement = DrawnPlacement.of(profile, policy);
        FaultBudget budget =
                new FaultBudget(profile.budget(), profile.workload().during());
        VictimChoice choice = new VictimChoice(placement, budget, new Codes(Kernels.best()));
        SplittableRandom random = new SplittableRandom(profile.seed());
        Set<StoredVolume> away = new HashSet<>();
        List<Row> rows = new ArrayList<>();
        for (FaultStep step : profile.faults()) {
            if (step.follows()) {
                away.clear();
            }
            if (step.victims().level().storesChunks()) {
                Victims victims = choice.choose(step, away, away, random);
                if (step.fault().takesChunksAway()) {
                    away.addAll(victims.volumes());
                }
                rows.add(new Row(step, String.join(" ", victims.names()), left(placement, away)));
            } else {
                rows.add(new Row(step, step.victims().level().word(), left(placement, away)));
            }
        }
        return rows;
    }

    private static String left(Placement placement, Set<StoredVolume> away) {
        int spare = placement.leastSpare(away);
        return spare < 0 ? "LOST: fewer chunks than determine it" : "survives " + spare + " more";
    }
}
