package io.ecfs.console.cluster;

import static org.awaitility.Awaitility.await;

import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * The {@link DoomedJvm} of some clusters, again and again. Its classes are in a shared archive, since most of what a
 * round costs is the start of a JVM.
 */
final class DoomedProcess {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Path directory;
    private final Path archive;
    private final List<String> what;
    private Process process;

    /** @param clusters directories of clusters that exist and do not run */
    DoomedProcess(Path directory, String policy, int datanodes, List<Path> clusters) throws IOException {
        this.directory = directory;
        this.archive = directory.resolve("classes.jsa");
        this.what = new ArrayList<>(List.of(
                "-Xmx768m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Decfs.log=info",
                "-cp",
                jarsOnly(),
                DoomedJvm.class.getName(),
                policy,
                "" + datanodes));
        clusters.forEach(cluster -> what.add(cluster.toString()));
        Files.createDirectories(logs());
    }

    Path logs() {
        return directory.resolve("logs");
    }

    /** Runs these daemons once, to know which classes they need. */
    void archiveClasses(int cluster, List<String> ids) throws IOException {
        process = launch("-XX:ArchiveClassesAtExit=" + archive);
        start(cluster, ids);
        process.getOutputStream().close();
        await("the classes are archived").atMost(PATIENCE).until(() -> !process.isAlive());
        process = null;
    }

    /** Has daemons of one cluster started, in a new process when the one before was killed. */
    synchronized void start(int cluster, List<String> ids) throws IOException {
        if (process == null) {
            process = launch("-XX:SharedArchiveFile=" + archive);
        }
        BufferedWriter to = process.outputWriter(StandardCharsets.UTF_8);
        for (String id : ids) {
            to.write(cluster + " " + id + "\n");
        }
        to.flush();
    }

    private Process launch(String option) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), option));
        command.addAll(what);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        logs().resolve("all.log").toFile()))
                .start();
    }

    synchronized void kill() {
        if (process != null) {
            DoomedCluster.kill(List.of(process.toHandle()));
            process = null;
        }
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
}
