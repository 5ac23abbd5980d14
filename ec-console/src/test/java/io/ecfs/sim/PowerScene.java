package io.ecfs.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.Policy;
import io.ecfs.sim.cluster.Cluster;
import io.ecfs.sim.cluster.Elections;
import io.ecfs.sim.cluster.SimClient;
import io.ecfs.sim.cluster.SimSettings;
import io.ecfs.sim.cluster.World;
import io.ecfs.sim.network.SimNetwork;
import io.ecfs.sim.time.EventTrace;
import io.ecfs.sim.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/** Three namenodes, six datanodes and one writer in virtual time, where only the test brings faults. */
class PowerScene {
    static final Policy POLICY = Policy.parse("rs-3-2-4k");
    static final Duration PATIENCE = Duration.ofMinutes(2);
    static final Duration BOOT = Duration.ofSeconds(3);
    private static final Duration STEP = Duration.ofMillis(100);

    final World world;
    final Cluster cluster;
    final SimClient writer;

    PowerScene(long seed) {
        SimSettings settings = new SimSettings(
                seed,
                3,
                6,
                0,
                List.of(POLICY),
                List.of(),
                SimSettings.Power.LOST_BY_ALL,
                false,
                false,
                false,
                0,
                SimSettings.Twist.NONE,
                PATIENCE,
                PATIENCE,
                Optional.empty());
        SplittableRandom random = new SplittableRandom(seed);
        EventTrace trace = new EventTrace();
        VirtualTime time = new VirtualTime(trace);
        world = new World(settings, time, trace, new SimNetwork(time, trace, random.split()), new TreeSet<>());
        cluster = new Cluster(world, random.split());
        cluster.start();
        new Elections(world, cluster, random.split()).start();
        writer = new SimClient(world, "writer", 1, cluster.addresses(), cluster.ledger(), false, random.split());
    }

    /** Lets time pass until the call has its answer. */
    <T> T await(CompletableFuture<T> future) throws EcfsException {
        for (Duration left = PATIENCE; !future.isDone() && !left.isZero(); left = left.minus(STEP)) {
            world.time().pass(STEP);
        }
        assertThat(future.isDone()).as("done within %s", PATIENCE).isTrue();
        if (future.isCompletedExceptionally()) {
            throw EcfsException.of(future.handle((done, failure) -> failure).join());
        }
        return future.join();
    }
}
