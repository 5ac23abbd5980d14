package io.ecfs.console.command.fault;

import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.Table;
import io.ecfs.console.command.option.ProgressLine;
import io.ecfs.fault.lab.ExperimentReport;
import io.ecfs.fault.lab.ExperimentResult;
import io.ecfs.fault.lab.FaultLab;
import io.ecfs.fault.lab.Sensitivity;
import io.ecfs.fault.lab.SweepPoint;
import io.ecfs.fault.profile.FaultProfile;
import io.ecfs.fault.profile.FaultSweep;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs all combinations of a sweep. */
@Command(
        name = "sweep",
        description = {
            "Run a profile with all combinations of some settings, and tell which of them matters most.",
            "The file names the profile and gives the settings' values: {profile: kill.yaml, settings:"
                    + " {datanode.repair.slicesAtOnce: [1, 4]}}."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:every byte was read back", "1:something was lost, failed, or could not be run"})
final class FaultSweepCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "SWEEP", description = "File with the sweep, YAML or JSON.")
    private Path file;

    @Mixin
    private LabOptions lab;

    @Override
    public Integer call() throws Exception {
        FaultSweep sweep = FaultSweep.read(file);
        List<Map<String, String>> combinations = sweep.combinations();
        Map<Map<String, String>, FaultProfile> profiles = new LinkedHashMap<>();
        for (Map<String, String> combination : combinations) {
            profiles.put(combination, sweep.profile(file, combination)); // all are checked before any is run
        }
        ProgressLine progress = new ProgressLine(spec.commandLine().getErr());
        List<ExperimentResult> results = new ArrayList<>();
        List<SweepPoint> points = new ArrayList<>();
        try (ReportFiles files = ReportFiles.in(lab.out(), "sweep " + file)) {
            for (Map.Entry<Map<String, String>, FaultProfile> one : profiles.entrySet()) {
                List<ExperimentResult> its = new ArrayList<>();
                new FaultLab(one.getValue(), lab.parent(), progress::fault, progress).run(result -> {
                    its.add(result.with(one.getKey()));
                    ExperimentReport.figures(result).forEach(figure -> files.add(with(figure, one.getKey())));
                });
                points.add(new SweepPoint(one.getKey(), its));
                results.addAll(its);
            }
            progress.clear();
            List<Table> tables = List.of(SweepPoint.table(points), Sensitivity.table(Sensitivity.of(points)));
            files.finish(results, tables);
            PrintWriter out = spec.commandLine().getOut();
            ReportFiles.lines(tables, ExperimentReport.notes(results)).forEach(out::println);
            out.flush();
        } finally {
            progress.clear();
        }
        return LabOptions.exitCode(results);
    }

    private static Figure with(Figure figure, Map<String, String> settings) {
        Map<String, Object> params = new LinkedHashMap<>(figure.params());
        params.putAll(settings);
        return new Figure(figure.name(), figure.value(), figure.unit(), params);
    }
}
