package io.ecfs.console.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.config.ConfigReader;
import io.ecfs.console.command.EcfsCommand;
import io.ecfs.console.web.settings.ConsoleConfig;
import io.ecfs.datanode.server.DatanodeConfig;
import io.ecfs.namenode.daemon.NamenodeConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ecfs} of a release archive, in front of a java that prints its arguments, and the files beside it. */
class ReleaseLauncherTest {
    private static final Path SOURCES = Path.of("../dist");

    /** Commands of the launcher of a clone. */
    private static final List<String> OF_SOURCES = List.of("test", "mutants", "jmh", "asan", "format", "clean", "dist");

    @TempDir
    private Path root;

    @BeforeEach
    void unpack() throws IOException {
        copy(SOURCES.resolve("ecfs"), root.resolve("ecfs"));
        copy(SOURCES.resolve("launch.sh"), root.resolve("lib/launch.sh"));
        Files.writeString(root.resolve("lib/class-path"), "b.jar\na.jar\n");
        Path java = Files.createDirectories(root.resolve("jdk/bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\numask\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(root.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        Files.copy(from, to);
    }

    private record Run(int code, List<String> out, List<String> errors) {}

    private Run ecfs(Path launcher, String... arguments) throws Exception {
        ProcessBuilder command =
                new ProcessBuilder(Stream.concat(Stream.of("bash", launcher.toString()), Stream.of(arguments))
                        .toList());
        command.environment().put("JAVA_HOME", root.resolve("jdk").toString());
        command.redirectError(root.resolve("errors").toFile());
        Process process = command.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        return new Run(code, printed.lines().toList(), Files.readAllLines(root.resolve("errors")));
    }

    @Test
    void itRunsTheJarsInTheirOrderAndDaemonsWriteForThemselvesAlone() throws Exception {
        Path link = Files.createSymbolicLink(root.resolve("link"), root.resolve("ecfs"));
        Run run = ecfs(link, "namenode", "--config", "a b.yaml");
        assertThat(run.errors()).isEmpty();
        Path lib = root.toRealPath().resolve("lib");
        assertThat(run.out()).contains("-cp", lib.resolve("b.jar") + ":" + lib.resolve("a.jar"));
        assertThat(run.out()).endsWith("io.ecfs.console.Main", "namenode", "--config", "a b.yaml", "0077");
    }

    @Test
    void itRefusesInOneLineWhatNeedsTheSources() throws Exception {
        for (String command : OF_SOURCES) {
            Run run = ecfs(root.resolve("ecfs"), command, "--all");
            assertThat(run.code()).as(command).isEqualTo(2);
            assertThat(run.out()).isEmpty();
            assertThat(run.errors())
                    .containsExactly(
                            "ecfs: '" + command + "' needs the sources of ECFS, and this is a release archive");
        }
    }

    @Test
    void theHelpNamesWhatNeedsTheSourcesInACloneAndNotInAnArchive() throws Exception {
        String property = "ecfs.sources";
        assertThat(ecfs(root.resolve("ecfs"), "--help").out())
                .contains("--help")
                .noneMatch(option -> option.contains(property));
        assertThat(EcfsCommand.commandLine().getUsageMessage())
                .doesNotContain(OF_SOURCES.stream().map(c -> "ecfs " + c).toList());

        assertThat(ecfs(builtClone(), "namenode", "--help").out()).contains("-D" + property + "=true");
        System.setProperty(property, "true");
        try {
            assertThat(EcfsCommand.commandLine().getUsageMessage())
                    .contains(OF_SOURCES.stream().map(c -> "ecfs " + c).toList());
        } finally {
            System.clearProperty(property);
        }
    }

    /** The launcher of a clone in which something is built. */
    private Path builtClone() throws IOException {
        copy(Path.of("../ecfs"), root.resolve("clone/ecfs"));
        copy(SOURCES.resolve("launch.sh"), root.resolve("clone/dist/launch.sh"));
        copy(SOURCES.resolve("launch.sh"), root.resolve("clone/.build/some.jar"));
        Files.writeString(
                root.resolve("clone/.build/class-path"),
                root.resolve("clone/.build/some.jar").toString());
        return root.resolve("clone/ecfs");
    }

    @Test
    void itKnowsNoStepOfABuildAndInstallsNothing() throws IOException {
        for (String file : List.of("ecfs", "launch.sh")) {
            assertThat(Files.readString(SOURCES.resolve(file)))
                    .doesNotContain("mvn", "apt-get -", "apt_", "make ", "mkdir", "touch ");
        }
    }

    @Test
    void aDaemonOfTheSourcesBuildsNothingEither() throws Exception {
        copy(Path.of("../ecfs"), root.resolve("clone/ecfs"));
        copy(SOURCES.resolve("launch.sh"), root.resolve("clone/dist/launch.sh"));
        for (String daemon : List.of("namenode", "datanode", "console", "webhdfs")) {
            Run run = ecfs(root.resolve("clone/ecfs"), daemon, "--config", "x.yaml");
            assertThat(run.code()).as(daemon).isEqualTo(1);
            assertThat(run.errors()).singleElement().asString().contains("'" + daemon + "' does not build");
            assertThat(root.resolve("clone/.build")).doesNotExist();
        }
    }

    @Test
    void theExamplesAreReadAndArePrintedInTheDeployPage() throws IOException {
        String page = Files.readString(Path.of("../docs/deploy.md"));
        for (String file : List.of(
                "config/namenode.yaml",
                "config/datanode.yaml",
                "config/console.yaml",
                "systemd/ecfs-namenode.service")) {
            assertThat(page).as(file).contains("\n" + Files.readString(SOURCES.resolve(file)) + "```");
        }
        ConfigReader.read(NamenodeConfig.class, SOURCES.resolve("config/namenode.yaml"), List.of());
        ConfigReader.read(DatanodeConfig.class, SOURCES.resolve("config/datanode.yaml"), List.of());
        ConfigReader.read(ConsoleConfig.class, SOURCES.resolve("config/console.yaml"), List.of());
    }
}
