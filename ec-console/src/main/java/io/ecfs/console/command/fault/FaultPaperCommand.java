package io.ecfs.console.command.fault;

import io.ecfs.bench.bed.recovery.DatanodeHardware;
import io.ecfs.bench.bed.recovery.RecoveryFigures;
import io.ecfs.bench.bed.recovery.RecoveryReport;
import io.ecfs.bench.bed.recovery.ShownFigure;
import io.ecfs.bench.report.Table;
import io.ecfs.console.command.option.ByteCount;
import io.ecfs.console.command.option.ProgressLine;
import io.ecfs.fault.paper.PaperRun;
import io.ecfs.fault.paper.Scale;
import io.ecfs.fault.profile.LabCluster;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Regenerates the figures of ECFault. */
@Command(
        name = "paper",
        description = {
            "The figures of Han et al., Revisiting Erasure Codes: A Configuration Perspective (HotStorage 2024), on"
                    + " clusters of one's own, scaled to this machine, and on a bed at the paper's scale:",
            "PAPER is what its text says of Ceph, OURS this file system, LIMIT the least that is possible.",
            "Figures are 2a (caches), 2b (groups), 2c (cells), 2d (failures), 3 (timeline), t3 (write amplification)."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  ecfs fault paper --quick",
            "  ecfs fault paper 2c 2d --size 4g --out results",
            "  ecfs fault paper 3 --processes --only cluster"
        })
final class FaultPaperCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FIG", arity = "0..*", description = "Figures (default: all).")
    private List<String> words = new ArrayList<>();

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description = "User bytes of each cluster (default: 1100m; quick: 64m).")
    private Long size;

    @Option(names = "--reps", paramLabel = "N", description = "Repetitions (default: 3; quick: 1).")
    private Integer repetitions;

    @Option(
            names = "--processes",
            description =
                    "One JVM for each daemon instead of one for all: a kill is a SIGKILL, and is noticed at once.")
    private boolean processes;

    @Option(
            names = "--only",
            paramLabel = "WHERE",
            description = "Only on clusters (cluster), or only on the bed (bed): a real namenode in virtual time over"
                    + " modelled hardware, at the paper's scale.")
    private Where only;

    /** Where figures are regenerated. */
    enum Where {
        CLUSTER,
        BED
    }

    @Option(
            names = "--quick",
            description = "Small, once, and only the settings that decide a figure. Shows that all of it works.")
    private boolean quick;

    @Mixin
    private LabOptions lab;

    @Override
    public Integer call() throws Exception {
        List<String> figures = words.isEmpty() ? PaperRun.words() : words;
        figures.forEach(PaperRun::requireFigure);
        ProgressLine progress = new ProgressLine(spec.commandLine().getErr());
        List<Table> tables = new ArrayList<>();
        List<String> problems;
        try (ReportFiles files = ReportFiles.in(lab.out(), "ECFault, " + String.join(" ", figures))) {
            PaperRun run = new PaperRun(scale(), lab.parent(), progress::fault, progress, files::add);
            RecoveryFigures bed = new RecoveryFigures(quick, DatanodeHardware.Visits.EACH_RUN);
            for (String word : figures) {
                if (only != Where.BED) {
                    tables.add(run.run(word));
                }
                if (only != Where.CLUSTER && ShownFigure.words().contains(word)) {
                    progress.fault(word + " on the bed");
                    RecoveryReport report = bed.of(ShownFigure.of(word));
                    tables.add(report.table());
                    report.figures().forEach(files::add);
                }
            }
            problems = run.problems();
            files.finish(List.of(), tables);
        } finally {
            progress.clear();
        }
        PrintWriter out = spec.commandLine().getOut();
        ReportFiles.lines(tables, problems).forEach(out::println);
        out.flush();
        return problems.isEmpty() ? 0 : 1;
    }

    private Scale scale() {
        LabCluster.Shape shape = processes ? LabCluster.Shape.PROCESSES : LabCluster.Shape.ONE;
        Scale usual = quick ? Scale.quick() : Scale.usual(shape);
        return new Scale(
                shape,
                size != null ? size : usual.bytes(),
                repetitions != null ? repetitions : usual.repetitions(),
                usual.all());
    }
}
