package io.ecfs.torture;

import io.ecfs.bench.system.OwnCluster;
import io.ecfs.client.EcfsClient;
import io.ecfs.console.local.ClusterPlan;
import io.ecfs.datanode.store.memory.DiskFaults;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.env.Clock;
import io.ecfs.message.Address;
import io.ecfs.torture.fault.Machines;
import io.ecfs.torture.history.Answer;
import io.ecfs.torture.history.CallJournal;
import io.ecfs.torture.history.Operation;
import io.ecfs.torture.load.LoadPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Daemons and clients that all run in this process. A datanode is killed by switching its links and its disk off before
 * it is stopped: nothing of a stop in order gets out. A namenode is stopped in order.
 */
final class OneSite extends ClusterSite implements Machines {
    /** Numbered behind all clients' threads and the observer. */
    private static final int PROCESS = LoadPlan.MOST_PROCESSES + 1;

    private final MemoryMachines machines;
    private final Path journals;
    private final Clock clock;
    private int blackouts;

    /**
     * @param journals directory of the history
     * @param clock of the history
     */
    OneSite(
            OwnCluster cluster,
            EcfsClient client,
            Clients clients,
            Settling settling,
            MemoryMachines machines,
            Path journals,
            Clock clock) {
        super(cluster, client, clients, settling);
        this.machines = machines;
        this.journals = journals;
        this.clock = clock;
    }

    @Override
    void killDaemon(String id) {
        if (datanodes().contains(id)) {
            end(id, Loss.NOTHING);
        } else {
            cluster().stop(id);
        }
    }

    @Override
    public void losePower(String datanode) {
        end(datanode, Loss.UNSYNCED);
    }

    @Override
    public void blackOut(List<String> datanodes) throws IOException {
        Path file = journals.resolve("blackout-" + blackouts++ + ".jsonl");
        try (CallJournal journal = CallJournal.create(clock, file)) {
            long number = journal.invoked(PROCESS, new Operation.PowerLoss());
            settling().losePower();
            end(datanodes, Loss.UNSYNCED);
            journal.returned(number, new Answer.Done());
        }
    }

    private void end(String datanode, Loss loss) {
        end(List.of(datanode), loss);
    }

    private void end(List<String> datanodes, Loss loss) {
        List<Runnable> joins = new ArrayList<>();
        for (String datanode : datanodes) {
            joins.add(machines.links().cut(datanode, addresses(namenodes()), Lost.REQUESTS));
            machines.switchOff(datanode);
        }
        for (String datanode : datanodes) {
            cluster().stop(datanode);
            machines.restart(datanode, loss);
        }
        joins.forEach(Runnable::run);
    }

    @Override
    public void freeze(String id) {
        throw new UnsupportedOperationException(id + " runs in this process, which cannot be stopped in part");
    }

    @Override
    public void thaw(String id) {
        freeze(id);
    }

    @Override
    public Machines machines() {
        return this;
    }

    @Override
    public Undo faults(String datanode, DiskFaults rule) {
        return machines.faults(datanode, rule);
    }

    @Override
    public void flipBit(String datanode, String file) {
        machines.flipBit(datanode, file);
    }

    @Override
    public void failSector(String datanode, String file) {
        machines.failSector(datanode, file);
    }

    @Override
    public List<String> files(String datanode) {
        return machines.files(datanode);
    }

    @Override
    public Undo unmount(String datanode) {
        return machines.unmount(datanode);
    }

    @Override
    public Undo stepClock(String daemon, Duration by) {
        return machines.stepClock(daemon, by);
    }

    @Override
    public Undo cut(String from, List<String> namenodes, Lost lost) {
        Runnable join = machines.links().cut(from, addresses(namenodes), lost);
        return join::run;
    }

    private Set<Address> addresses(List<String> namenodes) {
        return cluster().plan().namenodes().stream()
                .filter(namenode -> namenodes.contains(namenode.id()))
                .map(ClusterPlan.NamenodePlan::address)
                .collect(Collectors.toSet());
    }

    /** One that gave up has no process that could tell; it does not come back, so that the cluster is not whole. */
    @Override
    void requireAllRun() throws IOException {
        cluster().awaitReady();
    }
}
