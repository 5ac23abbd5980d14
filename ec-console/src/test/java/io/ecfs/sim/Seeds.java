package io.ecfs.sim;

import io.ecfs.sim.cluster.Plot;
import io.ecfs.sim.cluster.SimSettings;
import io.netty.util.ResourceLeakDetector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.opentest4j.MultipleFailuresError;

/**
 * Which seeds are run: {@code -Decfs.sim.seed=S} only that one, {@code -Decfs.sim.seeds=N} so many in all, beginning
 * with {@code -Decfs.sim.first=S}. A failure says how to see it again.
 */
final class Seeds {
    private static final String ONE = "ecfs.sim.seed";
    /** Seeds of each plot; with it {@link FaultMatrixTest} runs all, and each test of crashes more seeds. */
    private static final String PLOTS = "ecfs.sim.plots";

    private static final long DEFAULT_COUNT = 200;
    private static final int PARTS = 4;

    private Seeds() {}

    /** The share of one of the {@value #PARTS} parts of the run. */
    private static LongStream part(int part) {
        String one = System.getProperty(ONE);
        if (one != null) {
            return part == 0 ? LongStream.of(Long.parseLong(one)) : LongStream.empty();
        }
        long count = Long.getLong("ecfs.sim.seeds", DEFAULT_COUNT);
        long first = Long.getLong("ecfs.sim.first", 0);
        return LongStream.range(first, first + count).filter(seed -> seed % PARTS == part);
    }

    /** Runs every seed of the part, whatever those before found. */
    static void runAll(int part) {
        all(part(part).boxed().map(seed -> (Runnable) () -> run(seed)));
    }

    /**
     * Runs plots, each with one seed, {@code -Decfs.sim.seed=S} with that one, {@code -Decfs.sim.plots=N} with so many.
     */
    static void runAll(List<? extends Plot> plots) {
        all(plots.stream()
                .flatMap(plot -> plotSeeds(plot).mapToObj(seed -> (Runnable) () -> run(seed, Optional.of(plot)))));
    }

    /** Runs plots, each with seeds that many behind its own. */
    static void runAll(List<? extends Plot> plots, LongStream behind) {
        List<Long> more = behind.boxed().toList();
        all(plots.stream()
                .flatMap(plot ->
                        more.stream().map(step -> (Runnable) () -> run(plot.seed() + step, Optional.of(plot)))));
    }

    private static LongStream plotSeeds(Plot plot) {
        String one = System.getProperty(ONE);
        long first = plot.seed();
        return one != null
                ? LongStream.of(Long.parseLong(one))
                : LongStream.range(first, first + Long.getLong(PLOTS, 1));
    }

    private static void all(Stream<Runnable> runs) {
        List<Throwable> found = new ArrayList<>();
        runs.forEach(run -> {
            try {
                run.run();
            } catch (AssertionError e) {
                found.add(e);
            }
        });
        if (!found.isEmpty()) {
            throw new MultipleFailuresError(found.size() + " seeds found something", found);
        }
    }

    static Simulation.Outcome run(long seed) {
        return run(seed, Optional.empty());
    }

    /** Runs every seed of the first so many, or those that the properties name, with all files in a ring. */
    static void runRinged(long count) {
        String one = System.getProperty(ONE);
        long first = Long.getLong("ecfs.sim.first", 0);
        LongStream seeds = one != null
                ? LongStream.of(Long.parseLong(one))
                : LongStream.range(first, first + Long.getLong("ecfs.sim.seeds", count));
        all(seeds.mapToObj(seed -> (Runnable) () -> run(SimSettings.ringed(seed), Optional.empty())));
    }

    private static Simulation.Outcome run(long seed, Optional<Plot> plot) {
        return run(plot.map(p -> p.settings(seed)).orElseGet(() -> SimSettings.of(seed)), plot);
    }

    private static Simulation.Outcome run(SimSettings settings, Optional<Plot> plot) {
        long seed = settings.seed();
        // A process that is killed gives its buffers back to nobody: here that is no leak.
        ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        try (Alarms alarms = Alarms.listen(System.getProperty(ONE) == null)) {
            Simulation.Outcome outcome = Simulation.run(settings, plot);
            alarms.check(settings.twist());
            return outcome;
        } catch (RuntimeException | Error e) {
            throw new AssertionError(
                    "seed " + seed + " found: " + e.getMessage() + "\n  world: " + settings
                            + plot.map(p -> "\n  plot: " + p).orElse("")
                            + "\n  replay: JAVA_TOOL_OPTIONS='-D" + ONE + "=" + seed
                            + (plot.isPresent() ? " -D" + PLOTS + "=1" : "") + "'"
                            + " ./ecfs test '"
                            + (plot.isPresent()
                                    ? "FaultMatrixTest,RelayCrashTest,RewriteCrashTest,RingCrashTest,UpdateCrashTest"
                                    : settings.ring().isPresent()
                                                    && settings.ring().get().everywhere()
                                            ? "RingSimulationTest"
                                            : "ControlPlaneSimulationTest")
                            + "'",
                    e);
        } finally {
            ResourceLeakDetector.setLevel(level);
        }
    }
}
