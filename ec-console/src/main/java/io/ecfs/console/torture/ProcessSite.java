package io.ecfs.console.torture;

import io.ecfs.client.EcfsClient;
import io.ecfs.console.bench.OwnCluster;
import io.ecfs.console.torture.fault.Machines;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.util.Optional;

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
        signal(process(id), "STOP");
    }

    @Override
    public void thaw(String id) throws IOException, InterruptedException {
        signal(process(id), "CONT");
    }

    @Override
    public Machines machines() {
        throw new UnsupportedOperationException("the disks, clocks and links of processes are the system's");
    }

    @Override
    void requireAllRun() throws IOException {
        for (String id : cluster().plan().ids().toList()) {
            process(id);
        }
    }

    private ProcessHandle process(String id) throws IOException {
        if (clients.has(id)) {
            return clients.process(id);
        }
        Optional<ProcessHandle> process = cluster().process(id);
        if (process.isEmpty()) {
            throw new EcfsException(
                    ErrorCode.INTERNAL, id + " ended by itself: " + cluster().lastWords(id));
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
