package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.message.FeatureLevel;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** The classes of one commit, whose {@code ecfs} runs as a process: what it starts is of that commit, too. */
record Release(String name, String classPath) {
    private static final long PATIENCE_MINUTES = 15;
    private static final List<String> MODULES =
            List.of("ec-common", "ec-native", "ec-namenode", "ec-datanode", "ec-client", "ec-console");

    /** What this test runs. */
    static Release present() {
        return new Release("present", System.getProperty("java.class.path"));
    }

    /**
     * What this test runs, but of another feature level: the sources that name the constant, which compilers copy, are
     * compiled with it.
     */
    static Release presentOfLevel(int level, Path directory) throws IOException {
        Path classes = Files.createDirectory(directory.resolve("level-" + level));
        List<String> arguments = new ArrayList<>(
                List.of("-nowarn", "-proc:none", "-cp", present().classPath(), "-d", classes.toString()));
        for (Path source : sourcesThatName("FeatureLevel.RELEASE")) {
            arguments.add(source.toString());
        }
        for (Path source : sourcesThatName("int RELEASE = " + FeatureLevel.RELEASE + ";")) {
            Path changed = directory.resolve(source.getFileName());
            Files.writeString(
                    changed,
                    Files.readString(source)
                            .replace("int RELEASE = " + FeatureLevel.RELEASE + ";", "int RELEASE = " + level + ";"));
            arguments.add(changed.toString());
        }
        assertThat(arguments).as("the constant and what names it").hasSizeGreaterThan(6 + 3);
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        int code = ToolProvider.getSystemJavaCompiler().run(null, messages, messages, arguments.toArray(String[]::new));
        assertThat(code).as(messages.toString(StandardCharsets.UTF_8)).isZero();
        return new Release(
                "level" + level, classes + File.pathSeparator + present().classPath());
    }

    private static List<Path> sourcesThatName(String text) throws IOException {
        List<Path> found = new ArrayList<>();
        for (String module : MODULES) {
            try (Stream<Path> sources = Files.walk(root().resolve(module).resolve("src/main/java"))) {
                for (Path source :
                        sources.filter(f -> f.toString().endsWith(".java")).toList()) {
                    if (Files.readString(source).contains(text)) {
                        found.add(source);
                    }
                }
            }
        }
        return found;
    }

    private static Path root() {
        return Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolveSibling("");
    }

    /** The commit, checked out and compiled in {@code .build}, where it stays for the next time. */
    static Release of(String commit) throws IOException, InterruptedException {
        Path root = root();
        Path sources = root.resolve(".build/releases/" + commit);
        Path done = sources.resolve("ec-console/target/compiled");
        if (!Files.exists(done)) {
            if (!Files.exists(sources)) {
                Files.createDirectories(sources.getParent());
                run(root, root.resolve(".build/worktree.log"), List.of("git", "worktree", "prune"));
                run(
                        root,
                        root.resolve(".build/worktree.log"),
                        List.of("git", "worktree", "add", "--force", "--detach", sources.toString(), commit));
            }
            Path maven = Path.of(System.getProperty("maven.home"), "bin", "mvn");
            // Its own kernels are not what is tested, and all libraries are those of this build or were.
            run(
                    sources,
                    root.resolve(".build/release.log"),
                    List.of(
                            maven.toString(),
                            "-o",
                            "-B",
                            "-ntp",
                            "-q",
                            "-Dnative.skip=true",
                            "-Dmaven.test.skip=true",
                            "prepare-package"));
            Files.createFile(done);
        }
        String own = MODULES.stream()
                .map(module -> sources.resolve(module).resolve("target/classes").toString())
                .collect(Collectors.joining(File.pathSeparator));
        String libraries = Files.readString(sources.resolve("ec-console/target/class-path"))
                .strip();
        return new Release(commit.substring(0, 8), own + File.pathSeparator + libraries);
    }

    private static void run(Path in, Path log, List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(in.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES))
                    .as(command + " ends")
                    .isTrue();
            assertThat(process.exitValue()).as(Files.readString(log)).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    /** Runs {@code ecfs ARGUMENTS} of this release to its end; what it printed. */
    Run ecfs(Path directory, String... arguments) throws IOException, InterruptedException {
        Path log = directory.resolve(name + "-" + arguments[0] + ".out");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                "io.ecfs.console.Main"));
        command.addAll(Stream.of(arguments).toList());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES))
                    .as(name + " " + List.of(arguments) + " ends")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Run(process.exitValue(), Files.readString(log));
    }

    record Run(int code, String output) {
        /** @throws AssertionError unless it ended with 0 */
        Run well() {
            assertThat(code).as(output).isZero();
            return this;
        }
    }
}
