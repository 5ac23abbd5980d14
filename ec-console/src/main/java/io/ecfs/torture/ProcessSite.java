package io.ecfs.torture;

import io.ecfs.bench.system.OwnCluster;
import io.ecfs.client.EcfsClient;
import io.ecfs.console.local.Child;
import io.ecfs.torture.fault.Machines;
import java.io.IOException;

/** Daemons and clients that are processes of their own. */
final class ProcessSite extends ClusterSite {
    private final ClientProcesses clients;

    ProcessSite(OwnCluster cluster, EcfsClient client, ClientProcesses clients, Settling settling) {
        super(cluster, client, clients, settling);
        this.clients = clients;
    }

    @Override
    void killDaemon(String id) throws IOException {
        ProcessHandle process = process(id);
        process.destroyForcibly();
        process.onExit().join();
    }

    @Override
    public void freeze(String id) throws IOException, InterruptedException {
        Child.suspend(process(id));
    }

    @Override
    public void thaw(String id) throws IOException, InterruptedException {
        Child.resume(process(id));
    }

    @Override
    public Machines machines() {
        throw new UnsupportedOperationException("the disks, clocks and links of processes are the system's");
    }

    @Override
    void requireAllRun() throws IOException {
        cluster().requireAllRun();
    }

    private ProcessHandle process(String id) throws IOException {
        return clients.has(id) ? clients.process(id) : cluster().requireProcess(id);
    }
}
