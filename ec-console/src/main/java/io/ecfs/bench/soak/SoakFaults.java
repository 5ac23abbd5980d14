package io.ecfs.bench.soak;

import io.ecfs.bench.meter.MemoryWatch;
import io.ecfs.bench.system.OwnCluster;
import io.ecfs.client.EcfsClient;
import io.ecfs.console.local.Child;
import io.ecfs.console.local.ClusterPlan;
import io.ecfs.console.view.TextTable;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Hurts one daemon at a time, and waits until the cluster is whole before the next: what a policy survives is never
 * passed, so that every byte must come back. For one thread.
 */
final class SoakFaults {
    private static final Duration DOWN = Duration.ofSeconds(5);

    enum Fault {
        KILL_DATANODE,
        STOP_DATANODE,
        KILL_LEADER,
        STOP_LEADER
    }

    private final OwnCluster cluster;
    private final EcfsClient client;
    private final MemoryWatch memory;
    private final Duration calm;
    private final SplittableRandom random;
    private final Consumer<String> doing;
    private final Map<Fault, Integer> done = new EnumMap<>(Fault.class);

    SoakFaults(
            OwnCluster cluster,
            EcfsClient client,
            MemoryWatch memory,
            Duration calm,
            long seed,
            Consumer<String> doing) {
        this.cluster = cluster;
        this.client = client;
        this.memory = memory;
        this.calm = calm;
        this.random = new SplittableRandom(seed);
        this.doing = doing;
    }

    /** Number of injections of each fault. */
    Map<Fault, Integer> done() {
        return done;
    }

    /** Every fault in turn, on victims that chance chooses. */
    void run(BooleanSupplier goOn) throws IOException, InterruptedException {
        for (int turn = 0; goOn.getAsBoolean(); turn++) {
            Fault fault = Fault.values()[turn % Fault.values().length];
            String victim = switch (fault) {
                case KILL_DATANODE, STOP_DATANODE -> anyDatanode();
                case KILL_LEADER, STOP_LEADER -> leader();
            };
            doing.accept(TextTable.words(fault) + " " + victim);
            switch (fault) {
                case KILL_DATANODE, KILL_LEADER -> kill(victim);
                case STOP_DATANODE, STOP_LEADER -> stop(victim);
            }
            done.merge(fault, 1, Integer::sum);
            cluster.requireAllRun();
            doing.accept("calm");
            TimeUnit.NANOSECONDS.sleep(calm.toNanos());
        }
    }

    private void kill(String victim) throws IOException, InterruptedException {
        ProcessHandle process = running(victim);
        memory.pollProcess(victim, process.pid());
        process.destroyForcibly();
        process.onExit().join();
        TimeUnit.NANOSECONDS.sleep(DOWN.toNanos());
        cluster.startAgain(List.of(victim));
    }

    private void stop(String victim) throws IOException, InterruptedException {
        ProcessHandle process = running(victim);
        Child.suspend(process);
        try {
            TimeUnit.NANOSECONDS.sleep(DOWN.toNanos());
        } finally {
            Child.resume(process);
        }
        cluster.startAgain(List.of()); // whole again
    }

    private ProcessHandle running(String victim) throws IOException {
        cluster.requireAllRun();
        return cluster.requireProcess(victim);
    }

    private String anyDatanode() {
        List<ClusterPlan.DatanodePlan> datanodes = cluster.plan().datanodes();
        return datanodes.get(random.nextInt(datanodes.size())).id();
    }

    private String leader() throws IOException {
        return Await.result(client.admin().report())
                .leader()
                .map(ClusterReport.Namenode::id)
                .orElseThrow(() -> new EcfsException(
                        ErrorCode.INTERNAL, "the namenodes answer and none of them says that it leads"));
    }
}
