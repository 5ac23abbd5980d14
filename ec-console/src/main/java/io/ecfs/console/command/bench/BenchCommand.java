package io.ecfs.console.command.bench;

import io.ecfs.bench.Bench;
import io.ecfs.bench.BenchPlan;
import io.ecfs.bench.WorkloadKind;
import io.ecfs.bench.bed.AccessTrace;
import io.ecfs.bench.bed.BedPlan;
import io.ecfs.bench.report.Comparison;
import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.FigureFile;
import io.ecfs.bench.report.Summary;
import io.ecfs.bench.report.Table;
import io.ecfs.bench.report.Tables;
import io.ecfs.bench.system.Target;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.console.command.option.ProgressLine;
import java.io.IOException;
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

/** Measures how fast a cluster is, and what that costs. */
@Command(
        name = "bench",
        description = {
            "Measure workloads, with what every process uses up: CPU, context switches, bytes, memory.",
            "Without --cluster it starts a cluster of its own and removes it again.",
            "",
            "Workloads:",
            "  seqwrite   write files from one end to the other",
            "  seqread    read them: from the disk (as root) and from the page cache",
            "  pread      read 4 KiB, 64 KiB, 1 MiB at random places",
            "  degraded   read while datanodes are stopped (own cluster only)",
            "  drain      the same preads beside the decommissioning of a datanode (own cluster only)",
            "  slow       read while one datanode answers late, with and without hedging",
            "  small      write, then read many files",
            "  meta       mkdirs, create, open, status, list, rename, delete",
            "  mixed      random reads, small files and status calls at the same time",
            "  all        all of these",
            "  convert    convert large and small files to replication and back, alone and beside preads (not in all)",
            "  append     append to a file again and again, then wait until it is joined (not in all)",
            "  recovery   kill one datanode and wait until nothing is missing (own cluster only; alone)",
            "",
            "Access plans beside random reads and replicas, in simulated time or on a cluster (see 'ecfs bench ycsb-e"
                    + " --help'):",
            "  ycsb-e     scans of ranges of keys",
            "  wiki       pages of images",
            "",
            "Many writers through one datanode, which encodes for them (see 'ecfs bench relays --help'):",
            "  relays     its memory within and above its bounds, and what becomes of writers that it refuses",
            "",
            "Tables and figures of a study of writes, in simulated time (see 'ecfs bench exstorus --help'):",
            "  exstorus   the five steps of a write, its rate by network, side and code, beside Kim et al.",
            "",
            "Figures of a study of reads and writes on different flash devices (see 'ecfs bench erails --help'):",
            "  erails     what rings of volumes that take turns in writing give reads, beside Skourtis et al.",
            "  device     what the device of a directory gives reads beside writes (see 'ecfs bench device --help')",
            "",
            "Figures of a study of online coding on flash (see 'ecfs bench koh --help'):",
            "  koh        requests and mixes on files that are updated in place, beside Koh et al."
        },
        mixinStandardHelpOptions = true,
        subcommands = KohCommand.class,
        footer = {
            "",
            "Examples:",
            "  ecfs bench --quick all                                     everything, small: four minutes, three of"
                    + " them the drain",
            "  ecfs bench seqwrite seqread --json ours.json --html ours.html",
            "  ecfs bench seqwrite --compare rs-6-3-1024k,replication-3   policies take turns",
            "  ecfs bench pread --threads 1,8 --pread-size 4k --seconds 10 --cluster prod",
            "  ecfs bench small --number 10000 --file-size 100k --processes",
            "  ecfs bench recovery --size 4g --processes",
            "  ecfs bench convert --size 10g --number 2000 --processes",
            "  ecfs bench append --number 1000 --file-size 1000",
            "  ecfs bench compare before.json after.json                  what changed; also reads the HDFS peer's"
                    + " files"
        })
public final class BenchCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "WORKLOAD", arity = "0..*", description = "See above; several run one after the other.")
    private List<String> workloads = new ArrayList<>();

    @Mixin
    private BenchOptions options = new BenchOptions();

    @Option(names = "--details", description = "Also print who exchanged how much with whom; the page always has it.")
    private boolean details;

    @Override
    public Integer call() throws Exception {
        BenchPlan plan = options.plan(WorkloadKind.parse(workloads));
        options.requireOwnClusterFor(plan);
        ClientConfig client = options.client();
        ProgressLine progress = new ProgressLine(spec.commandLine().getErr());
        try (FigureOptions.Collected figures = options.figures().collect();
                Target target = options.target(plan, progress)) {
            new Bench(plan, target, client).run(figures::add, progress::bench);
            progress.clear();
            show(plan, target, figures.all());
        }
        return 0;
    }

    private void show(BenchPlan plan, Target target, List<Figure> figures) throws IOException {
        List<String> setting = List.of(
                target.description(),
                "codec " + Kernels.best().description() + "; JVM "
                        + Runtime.version() + "; "
                        + Runtime.getRuntime().availableProcessors() + " processors",
                "MB and GB are powers of ten; B/B is bytes for each byte of user data; op is 1 MiB in sequential runs");
        List<Summary> summaries = Summary.of(figures);
        PrintWriter out = spec.commandLine().getOut();
        setting.forEach(out::println);
        print(Tables.figures(summaries));
        if (plan.policies().size() > 1) {
            print(Tables.policies(summaries));
        }
        print(Tables.processes(summaries));
        print(Tables.steps(summaries));
        if (details) {
            print(Tables.flows(summaries));
        }
        options.figures().writePage(setting, figures);
    }

    @Command(
            name = "ycsb-e",
            description = {
                "Scans of ranges of keys under EC-Store's configurations, on its test bed in simulated time or on a"
                        + " cluster:",
                "first keys drawn uniformly to warm up, then by a power law, which is measured."
            },
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs bench ycsb-e --quick",
                "  ecfs bench ycsb-e --config EC,EC+C --failed 0,1,2",
                "  ecfs bench ycsb-e --bed cluster --quick",
                "  ecfs bench ycsb-e --quick --config EC+C --time-planning"
            })
    int ycsbE(@Mixin BedOptions bed) throws IOException {
        return bed.run(BedPlan.Work.YCSB_E, spec.commandLine());
    }

    @Command(
            description = {
                "Pages of images under EC-Store's configurations, on its test bed in simulated time or on a cluster.",
                "Images of a page and their sizes follow power laws, pages are drawn by Zipf; or they are those of a"
                        + " trace."
            },
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs bench wiki --quick --json wiki.json",
                "  ecfs bench wiki --quick --trace pages.tsv"
            })
    int wiki(
            @Mixin BedOptions bed,
            @Option(
                            names = "--trace",
                            paramLabel = "FILE",
                            description = "Pages to request, one after the other and again from the beginning: a line"
                                    + " for each, with name and bytes of every image, all separated by tabs.")
                    Path trace)
            throws IOException {
        return bed.run(
                BedPlan.Work.WIKI,
                trace == null ? Optional.empty() : Optional.of(AccessTrace.read(trace)),
                spec.commandLine());
    }

    @Command(
            description = {
                "The tables and figures of Kim et al., Cost analysis of erasure coding for exa-scale storage (2018):",
                "PAPER is theirs, MODEL the cost model with their constants, OURS this file system in simulated time,",
                "LIMIT what the bytes alone take on the network. Figures 4 to 7 time the kernels of this machine.",
                "With --bed cluster the same on daemons of this process, whose links alone are a model."
            },
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs bench exstorus --quick",
                "  ecfs bench exstorus --show table1,fig15,fig16 --json exstorus.jsonl --html exstorus.html",
                "  ecfs bench exstorus --show fig4,fig5 --kernels java,native",
                "  ecfs bench exstorus --show combos --network 100g --topology torus:5x5",
                "  ecfs bench exstorus --bed cluster --quick --network 1g"
            })
    int exstorus(@Mixin ExstorusOptions options) throws IOException {
        return options.run(spec.commandLine());
    }

    @Command(
            description = {
                "The figures of Skourtis et al., Erasure coding and read/write separation in flash storage (2014):",
                "volumes of a ring take turns in writing, so that reads do not suffer from writes. PAPER is theirs,",
                "OURS this file system's ring on devices that are a model, LIMIT what those allow. Figures 4 and 5",
                "time the codec of this machine. group, adaptive and sweep are ours alone."
            },
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs bench erails --quick",
                "  ecfs bench erails --show fig9,fig10 --always-decode --json erails.jsonl --html erails.html",
                "  ecfs bench erails --show fig9 --mix completed",
                "  ecfs bench erails --show sweep --media zns",
                "  ecfs bench erails --show fig9 --bed cluster --quick",
                "  ecfs bench erails --bed disks --dirs /ssd0/b,/ssd1/b,/ssd2/b,/ssd3/b,/ssd4/b,/ssd5/b",
                "  ecfs bench erails --show fig9 --interference 10 --skew 200ms --failed 1 --writers 2"
            })
    int erails(@Mixin ErailsOptions options) throws IOException {
        return options.run(spec.commandLine());
    }

    @Command(
            description = {
                "What a directory's device gives reads, writes and three reads for each write, past the page cache,",
                "and whether a ring of such devices would pay. The file is removed however the command ends.",
                "Refused: memory (tmpfs), file systems without O_DIRECT, too little space."
            },
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs bench device --dir /ssd0 --json ssd0.json",
                "  ecfs bench device --dir /ssd0 --size 256m --seconds 1",
                "  ecfs bench erails --show fig9 --media ssd0.json"
            })
    int device(@Mixin DeviceOptions options) throws Exception {
        return options.run(spec.commandLine());
    }

    @Command(
            description = {
                "Writers that all go through one datanode at once, which encodes for them: with its bounds as they are"
                        + " configured,",
                "then with relays for a quarter of the writers (relay.most), then with memory for eight stripes"
                        + " (relay.bytes).",
                "Writers that are refused encode themselves. Every file is read back and compared.",
                "Fails when one differs, or relays take more than a bound."
            },
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs bench relays --quick",
                "  ecfs bench relays --json relays.jsonl",
                "  ecfs bench relays --policy rs-4-2-64k --file-size 2m -D client.writeBudgetBytes=512m"
            })
    int relays(@Mixin RelaysOptions options) throws Exception {
        return options.run(spec.commandLine());
    }

    @Command(
            description = {
                "What changed from A to B: medians, their ratio, the ranges of the repetitions.",
                "'better' and 'WORSE' only where the ranges do not touch and two per cent are passed; '~' otherwise;",
                "'n=1' where a rate was measured once, so that its noise is unknown.",
                "Reads what 'ecfs bench --json' writes and what the HDFS peer's runs write."
            },
            mixinStandardHelpOptions = true,
            footer = {"", "Examples:", "  ecfs bench compare hdfs.jsonl ours.json"})
    int compare(
            @Parameters(paramLabel = "A", description = "Figures before, or of the peer.") Path first,
            @Parameters(paramLabel = "B", description = "Figures after, or ours.") Path second)
            throws IOException {
        Comparison comparison = Comparison.of(FigureFile.read(first), FigureFile.read(second));
        PrintWriter out = spec.commandLine().getOut();
        if (comparison.rows().isEmpty()) {
            out.println("nothing is measured in both files");
        } else {
            print(Tables.comparison(comparison));
        }
        alone("only in " + first, comparison.onlyFirst());
        alone("only in " + second, comparison.onlySecond());
        out.flush();
        return 0;
    }

    private void alone(String where, List<Summary> summaries) {
        if (summaries.isEmpty()) {
            return;
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println();
        out.println(where + ":");
        summaries.forEach(s -> out.println("  " + s.key().name() + " " + s.key().text()));
    }

    private void print(Table table) {
        if (table.rows().isEmpty()) {
            return;
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println();
        out.println(table.title());
        out.print(FigureOptions.text(table));
        out.flush();
    }
}
