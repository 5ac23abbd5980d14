package io.ecfs.console.cluster;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A package as pip installs it, for a Python program of {@code src/test/jobs} that requires it. It is that of the
 * {@code python3} on the path where this has the required version. Otherwise pip installs it into a virtual environment
 * in {@code target/python}. Tests are skipped where neither can be had.
 */
final class PythonPackage {
    private static final long PATIENCE_MINUTES = 20;

    private final Path program;
    private final Path binaries;

    /** @param binaries where the package's Python and its commands are */
    private PythonPackage(Path program, Path binaries) {
        this.program = program;
        this.binaries = binaries;
    }

    /**
     * @param project in {@code src/test/jobs} with one requirement, {@code NAME==VERSION}
     * @param logs where the output of Python and pip goes
     */
    static PythonPackage requiredBy(String project, Path logs) throws IOException {
        Path program = JobProject.module().resolve("src/test/jobs").resolve(project);
        String required = Files.readString(program.resolve("requirements.txt")).strip();
        String[] python = {"python3"};
        JobProject.Run found = python(python, logs, "-c", "import sys; print('binaries', sys.prefix + '/bin')");
        assumeTrue(found.exit() == 0, "no python3 on the path");
        if (has(required, python, logs)) {
            return new PythonPackage(program, Path.of(found.said("binaries").get(0)));
        }
        Path environment = JobProject.module().resolve("target/python").resolve(required.replace("==", "-"));
        String[] its = {environment.resolve("bin/python").toString()};
        if (!Files.exists(environment) || !has(required, its, logs)) {
            skipUnlessWell(python(python, logs, "-m", "venv", "--clear", environment.toString()), required);
            skipUnlessWell(python(its, logs, "-m", "pip", "--no-input", "install", required), required);
        }
        return new PythonPackage(program, environment.resolve("bin"));
    }

    private static boolean has(String required, String[] python, Path logs) throws IOException {
        int equal = required.indexOf("==");
        return python(
                        python,
                        logs,
                        "-c",
                        "import importlib.metadata as m; print('version', m.version('" + required.substring(0, equal)
                                + "'))")
                .said("version")
                .equals(List.of(required.substring(equal + "==".length())));
    }

    private static void skipUnlessWell(JobProject.Run run, String required) {
        assumeTrue(
                run.exit() == 0,
                () -> "pip cannot install " + required + ": "
                        + run.output().lines().reduce((first, last) -> last).orElse("it printed nothing"));
    }

    private static JobProject.Run python(String[] python, Path logs, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(python));
        command.addAll(List.of(arguments));
        try {
            return start(Files.createTempFile(logs, "python", ".log"), command, Map.of())
                    .ended(PATIENCE_MINUTES);
        } catch (IOException e) {
            return new JobProject.Run(-1, e.getMessage()); // there is no such program
        }
    }

    /** The directory of an installed module. */
    Path module(String name, Path logs) throws IOException {
        String[] python = {binaries.resolve("python").toString()};
        JobProject.Run found = python(
                python,
                logs,
                "-c",
                "import importlib.util as u; print('module', u.find_spec('" + name
                        + "').submodule_search_locations[0])");
        return Path.of(found.well().said("module").get(0));
    }

    /** A file of the program. */
    String file(String name) {
        return program.resolve(name).toString();
    }

    /**
     * Starts a command as in a shell where the environment of the package is active.
     *
     * @param command one of the environment, or the path of one, and its arguments
     * @param variables of the environment, beside those of this process
     */
    JobProject.Job start(Path log, Map<String, String> variables, List<String> command) throws IOException {
        List<String> all = new ArrayList<>(command);
        all.set(0, binaries.resolve(command.get(0)).toString()); // the path of this process decides otherwise
        return start(log, all, active(variables));
    }

    private Map<String, String> active(Map<String, String> variables) {
        Map<String, String> all = new HashMap<>(variables);
        all.put("PATH", binaries + File.pathSeparator + System.getenv("PATH"));
        all.put("JAVA_HOME", System.getProperty("java.home"));
        return all;
    }

    private static JobProject.Job start(Path log, List<String> command, Map<String, String> variables)
            throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(variables);
        return new JobProject.Job(builder.start(), log);
    }

    /** Copies files into a directory whose {@code *} is on a class path. */
    static void copy(Stream<Path> files, Path directory) throws IOException {
        Files.createDirectories(directory);
        for (Path file : files.toList()) {
            Files.copy(file, directory.resolve(file.getFileName()));
        }
    }
}
