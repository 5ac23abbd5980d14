package io.ecfs.console.command.bench;

import io.ecfs.bench.meter.MemoryWatch;
import io.ecfs.bench.soak.Soak;
import io.ecfs.bench.soak.SoakMemory;
import io.ecfs.bench.soak.SoakPlan;
import io.ecfs.bench.system.OwnCluster;
import io.ecfs.console.command.option.PolicyName;
import io.ecfs.console.command.option.ProgressLine;
import io.ecfs.console.local.ClusterPlan;
import io.ecfs.console.local.LocalCluster;
import io.ecfs.console.view.TextTable;
import io.ecfs.layout.Policy;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Checks that a cluster under load and faults stays within its memory and loses nothing. */
@Command(
        name = "soak",
        description = {
            "Mixed load on a cluster of its own with little memory, while datanodes and the leader are killed (-9) and",
            "stopped one after the other. Then everything is read back and compared.",
            "",
            "Fails (1) when a byte differs, a file cannot be read back, a daemon ends by itself, a process takes more"
                    + " memory",
            "than it is configured with, or a buffer or a reserved byte is not given back; the cluster's directory"
                    + " stays then."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  ecfs soak                              half an hour",
            "  ecfs soak --minutes 1 --policy rs-3-2-64k"
        })
public final class SoakCommand implements Callable<Integer> {
    private static final double MIB = 1 << 20;

    @Spec
    private CommandSpec spec;

    @Option(names = "--minutes", paramLabel = "M", description = "Length of the load (default: ${DEFAULT-VALUE}).")
    private double minutes = 30;

    @Option(
            names = "--calm",
            paramLabel = "S",
            description =
                    "Seconds between a cluster that is whole again and the next fault (default: ${DEFAULT-VALUE}).")
    private double calm = 3;

    @Option(names = "--threads", paramLabel = "N", description = "Threads of load (default: ${DEFAULT-VALUE}).")
    private int threads = 8;

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            converter = PolicyName.class,
            defaultValue = "rs-3-2-256k",
            description = "How files are coded (default: ${DEFAULT-VALUE}).")
    private Policy policy;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Of the load and the order of victims (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Make the cluster's directory in this one (default: the system's for temporary files).")
    private Path parent;

    @Override
    public Integer call() throws Exception {
        SoakPlan plan = new SoakPlan(policy, seconds(minutes * 60), seconds(calm), threads, seed);
        ProgressLine progress = new ProgressLine(spec.commandLine().getErr());
        ClusterPlan.Shape shape = new ClusterPlan.Shape(policy, plan.namenodes(), plan.datanodes(), 1, 1, 0);
        try (OwnCluster cluster = OwnCluster.start(
                Optional.ofNullable(parent),
                shape,
                LocalCluster.Mode.PROCESS_EACH,
                plan.daemonSettings(),
                plan.storedBytes(),
                progress)) {
            return run(plan, cluster, progress);
        }
    }

    /** Runs the soak; a failure leaves the cluster's directory for analysis. */
    private int run(SoakPlan plan, OwnCluster cluster, ProgressLine progress) throws Exception {
        boolean well = false;
        try {
            Soak.Outcome outcome = new Soak(plan, cluster, progress::soak).run();
            progress.clear();
            show(cluster, outcome);
            well = outcome.problems().isEmpty();
            return well ? 0 : 1;
        } finally {
            progress.clear();
            if (!well) {
                spec.commandLine().getErr().println("data and logs stay in " + cluster.keep());
            }
        }
    }

    private static Duration seconds(double seconds) {
        return Duration.ofMillis((long) (seconds * 1000));
    }

    private void show(OwnCluster cluster, Soak.Outcome outcome) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(cluster.description() + "; policy " + policy + ", seed " + seed);
        TextTable counts = new TextTable("DONE", "TIMES OR BYTES");
        outcome.counts().forEach((name, count) -> counts.row(name, count));
        out.println();
        out.print(counts);
        TextTable memory =
                new TextTable("PROCESS", "RSS PEAK", "OF MiB", "HEAP PEAK", "OF MiB", "DIRECT PEAK", "OF MiB");
        for (SoakMemory process : outcome.memory()) {
            MemoryWatch.Worst worst = process.worst();
            memory.row(
                    process.process(),
                    mib(worst.residentBytes()),
                    mib(process.residentLimitBytes()),
                    mib(worst.heapBytes()),
                    mib(worst.heapLimitBytes()),
                    mib(worst.directBytes()),
                    mib(worst.directLimitBytes()));
        }
        out.println();
        out.print(memory);
        out.println();
        outcome.failures().forEach(failure -> out.println("a call failed: " + failure));
        outcome.problems().forEach(problem -> out.println("PROBLEM: " + problem));
        if (outcome.problems().isEmpty()) {
            out.println("every byte came back, every process stayed within its memory, nothing is left in use");
        }
        out.flush();
    }

    private static String mib(long bytes) {
        return String.valueOf(Math.round(bytes / MIB));
    }
}
