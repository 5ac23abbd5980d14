package io.ecfs.jmh;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.ecfs.code.CodeSpec;
import io.ecfs.code.kernel.Kernels;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.slf4j.LoggerFactory;

/**
 * What {@code ./ecfs jmh [PATTERN] [JMH options]} starts. {@link CodecBenchmark} is measured side by side: within one
 * process the coders of one operation take turns, for as many rounds as {@code -f} says, and the table shows medians
 * over the rounds. A machine that slows down slows all coders and leaves their ratios. All other benchmarks are JMH's
 * own to run.
 */
public final class Jmh {
    private static final int ROUNDS = 5;
    private static final List<String> OPERATIONS = List.of("encode", "decode", "repair", "update");
    private static final PrintStream OUT = System.out;

    /** What one coder reached in a round, and what was allocated for each stripe; JMH itself allocates a little. */
    private record Score(double gigabytesPerSecond, double allocatedBytes) {}

    private final CommandLineOptions options;
    private final int rounds;

    private Jmh(CommandLineOptions options) {
        this.options = options;
        this.rounds = options.getForkCount().orElse(ROUNDS);
    }

    public static void main(String[] arguments) throws CommandLineOptionException, RunnerException, IOException {
        Jmh jmh = new Jmh(new CommandLineOptions(arguments));
        List<String> operations = OPERATIONS.stream().filter(jmh::asksFor).toList();
        if (operations.isEmpty() || jmh.asksOnly()) {
            org.openjdk.jmh.Main.main(arguments);
            return;
        }
        jmh.codecs(operations);
        jmh.others();
    }

    private void codecs(List<String> operations) throws RunnerException {
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.WARN);
        Kernels.all()
                .keySet()
                .forEach(
                        kernel -> OUT.println("kernel " + Kernels.choose(kernel).description()));
        for (String operation : operations) {
            for (String cells : parameter("cells")) {
                measure(operation, cells);
            }
        }
    }

    /** What the command line asks for beside the codecs, if anything. */
    private void others() throws RunnerException {
        Options rest = new OptionsBuilder()
                .parent(options)
                .exclude(Pattern.quote(CodecBenchmark.class.getName()))
                .build();
        try {
            new Runner(rest).run();
        } catch (NoBenchmarksException codecsOnly) {
            OUT.println("Nothing else matches.");
        }
    }

    /** Whether the command line wants to know something and measure nothing. */
    private boolean asksOnly() {
        return options.shouldHelp()
                || options.shouldList()
                || options.shouldListWithParams()
                || options.shouldListProfilers()
                || options.shouldListResultFormats();
    }

    private boolean asksFor(String operation) {
        String name = CodecBenchmark.class.getName() + "." + operation;
        return options.getIncludes().isEmpty()
                || options.getIncludes().stream()
                        .anyMatch(include ->
                                Pattern.compile(include).matcher(name).find());
    }

    /** The values of a parameter: those of the command line, else those of the benchmark. */
    private Collection<String> parameter(String name) {
        if (options.getParameter(name).hasValue()) {
            return options.getParameter(name).get();
        }
        try {
            return Arrays.asList(CodecBenchmark.class
                    .getField(name)
                    .getAnnotation(Param.class)
                    .value());
        } catch (NoSuchFieldException missing) {
            throw new IllegalStateException(missing);
        }
    }

    private void measure(String operation, String cells) throws RunnerException {
        String per = switch (operation) {
            case "repair" -> "of chunks read to rebuild one";
            case "update" -> "of changed data";
            default -> "of data";
        };
        OUT.printf(
                "%n%s, cells %s, one thread, GB/s %s by CPU time, medians of %d rounds%n",
                operation, cells, per, rounds);
        for (String code : parameter("code")) {
            CodeSpec spec = CodeSpec.parse(code);
            List<String> coders = parameter("coder").stream()
                    .filter(coder -> Coder.has(coder, spec, operation))
                    .toList();
            Map<String, List<Score>> scores = new LinkedHashMap<>();
            for (int round = 0; round < rounds; round++) {
                for (String coder : coders) {
                    scores.computeIfAbsent(coder, c -> new ArrayList<>()).add(score(operation, spec, cells, coder));
                }
            }
            scores.forEach((coder, all) -> OUT.println(line(spec, coder, all, scores)));
        }
    }

    private Score score(String operation, CodeSpec spec, String cells, String coder) throws RunnerException {
        // Not with the command line as parent: its pattern would be added to this one. What of it matters here is
        // named.
        ChainedOptionsBuilder builder = new OptionsBuilder()
                .include("^" + Pattern.quote(CodecBenchmark.class.getName() + "." + operation) + "$")
                .param("code", spec.toString())
                .param("cells", cells)
                .param("coder", coder)
                .forks(0)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .addProfiler(GCProfiler.class);
        if (options.getMeasurementTime().hasValue()) {
            builder.measurementTime(options.getMeasurementTime().get());
        }
        if (options.getMeasurementIterations().hasValue()) {
            builder.measurementIterations(options.getMeasurementIterations().get());
        }
        RunResult result = new Runner(builder.build()).runSingle();
        double nanoseconds = CodecBenchmark.cpuNanosPerCall(
                result.getParams().getMeasurement().getCount());
        Optional<Double> allocated = result.getSecondaryResults().values().stream()
                .filter(secondary -> secondary.getLabel().endsWith("gc.alloc.rate.norm"))
                .map(secondary -> secondary.getScore())
                .findFirst();
        return new Score(
                CodecBenchmark.bytes(operation, spec, cells, coder) / nanoseconds,
                allocated.orElse(Double.NaN) / CodecBenchmark.batch(spec, cells));
    }

    private static String line(CodeSpec spec, String coder, List<Score> all, Map<String, List<Score>> scores) {
        StringBuilder line = new StringBuilder();
        double median = median(all);
        line.append(String.format(Locale.ROOT, "  %-16s %-10s %7.2f", spec, coder, median));
        for (String peer : List.of("isal-loop", "hadoop", "jerasure")) {
            if (!peer.equals(coder) && scores.containsKey(peer)) {
                line.append(String.format(Locale.ROOT, "   %6.2f x %s", median / median(scores.get(peer)), peer));
            }
        }
        double allocated = all.stream().mapToDouble(Score::allocatedBytes).min().orElseThrow();
        return line.append(String.format(Locale.ROOT, "   %.0f B/stripe", allocated))
                .toString();
    }

    private static double median(List<Score> all) {
        return median(all.stream().mapToDouble(Score::gigabytesPerSecond));
    }

    static double median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
