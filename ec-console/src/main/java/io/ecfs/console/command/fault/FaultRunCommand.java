package io.ecfs.console.command.fault;

import io.ecfs.bench.report.Table;
import io.ecfs.console.command.option.ProgressLine;
import io.ecfs.fault.lab.ExperimentReport;
import io.ecfs.fault.lab.ExperimentResult;
import io.ecfs.fault.lab.FaultLab;
import io.ecfs.fault.profile.FaultProfile;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a profile. */
@Command(
        name = "run",
        description = {
            "Run a profile on a cluster of its own: write the load, inject the faults, wait until each is healed, undo"
                    + " it, and read every byte back.",
            "Ctrl-C undoes all faults and removes the cluster."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:every byte was read back", "1:something was lost, failed, or could not be run"})
final class FaultRunCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ProfileOptions options;

    @Option(names = "--sim", description = "In virtual time, on disks in memory: as 'cluster.shape: sim'.")
    private boolean sim;

    @Mixin
    private LabOptions lab;

    @Override
    public Integer call() throws Exception {
        FaultProfile profile = options.read(sim ? List.of("cluster.shape=sim") : List.of());
        ProgressLine progress = new ProgressLine(spec.commandLine().getErr());
        List<ExperimentResult> results = new ArrayList<>();
        try (ReportFiles files = ReportFiles.in(lab.out(), "profile " + options.file())) {
            new FaultLab(profile, lab.parent(), progress::fault, progress).run(result -> {
                results.add(result);
                ExperimentReport.figures(result).forEach(files::add);
            });
            progress.clear();
            List<Table> tables = List.of(ExperimentReport.table(results), ExperimentReport.faults(results));
            files.finish(results, tables);
            PrintWriter out = spec.commandLine().getOut();
            ReportFiles.lines(tables, ExperimentReport.notes(results)).forEach(out::println);
            out.flush();
        } finally {
            progress.clear();
        }
        return LabOptions.exitCode(results);
    }
}
