package io.ecfs.advise;

import io.ecfs.layout.Policy;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Files that are stored under one policy on a cluster, evenly spread.
 *
 * @param reading of a repair
 * @param machines of the cluster
 */
record Prospect(Policy policy, StoredFiles stored, RepairReading reading, Machines machines, RecoveryModel model) {
    /** Fewest datanodes that have place for the chunks of a group, and for one that is rebuilt. */
    int datanodesOfGroup() {
        return policy.chunks() + 1;
    }

    /** Of one datanode of this cluster; empty where none is left for what it had. */
    Optional<RecoveryForecast> recovery() {
        return machines.datanodes() < datanodesOfGroup() ? Optional.empty() : Optional.of(recovery(machines));
    }

    private RecoveryForecast recovery(Machines cluster) {
        Loss loss = new Loss(
                stored.chunkBytes() / cluster.datanodes(),
                stored.chunks() / cluster.datanodes(),
                reading.perByte(),
                reading.runs(policy, stored.chunkBytes() / stored.chunks()),
                reading.sources(),
                RepairCpu.secondsPerByte(policy.code(), reading.perByte()));
        return model.forecast(loss, cluster);
    }

    /**
     * The fewest datanodes that rebuild one of them in time: by bisection, since more of them are never slower.
     *
     * @param within seconds; empty: any time
     * @return empty where not even {@link Machines#MOST_DATANODES} do
     */
    OptionalInt fewestDatanodes(OptionalDouble within) {
        int low = datanodesOfGroup();
        if (within.isEmpty()) {
            return OptionalInt.of(low);
        }
        double most = within.getAsDouble();
        int high = Machines.MOST_DATANODES;
        if (recovery(machines.withDatanodes(high)).seconds() > most) {
            return OptionalInt.empty();
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (recovery(machines.withDatanodes(middle)).seconds() <= most) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return OptionalInt.of(low);
    }
}
