package io.ecfs.console.command.torture;

import io.ecfs.bench.system.OwnCluster;
import io.ecfs.console.command.option.ProgressLine;
import io.ecfs.console.view.TextTable;
import io.ecfs.env.Environment;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.layout.Policy;
import io.ecfs.torture.Torture;
import io.ecfs.torture.Torture.Judgement;
import io.ecfs.torture.TortureCluster;
import io.ecfs.torture.TorturePlan;
import io.ecfs.torture.check.HistoryCheck;
import io.ecfs.torture.check.Verdict;
import io.ecfs.torture.fault.Fault;
import io.ecfs.torture.fault.Shape;
import io.ecfs.torture.fault.driver.Faults;
import io.ecfs.torture.history.Call;
import io.ecfs.torture.history.HistoryFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ecfs torture}: see {@link Torture}. */
@Command(
        name = "torture",
        description = {
            "Clients on few shared paths while faults of all kinds hurt the cluster, within what it promises to"
                    + " survive;",
            "then every answer is checked.",
            "",
            "Starts a cluster of its own. Fails (1) when no order of the calls explains all answers"
                    + " (linearizability), when",
            "an acknowledged byte is missing or a wrong one was read, also with m datanodes away, or when something"
                    + " is not",
            "healed, closed or gone within minutes; it prints the seed, the fewest calls that contradict each other,"
                    + " and",
            "how to replay them, and the cluster's directory stays with all logs. Ends with 3 when nothing is wrong,"
                    + " but",
            "some calls have more orders than could be tried."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  ecfs torture                                         ten minutes",
            "  ecfs torture --seed 7 --minutes 1 --faults kill-leader,kill-datanode"
        })
public final class TortureCommand implements Callable<Integer> {
    /** Neither done (0) nor failed (1). */
    private static final int UNDECIDED = 3;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--shape",
            paramLabel = "SHAPE",
            description = {
                "How the cluster runs: processes (one JVM each), or one (all in this process, on disks in memory,"
                        + " whose",
                "disks, clocks and links fail too); default: ${DEFAULT-VALUE}."
            })
    private Shape shape = Shape.PROCESSES;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Of the calls and the faults (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(names = "--minutes", paramLabel = "M", description = "Length of the load (default: ${DEFAULT-VALUE}).")
    private double minutes = 10;

    @Option(
            names = "--history",
            paramLabel = "FILE",
            description = "Write all calls to FILE, a line of JSON each, and to FILE.edn for Knossos and Porcupine.")
    private Path history;

    @Option(
            names = "--faults",
            paramLabel = "NAME",
            split = ",",
            description = "Only these, first in this order, instead of all that the shape can have.")
    private List<String> faults;

    @Option(names = "--keep", description = "Leave the cluster's directory also when all is well.")
    private boolean keep;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Make the cluster's directory in this one (default: the system's for temporary files).")
    private Path parent;

    @Override
    public Integer call() throws Exception {
        List<Fault> chosen = faults == null
                ? Faults.shuffled(Faults.of(shape), new SplittableRandom(seed))
                : Faults.named(faults, shape);
        TorturePlan plan = new TorturePlan(
                shape, seed, Duration.ofMillis((long) (minutes * 60_000)), Policy.parse("rs-3-2-64k"), chosen);
        ProgressLine progress = new ProgressLine(spec.commandLine().getErr());
        Environment environment = RealEnvironment.open();
        try (TortureCluster cluster = TortureCluster.start(plan, Optional.ofNullable(parent), environment, progress)) {
            return run(plan, cluster, environment, progress);
        }
    }

    private int run(TorturePlan plan, TortureCluster cluster, Environment environment, ProgressLine progress)
            throws Exception {
        boolean well = false;
        try {
            Path calls = history == null ? cluster.own().directory().resolve("history.jsonl") : history;
            Torture.Outcome outcome = new Torture(plan, cluster, environment.clock(), calls, progress::torture).run();
            progress.clear();
            show(plan, cluster.own(), outcome);
            well = outcome.judgement() == Judgement.WELL;
            return code(outcome.judgement());
        } finally {
            progress.clear();
            PrintWriter err = spec.commandLine().getErr();
            if (!well) {
                err.println("replay: " + replay(plan));
            }
            if (!well || keep) {
                err.println("data, calls and logs stay in " + cluster.own().keep());
            }
            err.flush();
        }
    }

    static int code(Judgement judgement) {
        return switch (judgement) {
            case WELL -> 0;
            case FAILED -> 1;
            case UNDECIDED -> UNDECIDED;
        };
    }

    private String replay(TorturePlan plan) {
        return String.format(
                Locale.ROOT,
                "ecfs torture --shape %s --seed %d --minutes %s --faults %s",
                shape.name().toLowerCase(Locale.ROOT),
                seed,
                minutes,
                Faults.names(plan.faults()).replace(" ", ""));
    }

    private void show(TorturePlan plan, OwnCluster cluster, Torture.Outcome outcome) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(cluster.description() + "; policy " + plan.policy() + ", seed " + seed);
        out.println();
        out.print(table("CALL AND RESULT", outcome.counts()));
        out.println();
        out.print(table("FAULT", outcome.faults()));
        out.println();
        outcome.problems().forEach(problem -> out.println("PROBLEM: " + problem));
        outcome.check().impossible().forEach(part -> show(out, part));
        conclude(out, outcome);
        out.flush();
    }

    /** The line that says what the run shows. */
    static void conclude(PrintWriter out, Torture.Outcome outcome) {
        HistoryCheck.Result check = outcome.check();
        check.undecided()
                .forEach(part -> out.println("UNDECIDED: a part of " + part.calls()
                        + " calls has more orders than were tried (" + part.configurations() + " configurations)"));
        String decided = check.parts() - check.undecided().size() + " of " + check.parts() + " parts";
        switch (outcome.judgement()) {
            case WELL ->
                out.println("one order explains all answers in " + decided
                        + "; everything was read back, healed and closed");
            case UNDECIDED ->
                out.println("undecided: only " + decided + " could be decided, and nothing is wrong in those; "
                        + "try other seeds, or fewer --minutes");
            case FAILED -> {}
        }
    }

    private static void show(PrintWriter out, Verdict.Impossible part) {
        out.println("IMPOSSIBLE: no order of these " + part.calls().size() + " calls explains all answers");
        for (Call call : part.calls()) {
            out.println((part.stuck().contains(call) ? "  > " : "    ") + HistoryFile.line(call));
        }
    }

    private static TextTable table(String name, Map<String, Integer> counts) {
        TextTable table = new TextTable(name, "TIMES");
        counts.forEach((key, count) -> table.row(key, count));
        return table;
    }
}
