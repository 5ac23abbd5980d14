package io.ecfs.console.local;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One JVM for each daemon, so that they can be killed, stopped and started one by one. */
final class ProcessDaemons implements Daemons {
    /** Little heap for each: many of them share this machine. */
    private static final List<String> NAMENODE_JVM = List.of("-Xmx512m");

    /**
     * In processes this young the optimizing compiler takes more CPU than the kernel and intrinsics, which do a
     * datanode's work.
     */
    private static final List<String> DATANODE_JVM = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1");

    private final ClusterPlan plan;
    private final Path directory;
    /** Guarded by {@code processes}. */
    private boolean closed;

    private final Map<String, Process> processes = Collections.synchronizedMap(new LinkedHashMap<>());

    ProcessDaemons(ClusterPlan plan, Path directory) {
        this.plan = plan;
        this.directory = directory;
    }

    @Override
    public void start() throws IOException {
        for (String id : plan.ids().toList()) {
            start(id);
        }
    }

    @Override
    public void start(String id) throws IOException {
        synchronized (processes) {
            Process old = processes.get(id);
            if (old != null && old.isAlive()) {
                throw new EcfsException(ErrorCode.ALREADY_EXISTS, id + " runs already, as process " + old.pid());
            }
            if (closed) {
                throw new EcfsException(ErrorCode.INTERNAL, "the cluster of " + id + " has ended");
            }
            processes.put(id, start(plan, directory, id));
        }
    }

    @Override
    public void stop(String id) {
        Process process = processes.get(id);
        if (process != null) {
            Child.stopAll(List.of(process.toHandle()));
        }
    }

    /** Starts the process of one daemon from its configuration file. */
    static Process start(ClusterPlan plan, Path directory, String id) throws IOException {
        ClusterToken.place(plan, directory, id);
        boolean namenode = plan.namenodes().stream().anyMatch(n -> n.id().equals(id));
        List<String> arguments = new ArrayList<>(List.of(
                namenode ? "namenode" : "datanode",
                "--config",
                DaemonFiles.configuration(directory, id).toString()));
        DaemonFiles.readOverrides(directory, id).forEach(override -> arguments.addAll(List.of("-D", override)));
        return Child.start(
                directory.resolve("logs").resolve(id + ".log"), namenode ? NAMENODE_JVM : DATANODE_JVM, arguments);
    }

    @Override
    public Optional<String> ended() {
        synchronized (processes) {
            return processes.entrySet().stream()
                    .filter(daemon -> !daemon.getValue().isAlive())
                    .map(Map.Entry::getKey)
                    .findFirst();
        }
    }

    @Override
    public long pidOf(String id) {
        return processes.get(id).pid();
    }

    @Override
    public void close() {
        List<Process> lastStartedFirst;
        synchronized (processes) {
            closed = true;
            lastStartedFirst = new ArrayList<>(processes.values());
        }
        Collections.reverse(lastStartedFirst);
        Child.stopAll(lastStartedFirst.stream().map(Process::toHandle).toList());
    }
}
