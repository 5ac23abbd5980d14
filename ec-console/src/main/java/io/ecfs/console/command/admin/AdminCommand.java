package io.ecfs.console.command.admin;

import io.ecfs.client.EcfsClient;
import io.ecfs.client.base.Await;
import io.ecfs.client.read.FileRange;
import io.ecfs.config.Sizes;
import io.ecfs.console.command.option.ByteCount;
import io.ecfs.console.command.option.ClusterOption;
import io.ecfs.console.view.Balancing;
import io.ecfs.console.view.ClusterState;
import io.ecfs.console.view.Drainage;
import io.ecfs.console.view.EventLog;
import io.ecfs.console.view.ExplainedRead;
import io.ecfs.console.view.FileLayout;
import io.ecfs.console.view.Fsck;
import io.ecfs.console.view.Loads;
import io.ecfs.console.view.MoverMoves;
import io.ecfs.console.view.SafeToStop;
import io.ecfs.console.view.Timeline;
import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.NamespaceRequest.Balance.Wish;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What an operator asks a cluster. */
@Command(
        name = "admin",
        description = "Look after a cluster.",
        subcommands = {QuotaCommand.class, SafeModeCommand.class, ThrottleCommand.class},
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  ecfs admin report",
            "  ecfs admin fsck /data",
            "  ecfs admin explain /data/a /data/b",
            "  ecfs admin timeline",
            "  ecfs admin events --follow",
            "  ecfs admin decommission dn3",
            "  ecfs admin safe-to-stop dn3 dn4",
            "  ecfs admin balance --dry-run",
            "  ecfs admin loads",
            "  ecfs admin moves --follow",
            "  ecfs admin quota /projects --space 10t",
            "  ecfs admin safemode",
            "  ecfs admin throttle --repairs 20",
            "  ecfs admin finalize-upgrade"
        })
public final class AdminCommand implements Runnable {
    /** What becomes of the mover; in small letters on the command line. */
    enum MoverWish {
        PAUSE,
        RESUME;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "Which of " + String.join(", ", spec.subcommands().keySet()) + "? See ecfs admin --help.");
    }

    @Command(
            description = "Namenodes, datanodes with their volumes, and groups by health.",
            mixinStandardHelpOptions = true,
            footer = {"", "Examples:", "  ecfs admin report", "  ecfs admin report --json | jq .groups"})
    int report(@Mixin ClusterOption cluster, @Option(names = "--json", description = "For scripts.") boolean json)
            throws Exception {
        return cluster.show(
                spec.commandLine().getOut(),
                json,
                client -> Await.result(client.admin().report()),
                ClusterState::print);
    }

    @Command(
            name = "finalize-upgrade",
            description = {
                "Raise the feature level in force to that of the release, once all namenodes run it; for the superuser.",
                "Before it the release before can be started again; after it no more."
            },
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs admin report              # LEVEL: what each namenode reads",
                "  ecfs admin finalize-upgrade"
            })
    int finalizeUpgrade(
            @Mixin ClusterOption cluster, @Option(names = "--json", description = "For scripts.") boolean json)
            throws Exception {
        return cluster.show(
                spec.commandLine().getOut(),
                json,
                client -> Await.result(client.admin().finalizeUpgrade()),
                (out, levels) -> out.println(
                        "feature level " + levels.inForce() + " is in force; namenodes read " + levels.releases()));
    }

    @Command(
            description = "Where a file's bytes lie: extents, groups, chunks.",
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs admin layout /data/report.csv",
                "  ecfs admin layout /data/report.csv --json"
            })
    int layout(
            @Mixin ClusterOption cluster,
            @Parameters(paramLabel = "PATH") String path,
            @Option(names = "--json", description = "For scripts.") boolean json)
            throws Exception {
        return cluster.show(
                spec.commandLine().getOut(),
                json,
                client -> FileLayout.of(client, new FilePath(path)),
                (out, layout) -> layout.print(out));
    }

    @Command(
            description = {
                "Reads files as one request and tells which chunks it asked, why those, what became of them, and who was"
                        + " late.",
                "o_j is what turning to a volume costs at the moment, m_j z what the chunk's bytes cost beyond that."
            },
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs admin explain /data/a /data/b",
                "  ecfs admin explain /data/a --plan",
                "  ecfs admin explain /data/large --from 2g --length 8m",
                "  ecfs admin explain /data/a /data/b --json | jq .planCost"
            })
    int explain(
            @Mixin ClusterOption cluster,
            @Parameters(paramLabel = "PATH", arity = "1..*") List<String> paths,
            @Option(names = "--plan", description = "Plan it, and read nothing.") boolean planOnly,
            @Option(
                            names = "--from",
                            paramLabel = "BYTES",
                            defaultValue = "0",
                            converter = ByteCount.class,
                            description = "Where in each file (default: its beginning).")
                    long from,
            @Option(
                            names = "--length",
                            paramLabel = "BYTES",
                            converter = ByteCount.class,
                            description = "How much of each file (default: to its end; what is read has room in memory,"
                                    + " at most 1 GiB of each).")
                    Long length,
            @Option(names = "--json", description = "For scripts.") boolean json)
            throws Exception {
        long to = length == null || length > FileRange.TO_THE_END - from ? FileRange.TO_THE_END : from + length;
        List<FileRange> ranges = paths.stream()
                .map(path -> new FileRange(new FilePath(path), from, to))
                .toList();
        return cluster.show(
                spec.commandLine().getOut(),
                json,
                client -> new ExplainedRead(Await.result(client.explain(ranges, !planOnly))),
                (out, read) -> read.print(out));
    }

    @Command(
            description =
                    "Files that are not whole: which chunks, where, why, and what is done about it. Ends with 1 when"
                            + " there is one.",
            mixinStandardHelpOptions = true,
            footer = {"", "Examples:", "  ecfs admin fsck", "  ecfs admin fsck /data --json | jq .healthy"})
    int fsck(
            @Mixin ClusterOption cluster,
            @Parameters(paramLabel = "PATH", arity = "0..1", defaultValue = "/") String path,
            @Option(names = "--orphans", description = "Lists all chunks on datanodes that no file has.")
                    boolean orphans,
            @Option(names = "--json", description = "For scripts.") boolean json)
            throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        try (EcfsClient client = cluster.connect()) {
            Fsck fsck = new Fsck(client, new FilePath(path), orphans);
            return (json ? fsck.json(out) : fsck.print(out)) ? 0 : 1;
        }
    }

    @Command(
            description =
                    "Losses of chunks and their repair: how long nothing was read, how long it took, what it cost.",
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs admin timeline",
                "  ecfs admin timeline 3",
                "  ecfs admin timeline 3 --json"
            })
    int timeline(
            @Mixin ClusterOption cluster,
            @Parameters(paramLabel = "INCIDENT", arity = "0..1", description = "Its number: with its phases.")
                    Long incident,
            @Option(names = "--json", description = "For scripts.") boolean json)
            throws Exception {
        try (EcfsClient client = cluster.connect()) {
            Timeline timeline = new Timeline(client, spec.commandLine().getOut());
            if (json) {
                timeline.json(Optional.ofNullable(incident));
            } else if (incident == null) {
                timeline.list();
            } else {
                timeline.show(incident);
            }
        }
        return 0;
    }

    @Command(
            description = "What happened in the cluster, oldest first.",
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs admin events",
                "  ecfs admin events --follow",
                "  ecfs admin events --after 1200 --json"
            })
    int events(
            @Mixin ClusterOption cluster,
            @Option(names = "--after", paramLabel = "NUMBER", defaultValue = "0", description = "Only later ones.")
                    long after,
            @Option(names = "--follow", description = "Go on as they come; with --json one a line.") boolean follow,
            @Option(names = "--for", paramLabel = "SECONDS", description = "Follow no longer than that.") Long seconds,
            @Option(names = "--json", description = "For scripts.") boolean json)
            throws Exception {
        try (EcfsClient client = cluster.connect()) {
            EventLog log = new EventLog(client, spec.commandLine().getOut(), json, after);
            if (follow) {
                log.follow(seconds == null ? Duration.ofDays(10_000) : Duration.ofSeconds(seconds));
            } else {
                log.print();
            }
        }
        return 0;
    }

    @Command(
            description = {
                "Have all chunks of a datanode moved to others: it gets no new ones, and may be taken away when it is"
                        + " DECOMMISSIONED.",
                "Groups keep all their chunks meanwhile. Saying it again shows how far it is."
            },
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs admin decommission dn3",
                "  ecfs admin decommission dn3 --wait",
                "  ecfs admin timeline          # bytes by source, phases"
            })
    int decommission(
            @Mixin ClusterOption cluster,
            @Parameters(paramLabel = "DATANODE") String datanode,
            @Option(names = "--wait", description = "Until nothing is left on it.") boolean wait,
            @Option(names = "--json", description = "For scripts.") boolean json)
            throws Exception {
        DatanodeId id = new DatanodeId(datanode);
        try (EcfsClient client = cluster.connect()) {
            Drainage drainage = new Drainage(client, spec.commandLine().getOut(), json);
            if (wait) {
                drainage.empty(id);
            } else {
                drainage.want(id, AdminState.State.DECOMMISSIONING, Optional.empty());
            }
        }
        return 0;
    }

    @Command(
            description = "Take a datanode back into service, from decommissioning or from maintenance.",
            mixinStandardHelpOptions = true,
            footer = {"", "Examples:", "  ecfs admin recommission dn3"})
    int recommission(
            @Mixin ClusterOption cluster,
            @Parameters(paramLabel = "DATANODE") String datanode,
            @Option(names = "--json", description = "For scripts.") boolean json)
            throws Exception {
        DatanodeId id = new DatanodeId(datanode);
        try (EcfsClient client = cluster.connect()) {
            new Drainage(client, spec.commandLine().getOut(), json)
                    .want(id, AdminState.State.IN_SERVICE, Optional.empty());
        }
        return 0;
    }

    @Command(
            description = {
                "Let the next directory that registers under a datanode's name take it over, once: its machine or its home"
                        + " directory was replaced.",
                "What the old one had counts as gone, and is rebuilt."
            },
            mixinStandardHelpOptions = true,
            footer = {"", "Examples:", "  ecfs admin admit dn3"})
    int admit(@Mixin ClusterOption cluster, @Parameters(paramLabel = "DATANODE") String datanode) throws Exception {
        DatanodeId id = new DatanodeId(datanode);
        try (EcfsClient client = cluster.connect()) {
            Await.result(client.admin().admit(id));
        }
        spec.commandLine().getOut().println("the next directory that registers as " + id + " takes the id over");
        return 0;
    }

    @Command(
            description = {
                "Let a datanode be stopped for a while: it gets no new chunks, is read last, and nothing is rebuilt"
                        + " while it is away,",
                "unless a group would have no chunk to spare, or the time is over. Ask safe-to-stop before."
            },
            mixinStandardHelpOptions = true,
            footer = {"", "Examples:", "  ecfs admin maintenance dn3 --for 2h", "  ecfs admin recommission dn3"})
    int maintenance(
            @Mixin ClusterOption cluster,
            @Parameters(paramLabel = "DATANODE") String datanode,
            @Option(
                            names = "--for",
                            paramLabel = "TIME",
                            description = "How long, such as 30m or 2h; without it until it is recommissioned.")
                    String time,
            @Option(names = "--json", description = "For scripts.") boolean json)
            throws Exception {
        DatanodeId id = new DatanodeId(datanode);
        Optional<Duration> lasts = Optional.ofNullable(time).map(Sizes::duration);
        try (EcfsClient client = cluster.connect()) {
            new Drainage(client, spec.commandLine().getOut(), json).want(id, AdminState.State.IN_MAINTENANCE, lasts);
        }
        return 0;
    }

    @Command(
            name = "safe-to-stop",
            description = {
                "Would every group keep a chunk to spare if these datanodes stopped now? Ends with 0 for yes and 1 for"
                        + " no, and then names the groups.",
                "What is dead already counts as gone."
            },
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs admin safe-to-stop dn3",
                "  ecfs admin safe-to-stop dn3 dn4 --readable",
                "  ecfs admin safe-to-stop dn3 --json | jq .safe"
            })
    int safeToStop(
            @Mixin ClusterOption cluster,
            @Parameters(paramLabel = "DATANODE", arity = "1..*") List<String> datanodes,
            @Option(names = "--readable", description = "It is enough that every group can be read.") boolean readable,
            @Option(names = "--json", description = "For scripts.") boolean json)
            throws Exception {
        List<DatanodeId> ids = datanodes.stream().map(DatanodeId::new).toList();
        try (EcfsClient client = cluster.connect()) {
            SafeToStop answer = SafeToStop.ask(client, ids, readable);
            PrintWriter out = spec.commandLine().getOut();
            if (json) {
                answer.json(out);
            } else {
                answer.print(out);
            }
            return answer.yes() ? 0 : 1;
        }
    }

    @Command(
            description = {
                "Have chunks moved from fuller volumes to emptier ones until none differs from the mean by more than"
                        + " the threshold.",
                "The cluster does so by itself past settings.balance.threshold. Groups keep all their chunks meanwhile;"
                        + " repairs and decommissions go first."
            },
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs admin balance --dry-run            # what would move",
                "  ecfs admin balance --threshold 2 --wait",
                "  ecfs admin balance --stop"
            })
    int balance(
            @Mixin ClusterOption cluster,
            @Option(
                            names = "--threshold",
                            paramLabel = "PERCENT",
                            description = "By how much a volume may differ from the mean; by default as configured.")
                    Double percent,
            @Option(names = "--dry-run", description = "Show the plan and move nothing.") boolean dryRun,
            @Option(names = "--wait", description = "Until it is done, or nothing can be moved.") boolean wait,
            @Option(names = "--stop", description = "End what was asked for.") boolean stop,
            @Option(names = "--json", description = "For scripts.") boolean json)
            throws Exception {
        try (EcfsClient client = cluster.connect()) {
            Balancing balancing = new Balancing(client, spec.commandLine().getOut(), json, percent);
            if (dryRun) {
                balancing.show(Wish.LOOK);
            } else if (stop) {
                balancing.show(Wish.END);
            } else if (wait) {
                return balancing.follow() ? 0 : 1;
            } else {
                balancing.show(Wish.BEGIN);
            }
        }
        return 0;
    }

    @Command(
            description = {
                "Chunks that the namenode moves to where reading them costs less, with what each move was expected to gain"
                        + " and what it gained a minute later.",
                "GAIN is that of the ec-store paper: w1 x cost of reads saved + w2 x load evened."
            },
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs admin moves",
                "  ecfs admin moves --follow --json",
                "  ecfs admin moves --dry-run              # what would move next",
                "  ecfs admin moves pause",
                "  ecfs admin moves resume"
            })
    int moves(
            @Mixin ClusterOption cluster,
            @Parameters(
                            paramLabel = "pause|resume",
                            arity = "0..1",
                            description = "Pause the mover, whoever leads, or have it go on; for the superuser.")
                    MoverWish wish,
            @Option(names = "--follow", description = "Go on telling of moves as they come.") boolean follow,
            @Option(names = "--dry-run", description = "Show what would move next; nothing moves for that.")
                    boolean dryRun,
            @Option(names = "--json", description = "For scripts; with --follow a line for each move.") boolean json)
            throws Exception {
        if (follow && dryRun) {
            throw new IllegalArgumentException(
                    "--follow tells of moves that were made and --dry-run of those that would be: use one of them");
        }
        try (EcfsClient client = cluster.connect()) {
            MoverMoves moves = new MoverMoves(client, spec.commandLine().getOut(), json);
            if (wish != null) {
                Await.result(client.admin().pauseMover(wish == MoverWish.PAUSE));
            }
            if (follow) {
                moves.follow();
            } else {
                moves.show(dryRun);
            }
        }
        return 0;
    }

    @Command(
            description = {
                "How busy each datanode is, and how unevenly: LAMBDA is (max - avg) / avg x 100 of the bytes read.",
                "LOAD is its share of input, output and processor, 1 being the mean; WAIT is how long what volumes are"
                        + " asked for waits for its turn."
            },
            mixinStandardHelpOptions = true,
            footer = {"", "Examples:", "  ecfs admin loads", "  ecfs admin loads --json | jq .imbalance"})
    int loads(@Mixin ClusterOption cluster, @Option(names = "--json", description = "For scripts.") boolean json)
            throws Exception {
        return cluster.show(
                spec.commandLine().getOut(),
                json,
                client -> Await.result(client.admin().loads()),
                Loads::print);
    }
}
