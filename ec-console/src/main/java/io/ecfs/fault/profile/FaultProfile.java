package io.ecfs.fault.profile;

import io.ecfs.config.ConfigReader;
import io.ecfs.layout.Policy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A fault experiment, after the profiles of ECFault (Han et al., HotStorage 2024, section 3).
 *
 * @param policies take turns, each on a cluster of its own
 * @param faults in the order in which they are injected
 * @param repetitions of all of it, for each policy
 * @param seed of what chance chooses: the same seed and placement, the same victims
 */
public record FaultProfile(
        LabCluster cluster,
        List<Policy> policies,
        LabLoad workload,
        List<FaultStep> faults,
        Budget budget,
        int repetitions,
        long seed) {
    private static final int MOST_FAULTS = 100;
    private static final int MOST_REPETITIONS = 1000;

    /** Losses that an experiment may cause. */
    public enum Budget {
        /** None: every group stays decodable, and redundant while clients write. */
        STRICT,
        /** More than the code survives: groups are expected to be lost until the faults are undone. */
        BEYOND
    }

    public FaultProfile {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(workload, "workload");
        Objects.requireNonNull(budget, "budget");
        policies = List.copyOf(policies);
        faults = List.copyOf(faults);
        if (policies.isEmpty()) {
            throw new IllegalArgumentException("policies must name at least one; nearest valid is [rs-6-3-1024k]");
        }
        if (faults.isEmpty() || faults.size() > MOST_FAULTS) {
            throw new IllegalArgumentException("faults must be from 1 to " + MOST_FAULTS + ", got " + faults.size()
                    + "; nearest valid is " + (faults.isEmpty() ? 1 : MOST_FAULTS));
        }
        if (repetitions < 1 || repetitions > MOST_REPETITIONS) {
            throw new IllegalArgumentException("repetitions must be from 1 to " + MOST_REPETITIONS + ", got "
                    + repetitions + "; nearest valid is " + Math.max(1, Math.min(MOST_REPETITIONS, repetitions)));
        }
        policies.forEach(cluster::requirePlaceFor);
        for (FaultStep step : faults) {
            requireVictims(cluster, step);
        }
        for (FaultStep step : faults) {
            boolean forATime = step.fault().target() == FaultKind.Target.CHUNK
                    && step.lasts().isPresent();
            if (forATime && budget == Budget.STRICT) {
                throw new IllegalArgumentException(step.fault().word()
                        + " is there until it is found and healed, however long 'for' is; nearest valid is without"
                        + " 'for'");
            }
        }
        if (faults.get(0).on().isPresent()) {
            throw new IllegalArgumentException("the first fault cannot begin on a moment of a repair: nothing is being"
                    + " repaired yet; nearest valid is 'at: 0s'");
        }
    }

    public static FaultProfile defaults() {
        return new FaultProfile(
                LabCluster.defaults(),
                List.of(Policy.parse("rs-6-3-1024k")),
                LabLoad.defaults(),
                List.of(FaultStep.defaults()),
                Budget.STRICT,
                1,
                1);
    }

    /** The same on another cluster. */
    public FaultProfile with(LabCluster other) {
        return new FaultProfile(other, policies, workload, faults, budget, repetitions, seed);
    }

    /** How long a fault lasts; empty: until it is healed. */
    public Optional<Duration> lasts(FaultStep step) {
        boolean healed = budget == Budget.STRICT
                && step.victims().level().storesChunks()
                && step.fault().healsWhileItLasts();
        return step.lasts().or(() -> healed ? Optional.empty() : Optional.of(FaultStep.USUAL));
    }

    /**
     * Reads a profile.
     *
     * @param overrides {@code key=value}, as {@code repetitions=3}
     * @throws io.ecfs.config.ConfigException in one line, with the nearest valid key or value
     */
    public static FaultProfile read(Path file, List<String> overrides) throws IOException {
        return ConfigReader.read(FaultProfile.class, file, overrides);
    }

    private static void requireVictims(LabCluster cluster, FaultStep step) {
        VictimRule rule = step.victims();
        int there = switch (rule.level()) {
            case VOLUME -> cluster.datanodes() * cluster.volumes();
            case DATANODE -> cluster.datanodes();
            case RACK -> cluster.racks();
            case NAMENODE -> (cluster.namenodes() - 1) / 2;
            case LEADER -> cluster.namenodes() > 1 ? 1 : 0;
        };
        if (rule.count() > there) {
            throw new IllegalArgumentException(step.fault().word() + " wants " + rule.count() + " victims of level "
                    + rule.level().word() + ", the cluster has " + there
                    + (rule.level().storesChunks() ? "" : " to spare")
                    + "; nearest valid is " + (there == 0 ? "cluster.namenodes: 3" : "count: " + there));
        }
    }
}
