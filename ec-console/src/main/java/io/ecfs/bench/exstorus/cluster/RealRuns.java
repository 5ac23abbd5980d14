package io.ecfs.bench.exstorus.cluster;

import io.ecfs.bench.bed.write.MasterChoice;
import io.ecfs.bench.bed.write.WriteBed;
import io.ecfs.bench.bed.write.WriteBedPlan;
import io.ecfs.bench.bed.write.WriteBedResult;
import io.ecfs.bench.exstorus.BedRuns;
import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.WriteSide;
import io.ecfs.plan.write.Network;
import io.ecfs.plan.write.WriteCost;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Measurements on a cluster, each made once and kept, and the same on the bed in virtual time. */
final class RealRuns {
    private final RealPlan plan;
    private final WriteCluster cluster;
    private final Consumer<String> doing;
    private final Map<Key, WriteRun> done = new HashMap<>();
    private final Set<Warm> warm = new HashSet<>();

    private record Key(WriteMix mix, EncodingSide side, int window, Optional<Network> network) {}

    private record Warm(String policy, EncodingSide side) {}

    /** @param doing gets what is measured next */
    RealRuns(RealPlan plan, WriteCluster cluster, Consumer<String> doing) {
        this.plan = plan;
        this.cluster = cluster;
        this.doing = doing;
    }

    /**
     * The run of median duration.
     *
     * @param network empty: without limits
     */
    WriteRun run(WriteMix mix, EncodingSide side, int window, Optional<Network> network) throws IOException {
        Key key = new Key(mix, side, window, network);
        if (!done.containsKey(key)) {
            warmUp(mix, side);
            List<WriteRun> runs = new ArrayList<>();
            for (int i = 0; i < plan.repetitions(); i++) {
                doing.accept(mix + ", encoded by " + side.name().toLowerCase(java.util.Locale.ROOT) + ", " + window
                        + " under way, repetition " + (i + 1));
                runs.add(cluster.write(mix, side, window, network));
            }
            runs.sort(Comparator.comparingDouble(WriteRun::seconds));
            done.put(key, runs.get((runs.size() - 1) / 2));
        }
        return done.get(key);
    }

    /** Code is compiled by the first runs. */
    private void warmUp(WriteMix mix, EncodingSide side) throws IOException {
        if (warm.add(new Warm(mix.policy().name(), side))) {
            doing.accept("warm-up of " + mix);
            boolean first = warm.size() <= EncodingSide.values().length;
            long bytes = first ? 4 * plan.runBytes() : plan.runBytes() / 2;
            WriteMix more = new WriteMix(
                    mix.dataChunks(),
                    mix.parityChunks(),
                    mix.cellBytes(),
                    mix.recordBytes(),
                    (int) Math.max(1, bytes / mix.recordBytes()),
                    1);
            cluster.write(more, side, 2, Optional.empty());
        }
    }

    WriteCost cost(WriteMix mix, WriteSide side, Network network) {
        return new WriteCost(plan.constants(), mix.shape(side), network);
    }

    /** The same on the bed in virtual time. */
    WriteBedResult virtual(WriteMix mix, WriteSide side, int window, Network network) {
        WriteCost cost = cost(mix, side, network);
        return WriteBed.run(new WriteBedPlan(
                cost, BedRuns.system(cost, window), mix.bytes(), MasterChoice.FIXED, Optional.empty(), 1));
    }
}
