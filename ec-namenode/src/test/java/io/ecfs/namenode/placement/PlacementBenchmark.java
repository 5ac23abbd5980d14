package io.ecfs.namenode.placement;

import io.ecfs.env.Randomness;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The volumes of one group of RS(6,3), chosen among datanodes with one volume each, ten of them in a rack. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public class PlacementBenchmark {
    private static final int CHUNKS = 9;
    private static final int IN_A_RACK = 10;
    private static final long GIB = 1L << 30;

    @Param({"10", "1000"})
    public int volumes;

    private final Placement placement = new Placement(GIB);
    private final Randomness random = Randomness.over(new SplittableRandom(1));
    private List<PlacementCandidate> candidates;

    @Setup
    public void prepare() {
        candidates = IntStream.range(0, volumes)
                .mapToObj(i -> new PlacementCandidate(
                        new DatanodeId("dn" + i),
                        "/rack" + i / IN_A_RACK,
                        DatanodeState.HEALTHY,
                        io.ecfs.message.AdminState.State.IN_SERVICE,
                        List.of(new PlacementCandidate.Volume(
                                new VolumeId(i + 1), VolumeState.HEALTHY, (100 + i % 7) * GIB, i % 3))))
                .toList();
        if (choose().volumes().size() != CHUNKS) {
            throw new IllegalStateException(choose().explain());
        }
    }

    @Benchmark
    public Placement.Choice choose() {
        return placement.choose(candidates, Set.of(), CHUNKS, random);
    }
}
