package io.ecfs.console.local;

import io.ecfs.client.name.ClusterName;
import io.ecfs.env.real.Poller;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A cluster in one process that is not this one: {@code ecfs up} run again in the background. */
public final class DetachedCluster {
    private static final List<String> JVM = List.of("-Xmx2g");

    private DetachedCluster() {}

    /**
     * Starts it and returns when it is ready; when it is not, it is stopped and the end of its log says why.
     *
     * @param name by which it is found, see {@link ClusterEntry}
     */
    public static void start(Path directory, ClusterName name, List<String> overrides, Readiness.Progress progress)
            throws IOException {
        LocalCluster.refuseWhenRunning(directory);
        Path log = directory.resolve("logs").resolve("cluster.log");
        List<String> arguments =
                new ArrayList<>(List.of("up", "--no-console", "--dir", directory.toString(), "--name", name.text()));
        overrides.forEach(o -> arguments.addAll(List.of("-D", o)));
        Process process = Child.start(log, JVM, arguments);
        try {
            awaitFile(directory, process, log);
            Readiness.await(ClusterPlan.open(directory), LocalCluster.client(overrides), progress);
            LastUp.remember(directory);
        } catch (IOException | RuntimeException e) {
            Child.stopAll(List.of(process.toHandle()));
            throw e;
        }
    }

    /** The other process writes the cluster file when its daemons have started; until then it may still refuse. */
    private static void awaitFile(Path directory, Process process, Path log) throws IOException {
        Poller poller = Readiness.poller();
        while (ClusterFile.read(directory)
                .filter(f -> f.daemons().get(0).pid() == process.pid())
                .isEmpty()) {
            if (!process.isAlive()) {
                throw new EcfsException(
                        ErrorCode.INTERNAL,
                        "the cluster did not start: " + lastLine(log) + " (all of it in " + log + ")");
            }
            Readiness.pause(poller);
        }
    }

    private static String lastLine(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log);
        return lines.isEmpty() ? "it said nothing" : lines.get(lines.size() - 1);
    }
}
