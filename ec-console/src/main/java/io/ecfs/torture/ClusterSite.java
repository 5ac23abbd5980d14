package io.ecfs.torture;

import io.ecfs.bench.system.OwnCluster;
import io.ecfs.client.EcfsClient;
import io.ecfs.console.local.ClusterPlan;
import io.ecfs.env.real.Poller;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.torture.fault.TortureSite;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Common part of the sites of all shapes. */
abstract class ClusterSite implements TortureSite {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);
    private static final Duration LEADER_PATIENCE = Duration.ofMinutes(1);

    private final OwnCluster cluster;
    private final EcfsClient client;
    private final Clients clients;
    private final Settling settling;

    ClusterSite(OwnCluster cluster, EcfsClient client, Clients clients, Settling settling) {
        this.cluster = cluster;
        this.client = client;
        this.clients = clients;
        this.settling = settling;
    }

    final Settling settling() {
        return settling;
    }

    final OwnCluster cluster() {
        return cluster;
    }

    @Override
    public final List<String> datanodes() {
        return cluster.plan().datanodes().stream()
                .map(ClusterPlan.DatanodePlan::id)
                .toList();
    }

    @Override
    public final List<String> namenodes() {
        return cluster.plan().namenodes().stream()
                .map(ClusterPlan.NamenodePlan::id)
                .toList();
    }

    @Override
    public final List<String> clients() {
        return clients.ids();
    }

    @Override
    public final String leader() throws IOException, InterruptedException {
        Poller poller = Poller.every(POLL_INTERVAL);
        while (!poller.passed(LEADER_PATIENCE)) {
            Optional<String> leader =
                    Await.result(client.admin().report()).leader().map(ClusterReport.Namenode::id);
            if (leader.isPresent()) {
                return leader.get();
            }
            poller.pause();
        }
        throw new EcfsException(
                ErrorCode.TIMEOUT, "no namenode leads for " + LEADER_PATIENCE.toSeconds() + " s, with no fault begun");
    }

    @Override
    public final void kill(String id) throws IOException {
        if (clients.has(id)) {
            clients.kill(id);
        } else {
            killDaemon(id);
        }
    }

    abstract void killDaemon(String id) throws IOException;

    @Override
    public final void start(String id) throws IOException {
        if (clients.has(id)) {
            clients.start(id);
        } else {
            cluster.start(id);
        }
    }

    @Override
    public final Path directory(String id) {
        return cluster.directory().resolve(id);
    }

    @Override
    public final EcfsClient client() {
        return client;
    }

    @Override
    public final void awaitWhole() throws IOException, InterruptedException {
        settling.awaitWhole();
    }

    @Override
    public final void pause(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
    }

    /**
     * @throws EcfsException {@code INTERNAL} when a daemon has ended that no fault ended, with the last that it logged
     */
    abstract void requireAllRun() throws IOException;
}
