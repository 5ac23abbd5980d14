package io.ecfs.console.cluster;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** A cluster in processes of its own, with one namenode, whose daemons all die at once by SIGKILL. For one thread. */
abstract sealed class DoomedCluster implements AutoCloseable {
    static final String NAMENODE = "nn0";
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int LAST_LINES = 40;

    /** What makes a restart quick; the times of {@link TestCluster} but for these. */
    private static final List<String> SHORTER_TIMES = List.of(
            "namenode.settings.safeModeExtension=0s",
            "namenode.settings.tick=50ms",
            "datanode.control.heartbeatInterval=100ms",
            // What only a datanode could have that does not come back is waited for until that is dead.
            "namenode.settings.recovery.grace=10s");

    final Path directory;
    private final String uri;

    private DoomedCluster(Path directory, String policy, int datanodes, List<String> mode) {
        this.directory = directory;
        List<String> up = new ArrayList<>(List.of("up", "--dir", directory.toString(), "--detach", "--namenodes", "1"));
        up.addAll(List.of("--datanodes", "" + datanodes, "--policy", policy));
        up.addAll(mode);
        List<String> times = TestCluster.shortTimes();
        times.addAll(SHORTER_TIMES);
        times.forEach(time -> up.addAll(List.of("-D", time)));
        Ecfs.run(up.toArray(String[]::new)).well();
        this.uri = file().get("uri").asText();
    }

    final String uri() {
        return uri;
    }

    static List<String> datanodes(int count) {
        return IntStream.range(0, count).mapToObj(i -> "dn" + i).toList();
    }

    /** Starts daemons that are dead; returns before they are ready. */
    abstract void start(List<String> ids) throws IOException;

    /** Kills all that run, and returns when they are dead. */
    abstract void kill() throws IOException;

    static void kill(List<ProcessHandle> processes) {
        processes.forEach(ProcessHandle::destroyForcibly);
        await("they are dead").atMost(PATIENCE).until(() -> processes.stream().noneMatch(ProcessHandle::isAlive));
    }

    /** What the daemons' logs end with, for the message of a test that failed. */
    final String lastWords() {
        try (Stream<Path> logs = Files.list(directory.resolve("logs"))) {
            StringBuilder words = new StringBuilder();
            for (Path log : logs.sorted().toList()) {
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

    final JsonNode file() {
        try {
            return new ObjectMapper().readTree(directory.resolve("cluster.json").toFile());
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
        ProcessEach(Path directory, String policy, int datanodes) {
            super(directory, policy, datanodes, List.of("--processes"));
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
            file().get("daemons")
                    .forEach(d -> ProcessHandle.of(d.get("pid").asLong()).ifPresent(processes::add));
            kill(processes);
        }
    }

    /** One JVM for all daemons, which is cheap enough for many rounds; its classes are in a shared archive, made at the first start. */
    static final class OneJvm extends DoomedCluster {
        private final List<String> command = new ArrayList<>();
        private Process process;

        OneJvm(Path directory, String policy, int datanodes) throws IOException {
            super(directory, policy, datanodes, List.of());
            Ecfs.run("down", "--dir", directory.toString()).well();
            Path archive = directory.resolve("classes.jsa");
            List<String> what = List.of(
                    "-Xmx512m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-Decfs.log=info",
                    "-cp",
                    jarsOnly(),
                    DoomedJvm.class.getName(),
                    directory.toString(),
                    policy,
                    "" + datanodes);
            List<String> all = new ArrayList<>(datanodes(datanodes));
            all.add(NAMENODE);
            command.addAll(List.of(java(), "-XX:ArchiveClassesAtExit=" + archive));
            command.addAll(what);
            start(all);
            stopInOrder();
            command.clear();
            command.addAll(List.of(java(), "-XX:SharedArchiveFile=" + archive));
            command.addAll(what);
            start(all);
        }

        private static String java() {
            return Path.of(System.getProperty("java.home"), "bin", "java").toString();
        }

        /** The class path with a jar in place of each directory, of which a shared archive takes no classes. */
        private String jarsOnly() throws IOException {
            List<String> entries = new ArrayList<>();
            for (String entry : List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))) {
                Path path = Path.of(entry);
                entries.add(Files.isDirectory(path) ? jar(path, entries.size()).toString() : entry);
            }
            return String.join(File.pathSeparator, entries);
        }

        private Path jar(Path classes, int number) throws IOException {
            Path jar = directory.resolve("classes-" + number + ".jar");
            try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                    Stream<Path> files = Files.walk(classes)) {
                for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                    out.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
                    Files.copy(file, out);
                }
            }
            return jar;
        }

        private void stopInOrder() throws IOException {
            process.getOutputStream().close();
            await("the classes are archived").atMost(PATIENCE).until(() -> !process.isAlive());
            process = null;
        }

        @Override
        void start(List<String> ids) throws IOException {
            if (process == null) {
                process = new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(
                                directory.resolve("logs").resolve("all.log").toFile()))
                        .start();
            }
            BufferedWriter to = process.outputWriter(StandardCharsets.UTF_8);
            for (String id : ids) {
                to.write(id + "\n");
            }
            to.flush();
        }

        @Override
        void kill() {
            if (process != null) {
                kill(List.of(process.toHandle()));
                process = null;
            }
        }
    }
}
