package io.ecfs.bench.meter;

import io.ecfs.error.EcfsException;
import io.ecfs.message.Metering;
import io.ecfs.wire.ThisMachine;
import io.ecfs.wire.tls.ClientTls;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Takes snapshots of this machine, of this process and of the daemons of one cluster. For one thread. */
public final class Meter implements AutoCloseable {
    private static final long OWN_PID = ProcessHandle.current().pid();

    private final Supplier<List<Daemon>> daemons;
    private final DaemonCounts counts;
    private final OwnMemory memory = new OwnMemory();

    /**
     * @param daemons asked anew for each part: a daemon may have been started again
     * @param tls of the cluster; empty: plain
     */
    public Meter(Supplier<List<Daemon>> daemons, Optional<ClientTls> tls) throws EcfsException {
        this.daemons = daemons;
        this.counts = new DaemonCounts(tls);
    }

    /** The moment before a part; peaks count from here on. */
    public Snapshot begin() {
        Map<Daemon, Metering.Counts> traffic = counts.read(daemons.get());
        Set<Long> pids = localPids(traffic);
        pids.forEach(ProcessCounters::forgetPeak);
        memory.forgetPeaks();
        Map<Long, ProcessCounters> processes = processes(pids);
        MachineCounters machine = MachineCounters.now();
        return new Snapshot(System.nanoTime(), machine, processes, traffic);
    }

    /** Cost since {@code begin}; counters are read in the opposite order to exclude most of the meter's own work. */
    public Cost end(Snapshot begin) {
        long nanos = System.nanoTime();
        MachineCounters machine = MachineCounters.now();
        Map<Long, ProcessCounters> processes = processes(begin.processes().keySet());
        long heapPeak = memory.heapPeakBytes();
        long directPeak = memory.directPeakBytes();
        Map<Daemon, Metering.Counts> traffic =
                counts.read(List.copyOf(begin.daemons().keySet()));
        List<ProcessCost> costs = new ArrayList<>();
        processes.forEach((pid, now) -> {
            boolean own = pid == OWN_PID;
            costs.add(ProcessCost.between(
                    name(pid, begin.daemons()),
                    begin.processes().get(pid),
                    now,
                    own ? heapPeak : 0,
                    own ? directPeak : 0));
        });
        return new Cost(
                (nanos - begin.nanos()) / 1e9,
                machine.since(begin.machine()),
                costs,
                FlowCost.between(begin.daemons(), traffic));
    }

    @Override
    public void close() {
        memory.close();
        counts.close();
    }

    private static Map<Long, ProcessCounters> processes(Set<Long> pids) {
        Map<Long, ProcessCounters> all = new LinkedHashMap<>();
        for (long pid : pids) {
            ProcessCounters.of(pid).ifPresent(now -> all.put(pid, now));
        }
        return all;
    }

    /** This process first, then the daemons' that run on this machine. */
    private static Set<Long> localPids(Map<Daemon, Metering.Counts> traffic) {
        Set<Long> pids = new LinkedHashSet<>(List.of(OWN_PID));
        traffic.forEach((daemon, now) -> {
            if (ThisMachine.has(daemon.address())) {
                pids.add(now.pid());
            }
        });
        return pids;
    }

    private static String name(long pid, Map<Daemon, Metering.Counts> traffic) {
        List<String> ids = traffic.entrySet().stream()
                .filter(entry -> entry.getValue().pid() == pid)
                .map(entry -> entry.getKey().id())
                .toList();
        if (pid == OWN_PID) {
            return ids.isEmpty() ? ProcessCost.CLIENT : ProcessCost.ALL_IN_ONE;
        }
        return ids.size() == 1 ? ids.get(0) : "daemons";
    }
}
