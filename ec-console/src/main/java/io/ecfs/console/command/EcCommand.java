package io.ecfs.console.command;

import io.ecfs.client.EcfsClient;
import io.ecfs.console.command.option.ClusterOption;
import io.ecfs.console.command.option.ConversionControl;
import io.ecfs.console.view.CodeUse;
import io.ecfs.console.view.ConversionProgress;
import io.ecfs.console.view.ConversionRulesView;
import io.ecfs.console.view.ConversionView;
import io.ecfs.console.view.EncodingChoice;
import io.ecfs.console.view.Json;
import io.ecfs.console.view.PackingChoice;
import io.ecfs.console.view.PolicyView;
import io.ecfs.console.view.TextTable;
import io.ecfs.layout.Policy;
import io.ecfs.layout.RingId;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.ConversionRule;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.ring.RingState;
import io.ecfs.wire.Await;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Erasure coding policies of the cluster and of directories. */
@Command(
        name = "ec",
        description = "Erasure coding: policies, and for each directory the policy and who encodes.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  ecfs ec list",
            "  ecfs ec usage                       measured storage overhead of each policy",
            "  ecfs ec set rs-3-2-1024k /logs      new files below /logs",
            "  ecfs ec get /logs/today",
            "  ecfs ec set inherit /logs           the parent's policy again",
            "  ecfs ec set --encode master /thin   a datanode encodes what is written there",
            "  ecfs ec set --pack off /hot         small files written there do not share groups",
            "  ecfs ec convert /logs --to rs-6-3-1024k --wait",
            "  ecfs ec rule /logs --after 30d=rs-10-4-1024k"
        })
final class EcCommand implements Runnable {
    private static final String INHERIT = "inherit";
    private static final int RING_CELL = 64 << 10;

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "Which of list, usage, get, set, convert, conversions, rule? See ecfs ec --help.");
    }

    @Command(
            description = "All policies with their cost and fault tolerance.",
            mixinStandardHelpOptions = true,
            footer = {"", "Examples:", "  ecfs ec list"})
    int list(@Mixin ClusterOption cluster, @Option(names = "--json", description = "For scripts.") boolean json)
            throws Exception {
        try (EcfsClient client = cluster.connect()) {
            NamespaceReply.Policies policies = Await.result(client.policies());
            if (json) {
                Json.print(
                        spec.commandLine().getOut(),
                        policies.policies().stream()
                                .map(p -> PolicyView.of(p, policies.defaultPolicy()))
                                .toList());
                return 0;
            }
            TextTable table = new TextTable("POLICY", "K", "M", "CELL", "OVERHEAD", "TOLERATES", "REPAIR READS", "");
            for (Policy p : policies.policies()) {
                PolicyView view = PolicyView.of(p, policies.defaultPolicy());
                table.row(
                        view.name(),
                        view.k(),
                        view.m(),
                        TextTable.bytes(view.cellBytes()),
                        String.format(Locale.ROOT, "%.2f", view.overhead()),
                        view.lossesSurvived() + (view.lossesSurvived() == 1 ? " loss" : " losses"),
                        String.format(Locale.ROOT, "%.2f chunks", view.repairChunks()),
                        view.isDefault() ? "default" : "");
            }
            spec.commandLine().getOut().print(table);
            spec.commandLine().getOut().flush();
        }
        return 0;
    }

    @Command(
            description = {
                "Sealed bytes of each policy and the bytes of their chunks as datanodes report them: OVERHEAD is"
                        + " measured.",
                "N/K is the nominal overhead, without padding and the tails of small files."
            },
            mixinStandardHelpOptions = true,
            footer = {"", "Examples:", "  ecfs ec usage", "  ecfs ec usage --json | jq .policies"})
    int usage(@Mixin ClusterOption cluster, @Option(names = "--json", description = "For scripts.") boolean json)
            throws Exception {
        return cluster.show(spec.commandLine().getOut(), json, CodeUse::ask, EcCommand::print);
    }

    private static void print(PrintWriter out, CodeUse use) {
        TextTable table = new TextTable("POLICY", "GROUPS", "USER", "STORED", "OVERHEAD", "N/K", "MISSING CHUNKS");
        use.policies()
                .forEach(p -> table.row(
                        p.policy(),
                        p.groups(),
                        TextTable.bytes(p.userBytes()),
                        TextTable.bytes(p.storedBytes()),
                        String.format(Locale.ROOT, "%.3f", p.measured()),
                        String.format(Locale.ROOT, "%.3f", p.nominal()),
                        p.lackingChunks()));
        out.print(table);
        out.println("volumes store " + TextTable.bytes(use.heldBytes())
                + (use.whole() ? "" : "; only the first " + use.groups() + " groups are included"));
    }

    @Command(
            description = {
                "The policy of a file, or that of new files in a directory.",
                "Where the directory or one above it sets who encodes, also --encode with that; where one sets up to"
                        + " which length files share groups, also --pack; where one names a ring, also --ring."
            },
            mixinStandardHelpOptions = true,
            footer = {"", "Examples:", "  ecfs ec get /data"})
    int get(@Mixin ClusterOption cluster, @Parameters(paramLabel = "PATH") String path) throws Exception {
        try (EcfsClient client = cluster.connect()) {
            spec.commandLine().getOut().println(settings(client, new FilePath(path)));
            spec.commandLine().getOut().flush();
        }
        return 0;
    }

    @Command(
            description = {
                "Set the policy of new files below a directory, or who encodes them, or both; or up to which"
                        + " length they share groups.",
                "Existing files keep their policy: 'ecfs ec convert' changes that."
            },
            customSynopsis = {
                "ecfs ec set [OPTIONS] POLICY PATH",
                "       ecfs ec set [OPTIONS] --encode=SIDE PATH",
                "       ecfs ec set [OPTIONS] --pack=SIZE PATH",
                "       ecfs ec set [OPTIONS] --ring=NAME [POLICY] PATH"
            },
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs ec set rs-10-4-1024k /cold",
                "  ecfs ec set inherit /cold",
                "  ecfs ec set rs-4-2-64k /thin --encode master",
                "  ecfs ec set /thin --encode auto      the policy stays",
                "  ecfs ec set /small --pack 256k       files up to 256 KiB share groups",
                "  ecfs ec set /hot --pack off",
                "  ecfs ec set rs-3-3-64k /hot --ring flash",
                "  ecfs ec set /hot --ring none"
            })
    int set(
            @Mixin ClusterOption cluster,
            @Parameters(
                            index = "0",
                            paramLabel = "POLICY",
                            description = "A policy's name, or 'inherit'; may be left out with --encode.")
                    String first,
            @Parameters(index = "1", arity = "0..1", paramLabel = "PATH", description = "A directory.") String second,
            @Option(
                            names = "--encode",
                            paramLabel = "SIDE",
                            description = {
                                "Who computes parity: client, master (a datanode of each group; the client sends each"
                                        + " byte once), auto (whichever is expected to be faster), or 'inherit'."
                                        + " Where no directory sets it: client."
                            })
                    String encode,
            @Option(
                            names = "--pack",
                            paramLabel = "SIZE",
                            description = {
                                "Up to which length files share groups: a size (a stripe's data at most), off, or"
                                        + " 'default', which is that of the directory above, or else of the client."
                            })
                    String pack,
            @Option(
                            names = "--ring",
                            paramLabel = "NAME",
                            description = {
                                "The ring on whose volumes the groups of new files lie ('ecfs ring'), or 'none': that"
                                        + " of the directory above, if it has one."
                            })
                    String ring)
            throws Exception {
        boolean policyToo = second != null;
        if (ring != null) {
            return setRing(cluster, first, second, encode != null || pack != null, ring);
        }
        if (pack != null) {
            return setPacking(cluster, first, policyToo || encode != null, PackingChoice.parse(pack));
        }
        if (!policyToo && encode == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "Which policy for " + first + "? Name one before it, or --encode SIDE, or --pack SIZE.");
        }
        String path = policyToo ? second : first;
        FilePath directory = new FilePath(path);
        Optional<Policy> policy =
                !policyToo || first.equals(INHERIT) ? Optional.empty() : Optional.of(Policy.parse(first));
        Optional<EncodingChoice> encoder = Optional.ofNullable(encode).map(EncodingChoice::parse);
        try (EcfsClient client = cluster.connect()) {
            if (encoder.isEmpty()) {
                Await.result(client.setPolicy(directory, policy));
            } else if (policyToo) {
                Await.result(
                        client.setEncodingAndPolicy(directory, encoder.get().side(), policy));
            } else {
                Await.result(client.setEncoding(directory, encoder.get().side()));
            }
            if (policy.isPresent()) {
                warnOfFewDatanodes(client, policy.get());
            }
            spec.commandLine().getOut().println(path + " " + settings(client, directory));
            spec.commandLine().getOut().flush();
        }
        return 0;
    }

    /** With the policy in one change: neither is right without the other. */
    private int setRing(ClusterOption cluster, String first, String second, boolean more, String ring)
            throws Exception {
        if (more) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--ring is set with a policy or by itself: ecfs ec set POLICY PATH --ring NAME; the rest before or"
                            + " after.");
        }
        String path = second == null ? first : second;
        FilePath directory = new FilePath(path);
        Optional<String> named = Optional.of(ring).filter(name -> !name.equals(RingState.NO_RING));
        try (EcfsClient client = cluster.connect()) {
            Optional<Policy> policy =
                    second == null || first.equals(INHERIT) ? Optional.empty() : Optional.of(Policy.parse(first));
            Await.result(
                    second == null
                            ? client.admin().setRing(directory, named)
                            : client.admin().setRing(directory, named, policy));
            if (named.isPresent()) {
                warnOfLargeCells(Await.result(client.status(directory)).policy());
            }
            spec.commandLine().getOut().println(path + " " + settings(client, directory));
            spec.commandLine().getOut().flush();
        }
        return 0;
    }

    /** A small read within a cell of a volume that writes takes whole cells of k others. */
    private void warnOfLargeCells(Policy policy) {
        if (policy.cellBytes() > RING_CELL) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("ecfs: warning: " + policy.name() + " has cells of " + TextTable.bytes(policy.cellBytes())
                    + ": a small read of a volume that writes takes " + policy.dataChunks()
                    + " of them from others; cells of 64 KiB suit rings");
            err.flush();
        }
    }

    /** A request of its own: with another one beside it, half of a command could fail. */
    private int setPacking(ClusterOption cluster, String path, boolean more, PackingChoice choice) throws Exception {
        if (more) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--pack is set by itself: ecfs ec set PATH --pack SIZE; the rest before or after.");
        }
        FilePath directory = new FilePath(path);
        try (EcfsClient client = cluster.connect()) {
            Await.result(client.setPacking(directory, choice.upTo()));
            spec.commandLine().getOut().println(path + " " + settings(client, directory));
            spec.commandLine().getOut().flush();
        }
        return 0;
    }

    @Command(
            description = {
                "Rewrite files under another policy: a file, or all below a directory. Readers are not disturbed.",
                "New files of the directory keep its policy: 'ecfs ec set' changes that."
            },
            mixinStandardHelpOptions = true,
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:begun; with --wait: all files are converted",
                "1:a file is not converted, or it was cancelled"
            },
            footer = {
                "",
                "Examples:",
                "  ecfs ec convert /cold --to rs-10-4-1024k --dry-run",
                "  ecfs ec convert /cold --to rs-10-4-1024k --wait"
            })
    int convert(
            @Mixin ClusterOption cluster,
            @Parameters(paramLabel = "PATH", description = "A file or directory.") String path,
            @Option(names = "--to", required = true, paramLabel = "POLICY", description = "The policy's name.")
                    String policy,
            @Option(names = "--wait", description = "Show progress until it has ended.") boolean wait,
            @Option(names = "--dry-run", description = "Count files and bytes alone.") boolean dryRun,
            @Option(names = "--json", description = "For scripts.") boolean json)
            throws Exception {
        FilePath top = new FilePath(path);
        Policy to = Policy.parse(policy);
        try (EcfsClient client = cluster.connect()) {
            ConversionProgress progress =
                    new ConversionProgress(client.admin(), spec.commandLine().getOut(), json);
            return progress.follow(Await.result(client.admin().convert(top, to, dryRun)), wait);
        }
    }

    @Command(
            description = {
                "Conversions under way, and those that ended last, with their progress.",
                "They go on when another namenode leads, and after restarts."
            },
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs ec conversions",
                "  ecfs ec conversions --json",
                "  ecfs ec conversions --pause 7        until --resume 7",
                "  ecfs ec conversions --cancel 7       what is converted stays so"
            })
    int conversions(
            @Mixin ClusterOption cluster,
            @ArgGroup ConversionControl control,
            @Option(names = "--json", description = "For scripts.") boolean json)
            throws Exception {
        try (EcfsClient client = cluster.connect()) {
            if (control != null) {
                Await.result(client.admin().control(control.job(), control.control()));
            }
            List<ConversionView> conversions = ConversionView.all(client.admin());
            PrintWriter out = spec.commandLine().getOut();
            if (json) {
                Json.print(out, conversions);
                return 0;
            }
            TextTable table = new TextTable("JOB", "PATH", "TO", "USER", "STATE", "PROGRESS");
            conversions.forEach(
                    each -> table.row(each.job(), each.path(), each.policy(), each.user(), each.state(), each.line()));
            out.print(table);
            out.flush();
        }
        return 0;
    }

    @Command(
            description = {
                "Rules by which files below a directory are converted as they age: those that were not modified for so"
                        + " long get this policy.",
                "Rules of a directory replace those of the ones above it. Without --after the rules are shown."
            },
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs ec rule /logs",
                "  ecfs ec rule /logs --after 30d=rs-10-4-1024k",
                "  ecfs ec rule /logs --after 7d=rs-6-3-1024k --after 90d=rs-20-4-1024k",
                "  ecfs ec rule /logs --none           those of the directory above hold again"
            })
    int rule(
            @Mixin ClusterOption cluster,
            @Parameters(paramLabel = "DIR", description = "A directory.") String path,
            @Option(
                            names = "--after",
                            paramLabel = "AGE=POLICY",
                            description = "Time since the last change, and the policy from then on; by growing age.")
                    List<String> after,
            @Option(names = "--none", description = "Remove the rules of the directory.") boolean none,
            @Option(names = "--json", description = "For scripts.") boolean json)
            throws Exception {
        if (none && after != null) {
            throw new ParameterException(spec.commandLine(), "Either --after or --none, not both.");
        }
        FilePath directory = new FilePath(path);
        Optional<List<ConversionRule>> rules =
                none ? Optional.of(List.of()) : Optional.ofNullable(after).map(ConversionRulesView::parse);
        try (EcfsClient client = cluster.connect()) {
            if (rules.isPresent()) {
                Await.result(client.admin().setConversionRules(directory, rules.get()));
            }
            ConversionRulesView view =
                    ConversionRulesView.of(Await.result(client.admin().conversionRules(directory)));
            PrintWriter out = spec.commandLine().getOut();
            if (json) {
                Json.print(out, view);
            } else {
                view.lines().forEach(out::println);
            }
            out.flush();
        }
        return 0;
    }

    /** As HDFS does; datanodes may join later. */
    private void warnOfFewDatanodes(EcfsClient client, Policy policy) throws Exception {
        long live = Await.result(client.admin().report()).datanodes().stream()
                .filter(datanode -> datanode.state() != ClusterReport.DatanodeState.DEAD)
                .count();
        if (live < policy.chunks()) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("ecfs: warning: " + policy.name() + " needs " + policy.chunks() + " datanodes, one for each"
                    + " chunk, and " + live + " are here: start more before files are written, or choose a policy with"
                    + " k + m <= " + live);
            err.flush();
        }
    }

    /** In the words of {@code ec set}. */
    private static String settings(EcfsClient client, FilePath path) throws Exception {
        FileStatus status = Await.result(client.status(path));
        return status.policy()
                + status.encoding().map(side -> " --encode " + side.text()).orElse("")
                + status.packedUpTo()
                        .map(limit -> " --pack " + PackingChoice.text(limit))
                        .orElse("")
                + (status.ring().isPresent()
                        ? " --ring " + ringName(client, status.ring().get())
                        : "");
    }

    private static String ringName(EcfsClient client, RingId id) throws Exception {
        return Await.result(client.admin().rings()).stream()
                .filter(ring -> ring.ring().equals(id))
                .map(RingState::name)
                .findFirst()
                .orElse(id.toString());
    }
}
