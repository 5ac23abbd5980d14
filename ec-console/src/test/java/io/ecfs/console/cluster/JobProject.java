package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * One of the projects in {@code src/test/jobs}, built by Maven as its author would, with a class path of its own: no
 * class of this build is on it but those in the one jar that is dropped into a Hadoop or Spark installation.
 */
public final class JobProject {
    /** URI by which jobs know the cluster. */
    static final String CLUSTER = "ecfs://jobs";

    private static final long PATIENCE_MINUTES = 5;

    private final Path directory;
    private final List<String> options;
    private final String classPath;
    private final String libraries;
    private final AtomicInteger started = new AtomicInteger();

    private JobProject(Path directory, List<String> options, String classPath, String libraries) {
        this.directory = directory;
        this.options = options;
        this.classPath = classPath;
        this.libraries = libraries;
    }

    /**
     * @param directory where what is built and printed goes
     * @param options system properties of every job's JVM
     */
    static JobProject build(String name, Path directory, String... options) throws IOException {
        return build(name, directory, Map.of(), options);
    }

    /**
     * @param directory where what is built and printed goes
     * @param properties of the project, in place of those that its {@code pom.xml} has
     * @param options system properties of every job's JVM
     */
    public static JobProject build(String name, Path directory, Map<String, String> properties, String... options)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(),
                "-B",
                "-ntp",
                "-q",
                "-f",
                module().resolve("src/test/jobs")
                        .resolve(name)
                        .resolve("pom.xml")
                        .toString(),
                "-Djobs.directory=" + directory,
                "compile",
                "dependency:build-classpath"));
        properties.forEach((property, value) -> command.add("-D" + property + "=" + value));
        // Nothing is asked of a registry as long as all that is needed is here.
        if (maven(command, directory, "-o").exit() != 0) {
            maven(command, directory, "-U").well();
        }
        String libraries = Files.readString(directory.resolve("class-path")).strip();
        return new JobProject(
                directory,
                List.of(options),
                directory.resolve("classes") + File.pathSeparator + connector() + File.pathSeparator + libraries,
                libraries);
    }

    /** A cluster of three namenodes whose leases wait for clients that have their defaults. */
    static TestCluster cluster(Path directory) throws IOException {
        return TestCluster.start(directory.resolve("cluster"), "rs-3-2-64k", 3, 5, TestCluster.usualLeases());
    }

    /** The setting of Hadoop's that makes {@link #CLUSTER} the name of a cluster. */
    static String name(TestCluster cluster) {
        return "fs.ecfs.cluster.jobs=" + cluster.uri().substring("ecfs://".length());
    }

    private static Run maven(List<String> command, Path directory, String network) throws IOException {
        List<String> all = new ArrayList<>(command);
        all.add(network);
        return start(directory.resolve("maven.log"), all).ended();
    }

    /** The same jobs with properties in a {@code core-site.xml}. */
    public JobProject configured(Map<String, String> properties) throws IOException {
        return configured("core-site.xml", properties);
    }

    /** The same jobs with properties of Hadoop in a file that is on the class path as that of an installation. */
    JobProject configured(String file, Map<String, String> properties) throws IOException {
        Path configuration = Files.createDirectories(directory.resolve("conf"));
        StringBuilder site = new StringBuilder("<configuration>\n");
        properties.forEach((name, value) ->
                site.append("  <property><name>" + name + "</name><value>" + value + "</value></property>\n"));
        Files.writeString(configuration.resolve(file), site.append("</configuration>\n"));
        return new JobProject(directory, options, configuration + File.pathSeparator + classPath, libraries);
    }

    /** Runs a class's {@code main} in a JVM of its own. */
    public Run run(String main, String... arguments) throws IOException {
        return start(main, arguments).ended();
    }

    /** Starts a class's {@code main} in a JVM of its own. */
    Job start(String main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dhadoop.tmp.dir=" + directory.resolve("tmp")));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, main));
        command.addAll(List.of(arguments));
        return start(directory.resolve(main + "-" + started.incrementAndGet() + ".log"), command);
    }

    private static Job start(Path log, List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new Job(process, log);
    }

    /** The jars of others that the project needs. */
    Stream<Path> libraries() {
        return Stream.of(libraries.split(File.pathSeparator)).map(Path::of);
    }

    /** The one jar of ECFS. */
    static Path connector() throws IOException {
        Path target = module().resolveSibling("ec-client").resolve("target");
        try (Stream<Path> jars = Files.list(target)) {
            return jars.filter(jar -> jar.getFileName().toString().endsWith("-hadoop.jar"))
                    .findAny()
                    .orElseThrow(() -> new AssertionError("no ec-client-*-hadoop.jar in " + target
                            + ": './ecfs test' packages it before it runs this"));
        }
    }

    /** The directory of the module whose tests run. */
    static Path module() {
        return Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    }

    /** A program that runs; closing it kills it. */
    record Job(Process process, Path log) implements AutoCloseable {
        /** Its output until now. */
        List<String> said(String word) throws IOException {
            return Run.said(Files.readString(log), word);
        }

        /** Waits until it has ended by itself. */
        Run ended() throws IOException {
            return ended(PATIENCE_MINUTES);
        }

        /** Waits so many minutes at most until it has ended by itself. */
        Run ended(long minutes) throws IOException {
            try {
                assertThat(process.waitFor(minutes, TimeUnit.MINUTES))
                        .as("ended within " + minutes + " minutes, see " + log)
                        .isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while it waited for " + log, e);
            } finally {
                close();
            }
            return new Run(process.exitValue(), Files.readString(log));
        }

        /** Programs of Python are several processes. */
        @Override
        public void close() {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    public record Run(int exit, String output) {
        /** @throws AssertionError unless it ended with 0 */
        public Run well() {
            assertThat(exit).as(output).isZero();
            return this;
        }

        /** What it printed in lines that begin with a word, without that word. */
        public List<String> said(String word) {
            return said(output, word);
        }

        private static List<String> said(String output, String word) {
            return output.lines()
                    .filter(line -> line.startsWith(word + " "))
                    .map(line -> line.substring(word.length() + 1))
                    .toList();
        }
    }
}
