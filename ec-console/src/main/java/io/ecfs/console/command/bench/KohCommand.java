package io.ecfs.console.command.bench;

import io.ecfs.bench.koh.ImageState;
import io.ecfs.bench.koh.KohFigure;
import io.ecfs.bench.koh.KohFigures;
import io.ecfs.bench.koh.KohOptions;
import io.ecfs.bench.koh.KohPlan;
import io.ecfs.bench.koh.Mix;
import io.ecfs.bench.koh.RequestSizes;
import io.ecfs.bench.koh.run.KohReport;
import io.ecfs.bench.koh.run.KohResults;
import io.ecfs.bench.koh.run.KohRun;
import io.ecfs.bench.koh.run.KohSetting;
import io.ecfs.bench.koh.run.UpdateSetting;
import io.ecfs.bench.report.Table;
import io.ecfs.client.update.UpdateOptions;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.config.Nearest;
import io.ecfs.console.command.option.ByteCount;
import io.ecfs.console.command.option.PolicyName;
import io.ecfs.console.command.option.ProgressLine;
import io.ecfs.console.view.TextTable;
import io.ecfs.layout.Policy;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures the figures of Koh et al. on a cluster of its own. */
@Command(
        name = "koh",
        description = {
            "The figures of Koh et al., Exploring fault-tolerant erasure codes for scalable all-flash array clusters"
                    + " (2018):",
            "PAPER is their RS(6,3) on Ceph beside three copies, RULES what Ceph's design gives for the requests that"
                    + " were measured here,",
            "OURS this file system, LIMIT what the bytes alone allow. Files are written, read and updated in place; all"
                    + " that is read is compared.",
            "Figures are fig7 to fig29 and fig46, patches (ours alone), the mixes db, vdi, eda and vda, or all."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  ecfs bench koh --quick",
            "  ecfs bench koh fig7 fig10 --sizes 4k,64k --size 1g --seconds 10 --json koh.jsonl --html koh.html",
            "  ecfs bench koh fig16 --sizes 4k --sync",
            "  ecfs bench koh fig15 fig16 --sizes 4k --spare 100               # without compaction",
            "  ecfs bench koh --mix db,vdi --size 1g --seconds 10 --reps 1"
        })
final class KohCommand implements Callable<Integer> {
    private static final int DATANODES = 24;
    private static final int QUICK_DATANODES = 12;
    private static final long QUICK_SIZE = 64L << 20;
    private static final double QUICK_SECONDS = 0.15;
    private static final List<Integer> QUICK_SIZES = List.of(4 << 10);

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FIG", arity = "0..*", description = "Figures (with --quick: all).")
    private List<String> figures = new ArrayList<>();

    @Option(
            names = "--policies",
            paramLabel = "NAME",
            split = ",",
            converter = PolicyName.class,
            description = "Take turns (default: rs-6-3-64k,rs-4-2-64k,replication-3-64k).")
    private List<Policy> policies = new ArrayList<>();

    @Option(
            names = "--sizes",
            paramLabel = "BYTES",
            description = "Of requests: 4k,64k or, each twice the one before, 1k..1m (default: 1k..1m; quick: 4k).")
    private String sizes;

    @Option(
            names = "--depth",
            paramLabel = "N",
            split = ",",
            description = "Requests under way (default: 256; of fig10 and fig16 also 1).")
    private List<Integer> depths = new ArrayList<>();

    @Option(
            names = "--state",
            paramLabel = "STATE",
            split = ",",
            description = "Of the file that is written: pristine, overwrite (default: both).")
    private List<String> states = new ArrayList<>();

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description = "Of the file (default: 4g; quick: 64m).")
    private Long size;

    @Option(names = "--seconds", paramLabel = "S", description = "Of each stage (default: 30).")
    private Double seconds;

    @Option(names = "--sync", description = "Writes are acknowledged when they are on disk.")
    private boolean sync;

    @Option(
            names = "--spare",
            paramLabel = "SHARE",
            description = "Dead bytes that an updated file tolerates, as a share of its live ones: more are reclaimed"
                    + " (default: 0.5; 100: none is).")
    private double spare = UpdateOptions.DEFAULT_SPARE;

    @Option(
            names = "--age",
            paramLabel = "N",
            description = "A file that is overwritten was overwritten N times before, at random: from about 2 on,"
                    + " reclaiming costs what it costs for good (default: 0).")
    private double age;

    @Option(
            names = "--mix",
            paramLabel = "NAME",
            split = ",",
            description = "Mixes of operations, as figures: db, vdi, eda, vda.")
    private List<String> mixes = new ArrayList<>();

    @Option(
            names = "--trace",
            paramLabel = "DIR",
            description = "Write the calls of each volume there: lines of 'ns op file offset bytes',"
                    + " and in stages.tsv when each stage ran.")
    private Path trace;

    @Option(
            names = "--quick",
            description =
                    "Small and once: files of 64 MiB, 0.15 s of each stage, 12 datanodes, disks not flushed between"
                            + " stages. Shows that all of it works, not how fast.")
    private boolean quick;

    @Option(
            names = "--datanodes",
            paramLabel = "N",
            description = "Datanodes, dealt over four racks (default: 24; quick: 12).")
    private Integer datanodes;

    @Option(
            names = "--processes",
            description =
                    "One JVM for each daemon instead of one for all and the client; volumes are not counted then.")
    private boolean processes;

    @Mixin
    private OwnClusterOptions cluster = new OwnClusterOptions();

    @Mixin
    private FigureOptions output = new FigureOptions();

    @Override
    public Integer call() throws Exception {
        KohPlan plan = plan();
        KohSetting setting = new KohSetting(
                datanodes != null ? datanodes : quick ? QUICK_DATANODES : DATANODES,
                processes,
                new UpdateSetting(sync, spare, age),
                !quick,
                Optional.ofNullable(trace),
                cluster.parent(),
                cluster.overrides());
        KohRun run = new KohRun(plan, setting);
        List<String> lines = new ArrayList<>(List.of(describe(plan.options(), setting.updates())));
        ProgressLine progress = new ProgressLine(spec.commandLine().getErr());
        try (FigureOptions.Collected collected = output.collect()) {
            KohResults results = run.run(collected::add, lines::add, progress::bench, progress);
            progress.clear();
            List<Table> tables = KohReport.tables(plan, results);
            show(lines, tables);
            output.writePage(lines, tables, collected.all());
        } finally {
            progress.clear();
        }
        return 0;
    }

    private KohPlan plan() {
        KohOptions usual = KohOptions.usual();
        return new KohPlan(
                figures(),
                new KohOptions(
                        policies.isEmpty() ? usual.policies() : policies,
                        sizes != null ? RequestSizes.parse(sizes) : quick ? QUICK_SIZES : usual.sizes(),
                        depths,
                        states.isEmpty()
                                ? usual.states()
                                : states.stream().map(KohCommand::state).toList(),
                        size != null ? size : quick ? QUICK_SIZE : usual.fileBytes(),
                        seconds != null ? seconds : quick ? QUICK_SECONDS : usual.seconds(),
                        output.repetitions(quick, usual.repetitions())));
    }

    private List<KohFigure> figures() {
        List<String> words = new ArrayList<>(figures);
        mixes.forEach(mix -> words.add(Mix.parse(mix).word()));
        return KohFigures.parse(words.isEmpty() && quick ? List.of(KohFigures.EVERY) : words);
    }

    private static ImageState state(String word) {
        List<String> known = ImageState.WRITTEN.stream().map(ImageState::word).toList();
        return ImageState.WRITTEN.stream()
                .filter(one -> one.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no --state '" + word + "', did you mean '"
                        + Nearest.to(word, known) + "'? There are " + String.join(", ", known)));
    }

    private static String describe(KohOptions options, UpdateSetting updates) {
        return "Koh et al. (2018): files of " + TextTable.bytes(options.fileBytes()) + ", " + options.seconds()
                + " s a stage, " + options.repetitions() + " repetitions, writes "
                + updates.text() + "; codec "
                + Kernels.best().description();
    }

    private void show(List<String> lines, List<Table> tables) {
        PrintWriter out = spec.commandLine().getOut();
        lines.forEach(out::println);
        for (Table table : tables) {
            out.println();
            out.println(table.title());
            out.print(FigureOptions.text(table));
        }
        out.flush();
    }
}
