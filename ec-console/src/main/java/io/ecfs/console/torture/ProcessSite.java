package io.ecfs.console.torture;

import io.ecfs.client.EcfsClient;
import io.ecfs.client.base.Await;
import io.ecfs.console.bench.OwnCluster;
import io.ecfs.console.local.ClusterPlan;
import io.ecfs.console.torture.fault.Site;
import io.ecfs.console.view.Looks;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.ClusterReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Daemons and clients that are processes of their own. */
final class ProcessSite implements Site {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);
    private static final Duration LEADER_PATIENCE = Duration.ofMinutes(1);

    private final OwnCluster cluster;
    private final EcfsClient client;
    private final ClientProcesses clients;

    ProcessSite(OwnCluster cluster, EcfsClient client, ClientProcesses clients) {
        this.cluster = cluster;
        this.client = client;
        this.clients = clients;
    }

    @Override
    public List<String> datanodes() {
        return cluster.plan().datanodes().stream()
                .map(ClusterPlan.DatanodePlan::id)
                .toList();
    }

    @Override
    public List<String> namenodes() {
        return cluster.plan().namenodes().stream()
                .map(ClusterPlan.NamenodePlan::id)
                .toList();
    }

    @Override
    public List<String> clients() {
        return clients.ids();
    }

    @Override
    public String leader() throws IOException, InterruptedException {
        Looks looks = Looks.every(BETWEEN_LOOKS);
        while (!looks.passed(LEADER_PATIENCE)) {
            Optional<String> leader = Await.result(client.admin().report()).namenodes().stream()
                    .filter(namenode -> namenode.role() == ClusterReport.Role.LEADER)
                    .map(ClusterReport.Namenode::id)
                    .findFirst();
            if (leader.isPresent()) {
                return leader.get();
            }
            looks.pause();
        }
        throw new EcfsException(
                ErrorCode.TIMEOUT, "no namenode leads for " + LEADER_PATIENCE.toSeconds() + " s, with no fault begun");
    }

    @Override
    public void kill(String id) throws IOException {
        ProcessHandle process = process(id);
        process.destroyForcibly();
        process.onExit().join();
    }

    @Override
    public void start(String id) throws IOException {
        if (clients.has(id)) {
            clients.start(id);
        } else {
            cluster.start(id);
        }
    }

    @Override
    public void freeze(String id) throws IOException, InterruptedException {
        signal(process(id), "STOP");
    }

    @Override
    public void thaw(String id) throws IOException, InterruptedException {
        signal(process(id), "CONT");
    }

    @Override
    public Path directory(String id) {
        return cluster.directory().resolve(id);
    }

    @Override
    public EcfsClient client() {
        return client;
    }

    @Override
    public void pause(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
    }

    /** @throws EcfsException {@code INTERNAL} when a process has ended that nobody ended, with the last that it logged */
    void requireAllRun() throws IOException {
        for (String id : cluster.plan().ids().toList()) {
            process(id);
        }
    }

    private ProcessHandle process(String id) throws IOException {
        if (clients.has(id)) {
            return clients.process(id);
        }
        Optional<ProcessHandle> process = cluster.process(id);
        if (process.isEmpty()) {
            throw new EcfsException(ErrorCode.INTERNAL, id + " ended by itself: " + cluster.lastWords(id));
        }
        return process.get();
    }

    private static void signal(ProcessHandle process, String signal) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid()))
                .start()
                .waitFor();
        if (code != 0) {
            throw new EcfsException(
                    ErrorCode.INTERNAL, "kill -" + signal + " " + process.pid() + " ended with code " + code);
        }
    }
}
