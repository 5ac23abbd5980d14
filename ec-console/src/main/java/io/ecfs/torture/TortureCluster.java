package io.ecfs.torture;

import io.ecfs.bench.system.OwnCluster;
import io.ecfs.client.EcfsClient;
import io.ecfs.console.local.LocalCluster;
import io.ecfs.console.local.Readiness;
import io.ecfs.env.Environment;
import io.ecfs.torture.fault.Shape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SplittableRandom;

/** A cluster to be tortured, in its plan's shape. Closing it stops it. */
public final class TortureCluster implements AutoCloseable {
    private final TorturePlan plan;
    private final Environment environment;
    private final OwnCluster cluster;
    private final MemoryMachines machines;

    private TortureCluster(TorturePlan plan, Environment environment, OwnCluster cluster, MemoryMachines machines) {
        this.plan = plan;
        this.environment = environment;
        this.cluster = cluster;
        this.machines = machines;
    }

    /**
     * Starts one and returns when it serves.
     *
     * @param parent where its directory is made; empty: where the system has temporary files
     */
    public static TortureCluster start(
            TorturePlan plan, Optional<Path> parent, Environment environment, Readiness.Progress progress)
            throws IOException {
        MemoryMachines machines = new MemoryMachines(TorturePlan.MEMORY_DISK_BYTES, new SplittableRandom(plan.seed()));
        OwnCluster cluster = plan.shape() == Shape.PROCESSES
                ? OwnCluster.start(
                        parent,
                        plan.clusterShape(),
                        LocalCluster.Mode.PROCESS_EACH,
                        plan.daemonSettings(),
                        plan.storedBytes(),
                        progress)
                : OwnCluster.start(
                        parent, plan.clusterShape(), machines, plan.daemonSettings(), plan.storedBytes(), progress);
        return new TortureCluster(plan, environment, cluster, machines);
    }

    /** The cluster itself. */
    public OwnCluster own() {
        return cluster;
    }

    /** Its clients, none of which runs yet; their calls begin now. */
    Clients clients() {
        Path directory = cluster.directory().resolve("torture");
        return plan.shape() == Shape.PROCESSES
                ? new ClientProcesses(plan, cluster.uri(), directory, environment.clock())
                : new ClientThreads(plan, cluster.uri(), directory, environment, machines.links());
    }

    /** @param clients that {@link #clients} gave */
    ClusterSite site(EcfsClient client, Clients clients, Settling settling) {
        return clients instanceof ClientProcesses processes
                ? new ProcessSite(cluster, client, processes, settling)
                : new OneSite(cluster, client, clients, settling, machines, clients.journals(), environment.clock());
    }

    @Override
    public void close() {
        cluster.close();
    }
}
