package io.ecfs.console.command.bench;

import io.ecfs.bench.relays.RelayBench;
import io.ecfs.bench.relays.RelayPlan;
import io.ecfs.bench.relays.RelayResult;
import io.ecfs.bench.report.Table;
import io.ecfs.console.command.option.ByteCount;
import io.ecfs.console.command.option.PolicyName;
import io.ecfs.console.command.option.ProgressLine;
import io.ecfs.console.view.TextTable;
import io.ecfs.layout.Policy;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of {@code ecfs bench relays}, and its table. */
final class RelaysOptions {
    private static final int WRITERS = 1000;
    private static final int QUICK_WRITERS = 50;
    private static final int FILE = 150_000; // no whole number of stripes
    private static final int QUICK_FILE = 100_000;

    @Mixin
    private OwnClusterOptions cluster = new OwnClusterOptions();

    @Option(
            names = "--writers",
            paramLabel = "N",
            description = "That write a file each at the same time (default: 1000; quick: 50).")
    private Integer writers;

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            converter = PolicyName.class,
            defaultValue = "rs-4-2-4k",
            description = "How files are coded (default: ${DEFAULT-VALUE}).")
    private Policy policy;

    @Option(
            names = "--file-size",
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description = "Of one file, six stripes to 64 MiB (default: 150000; quick: 100000).")
    private Long fileBytes;

    @Option(
            names = "--clients",
            paramLabel = "N",
            defaultValue = "4",
            description = "That the writers share (default: ${DEFAULT-VALUE}).")
    private int clients;

    @Option(names = "--quick", description = "Fewer writers and smaller files.")
    private boolean quick;

    @Mixin
    private FigureOptions output = new FigureOptions();

    int run(CommandLine command) throws Exception {
        if (output.repetitions(quick, 1) != 1) {
            throw new IllegalArgumentException("relays shows bounds, which one run does: leave --reps out");
        }
        RelayPlan plan = new RelayPlan(
                policy,
                writers != null ? writers : quick ? QUICK_WRITERS : WRITERS,
                (int) Math.min(Integer.MAX_VALUE, fileBytes != null ? fileBytes : quick ? QUICK_FILE : FILE),
                clients,
                cluster.parent(),
                cluster.overrides());
        String setting = plan.writers() + " writers of " + TextTable.bytes(plan.fileBytes()) + " under " + plan.policy()
                + " by " + plan.clients() + " clients, one namenode and "
                + plan.policy().chunks() + " datanodes, all in this process";
        ProgressLine progress = new ProgressLine(command.getErr());
        PrintWriter out = command.getOut();
        List<RelayResult> results = new ArrayList<>();
        try (FigureOptions.Collected figures = output.collect()) {
            new RelayBench(plan)
                    .run(
                            result -> {
                                results.add(result);
                                result.figures().forEach(figures::add);
                            },
                            progress::bench,
                            progress);
            progress.clear();
            Table table = RelayResult.table(results);
            out.println(setting);
            out.println();
            out.println(table.title());
            out.print(FigureOptions.text(table));
            out.flush();
            output.writePage(List.of(setting), figures.all());
        } finally {
            progress.clear();
        }
        return 0;
    }
}
