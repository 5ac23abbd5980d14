package io.ecfs.sim;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;

/**
 * Runs the simulation alone against each of the {@link Mutants}: changes one source, compiles it into a directory that
 * stands first on the class path of a process of its own, and runs seeds there until one fails. {@code ./ecfs mutants
 * --simulation [--seeds N] [NAME...]}.
 */
final class SimulationMutants {
    private static final int SEEDS = 200;
    private static final long SECONDS_A_SEED = 20;

    private final Path root;
    private final Path work;
    private final int seeds;

    private SimulationMutants(Path root, Path work, int seeds) {
        this.root = root;
        this.work = work;
        this.seeds = seeds;
    }

    /** @param args the project's root, then options and names of mutants; none: all */
    public static void main(String[] args) throws IOException, InterruptedException {
        List<String> names = new ArrayList<>(List.of(args).subList(1, args.length));
        int seeds = SEEDS;
        if (names.size() > 1 && names.get(0).equals("--seeds")) {
            seeds = Integer.parseInt(names.get(1));
            names.subList(0, 2).clear();
        }
        List<Mutant> chosen = Mutants.ALL.stream()
                .filter(mutant -> names.isEmpty() || names.contains(mutant.name()))
                .toList();
        if (chosen.isEmpty()) {
            throw new IllegalArgumentException("no mutant is called " + names);
        }
        SimulationMutants run =
                new SimulationMutants(Path.of(args[0]), Files.createTempDirectory("ecfs-mutants-"), seeds);
        int killed = 0;
        for (Mutant mutant : chosen) {
            String outcome = run.outcome(mutant);
            killed += outcome.startsWith("killed") ? 1 : 0;
            System.out.println(mutant.name() + " (" + mutant.simpleClass() + "): " + outcome);
        }
        System.out.println(killed + " of " + chosen.size() + " killed");
    }

    private String outcome(Mutant mutant) throws IOException, InterruptedException {
        Path classes = compile(mutant);
        Path output = work.resolve(mutant.name() + ".log");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classes + File.pathSeparator + System.getProperty("java.class.path"),
                        MutantSeeds.class.getName(),
                        String.valueOf(seeds))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(seeds * SECONDS_A_SEED, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            return "killed: a seed does not end";
        }
        List<String> lines = Files.readAllLines(output);
        return lines.stream()
                .filter(line -> line.startsWith(MutantSeeds.RESULT))
                .map(line -> line.substring(MutantSeeds.RESULT.length()))
                .findFirst()
                .orElse("ended with " + process.exitValue() + ", see " + output);
    }

    private Path compile(Mutant mutant) throws IOException {
        Path source = work.resolve(mutant.name() + "-source").resolve(mutant.simpleClass());
        Path classes = work.resolve(mutant.name());
        Files.createDirectories(source.getParent());
        Files.createDirectories(classes);
        Files.writeString(source, mutant.source(root));
        int status = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        System.err,
                        "-nowarn",
                        "-proc:none",
                        "--release",
                        "17",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        classes.toString(),
                        source.toString());
        if (status != 0) {
            throw new IllegalStateException("mutant " + mutant.name() + " does not compile");
        }
        return classes;
    }
}
