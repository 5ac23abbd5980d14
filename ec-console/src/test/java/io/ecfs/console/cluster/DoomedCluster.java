package io.ecfs.console.cluster;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ecfs.console.local.ClusterPlan;
import io.ecfs.console.local.LocalCluster;
import io.ecfs.layout.Policy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A cluster in processes of its own, with one namenode, whose daemons all die at once by SIGKILL. For one thread. */
abstract sealed class DoomedCluster implements AutoCloseable {
    static final String NAMENODE = "nn0";
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int LAST_LINES = 40;

    /** What makes a restart quick; the times of {@link TestCluster} but for these. */
    private static final List<String> SHORTER_TIMES = List.of(
            "namenode.settings.safeModeExtension=0s",
            "namenode.settings.tick=50ms",
            "namenode.raft.electionTimeoutMin=50ms",
            "namenode.raft.electionTimeoutMax=100ms",
            "datanode.control.heartbeatInterval=100ms",
            // On a machine that is busy no datanode may be left out of a new group, which would survive fewer losses.
            "namenode.settings.silence.suspectAfter=10s",
            // Nothing that was acknowledged may depend on how soon a datanode counts as dead.
            "namenode.settings.recovery.grace=0s");

    final Path directory;
    private final Path logs;
    private final String uri;

    private DoomedCluster(Path directory, Path logs, String uri) {
        this.directory = directory;
        this.logs = logs;
        this.uri = uri;
    }

    private static List<String> times() {
        List<String> times = TestCluster.shortTimes();
        times.addAll(SHORTER_TIMES);
        return times;
    }

    final String uri() {
        return uri;
    }

    static List<String> datanodes(int count) {
        return IntStream.range(0, count).mapToObj(i -> "dn" + i).toList();
    }

    /** Starts daemons that are dead; returns before they are ready. */
    abstract void start(List<String> ids) throws IOException;

    /** Kills all that run, with those of other clusters in the same process, and returns when they are dead. */
    abstract void kill() throws IOException;

    static void kill(List<ProcessHandle> processes) {
        processes.forEach(ProcessHandle::destroyForcibly);
        await("they are dead")
                .pollInterval(Duration.ofMillis(5))
                .atMost(PATIENCE)
                .until(() -> processes.stream().noneMatch(ProcessHandle::isAlive));
    }

    /** What the daemons' logs end with, for the message of a test that failed. */
    final String lastWords() {
        try (Stream<Path> found = Files.list(logs)) {
            StringBuilder words = new StringBuilder();
            for (Path log : found.sorted().toList()) {
                List<String> lines = Files.readAllLines(log);
                words.append(log.getFileName()).append(":\n");
                lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size())
                        .forEach(line -> words.append(line).append('\n'));
            }
            return words.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        kill();
    }

    /** A JVM for each daemon. */
    static final class ProcessEach extends DoomedCluster {
        private ProcessEach(Path directory) {
            super(
                    directory,
                    directory.resolve("logs"),
                    file(directory).get("uri").asText());
        }

        static ProcessEach start(Path directory, String policy, int datanodes) {
            List<String> up = new ArrayList<>(List.of("up", "--dir", directory.toString(), "--detach", "--processes"));
            up.addAll(List.of("--namenodes", "1", "--datanodes", "" + datanodes, "--policy", policy));
            times().forEach(time -> up.addAll(List.of("-D", time)));
            Ecfs.run(up.toArray(String[]::new)).well();
            return new ProcessEach(directory);
        }

        private static JsonNode file(Path directory) {
            try {
                return new ObjectMapper()
                        .readTree(directory.resolve("cluster.json").toFile());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        void start(List<String> ids) {
            for (String id : ids) {
                Ecfs.run("up", "--dir", directory.toString(), "--only", id).well();
            }
        }

        @Override
        void kill() {
            List<ProcessHandle> processes = new ArrayList<>();
            file(directory)
                    .get("daemons")
                    .forEach(d -> ProcessHandle.of(d.get("pid").asLong()).ifPresent(processes::add));
            kill(processes);
        }
    }

    /** All daemons in one JVM, with those of the other clusters, which is cheap enough for many rounds. */
    static final class InSharedJvm extends DoomedCluster {
        private final DoomedProcess process;
        private final int number;

        private InSharedJvm(Path directory, DoomedProcess process, int number, String uri) {
            super(directory, process.logs(), uri);
            this.process = process;
            this.number = number;
        }

        static List<DoomedCluster> start(Path directory, String policy, int datanodes, int clusters)
                throws IOException {
            ClusterPlan.Shape shape = new ClusterPlan.Shape(Policy.parse(policy), 1, datanodes, 1, 1, 0);
            List<LocalCluster> formatted = new ArrayList<>(); // all at once, so that no two have the same ports
            List<Path> directories = new ArrayList<>();
            for (int number = 0; number < clusters; number++) {
                directories.add(Files.createDirectory(directory.resolve("cluster" + number)));
                ClusterPlan plan = LocalCluster.plan(directories.get(number), shape);
                formatted.add(LocalCluster.start(
                        directories.get(number),
                        plan,
                        LocalCluster.Mode.ONE_PROCESS,
                        times(),
                        (ready, of, waitingFor) -> {}));
            }
            formatted.forEach(LocalCluster::close);
            DoomedProcess process = new DoomedProcess(directory, policy, datanodes, directories);
            List<String> all = new ArrayList<>(datanodes(datanodes));
            all.add(NAMENODE);
            process.archiveClasses(0, all);
            List<DoomedCluster> doomed = new ArrayList<>();
            for (int number = 0; number < clusters; number++) {
                doomed.add(new InSharedJvm(
                        directories.get(number),
                        process,
                        number,
                        formatted.get(number).uri()));
                doomed.get(number).start(all);
            }
            return doomed;
        }

        @Override
        void start(List<String> ids) throws IOException {
            process.start(number, ids);
        }

        @Override
        void kill() {
            process.kill();
        }
    }
}
