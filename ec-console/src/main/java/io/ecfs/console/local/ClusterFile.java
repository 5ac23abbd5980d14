package io.ecfs.console.local;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import io.ecfs.message.Address;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** {@code DIR/cluster.json}: what runs at present. Its keys are an interface for scripts. */
record ClusterFile(String uri, List<Daemon> daemons) {
    /** Role of the console, and the command that runs it. */
    static final String CONSOLE = "console";

    /**
     * @param role {@code namenode}, {@code datanode} or {@code console}
     * @param pid of the process it runs in; the same for all daemons of a cluster in one process
     * @param dir where its data lies
     */
    public record Daemon(String role, String id, Address address, long pid, String dir) {}

    public ClusterFile {
        daemons = List.copyOf(daemons);
    }

    static Path in(Path directory) {
        return directory.resolve("cluster.json");
    }

    /** Empty when nothing was started there, or it was stopped in order. */
    public static Optional<ClusterFile> read(Path directory) throws IOException {
        Path file = in(directory);
        return JsonFile.exists(file) ? Optional.of(JsonFile.read(file, ClusterFile.class)) : Optional.empty();
    }

    static ClusterFile of(ClusterPlan plan, Path directory, PidOf pids) {
        List<Daemon> daemons = new ArrayList<>();
        for (ClusterPlan.NamenodePlan n : plan.namenodes()) {
            daemons.add(new Daemon(
                    "namenode",
                    n.id(),
                    n.address(),
                    pids.of(n.id()),
                    directory.resolve(n.id()).toString()));
        }
        for (ClusterPlan.DatanodePlan d : plan.datanodes()) {
            daemons.add(new Daemon(
                    "datanode",
                    d.id(),
                    d.address(),
                    pids.of(d.id()),
                    directory.resolve(d.id()).toString()));
        }
        return new ClusterFile(plan.uri(), daemons);
    }

    /** Process of a daemon, by its id. */
    interface PidOf {
        long of(String id);
    }

    ClusterFile withPid(String id, long pid) {
        return new ClusterFile(
                uri,
                daemons.stream()
                        .map(d -> d.id().equals(id) ? new Daemon(d.role(), d.id(), d.address(), pid, d.dir()) : d)
                        .toList());
    }

    /** With one daemon more, in place of one of the same id. */
    ClusterFile with(Daemon daemon) {
        List<Daemon> others = new ArrayList<>(
                daemons.stream().filter(d -> !d.id().equals(daemon.id())).toList());
        others.add(daemon);
        return new ClusterFile(uri, others);
    }

    /** Changes the file; commands that change it at the same time do so one after the other. */
    static void update(Path directory, UnaryOperator<ClusterFile> change) throws IOException {
        try (FileChannel lock = FileChannel.open(directory.resolve("cluster.lock"), CREATE, WRITE)) {
            FileLock acquired = lock.lock();
            ClusterFile now =
                    read(directory).orElseThrow(() -> new IOException("no cluster runs in " + directory + " any more"));
            change.apply(now).write(directory);
            acquired.release();
        }
    }

    void write(Path directory) throws IOException {
        JsonFile.write(in(directory), this);
    }
}
