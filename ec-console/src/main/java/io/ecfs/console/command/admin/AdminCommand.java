package io.ecfs.console.command.admin;

import io.ecfs.client.EcfsClient;
import io.ecfs.client.read.batch.FileRange;
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
import io.ecfs.console.view.HotReads;
import io.ecfs.console.view.IncidentFiles;
import io.ecfs.console.view.Json;
import io.ecfs.console.view.Loads;
import io.ecfs.console.view.MoverMoves;
import io.ecfs.console.view.SafeToStop;
import io.ecfs.console.view.Timeline;
import io.ecfs.console.view.WriteFollower;
import io.ecfs.console.view.Writes;
import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.NamespaceRequest.Balance.Wish;
import io.ecfs.wire.Await;
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

/** Administration of a cluster. */
@Command(
        name = "admin",
        description = "Administer a cluster.",
        subcommands = {
            AuditCommand.class,
            GroupCommand.class,
            PatchCommands.Patches.class,
            PatchCommands.Compact.class,
            QuotaCommand.class,
            SafeModeCommand.class,
            ThrottleCommand.class
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  ecfs admin report",
            "  ecfs admin fsck /data",
            "  ecfs admin explain /data/a /data/b",
            "  ecfs admin timeline",
            "  ecfs admin group 17",
            "  ecfs admin events --follow",
            "  ecfs admin audit --find /projects",
            "  ecfs admin decommission dn3",
            "  ecfs admin safe-to-stop dn3 dn4",
            "  ecfs admin balance --dry-run",
            "  ecfs admin loads",
            "  ecfs admin writes --follow",
            "  ecfs admin moves --follow",
            "  ecfs admin quota /projects --space 10t",
            "  ecfs admin patches /images/vm7.raw",
            "  ecfs admin safemode",
            "  ecfs admin throttle --repairs 20",
            "  ecfs admin finalize-upgrade"
        })
public final class AdminCommand implements Runnable {
    /** Command to the chunk optimizer; in lower case on the command line. */
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
                "Raise the feature level in force to that of the release, once all namenodes run it; for the"
                        + " superuser.",
                "Until then the previous release can be started again, afterwards not."
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
            description = "Location of a file's bytes: extents, groups, chunks.",
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
                "Reads files in one request and shows which chunks it requests, their predicted costs, and the result"
                        + " of each.",
                "o_j is the current seek/queue cost of a volume, m_j z the transfer cost of the chunk's bytes."
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
            @Option(names = "--plan", description = "Plan the read, and read nothing.") boolean planOnly,
            @Option(
                            names = "--from",
                            paramLabel = "BYTES",
                            defaultValue = "0",
                            converter = ByteCount.class,
                            description = "First byte in each file (default: its beginning).")
                    long from,
            @Option(
                            names = "--length",
                            paramLabel = "BYTES",
                            converter = ByteCount.class,
                            description = "Bytes of each file (default: to its end; at most 1 GiB of each, buffered in"
                                    + " memory).")
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
                    "Files that are not healthy: their missing chunks, with location, reason and state of the repair."
                            + " Ends with 1 when there is one.",
            mixinStandardHelpOptions = true,
            footer = {"", "Examples:", "  ecfs admin fsck", "  ecfs admin fsck /data --json | jq .healthy"})
    int fsck(
            @Mixin ClusterOption cluster,
            @Parameters(paramLabel = "PATH", arity = "0..1", defaultValue = "/") String path,
            @Option(names = "--orphans", description = "List all chunks on datanodes that belong to no file.")
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
                    "Losses of chunks and their repair: time to first repair, repair time, bytes read and written.",
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs admin timeline",
                "  ecfs admin timeline 3",
                "  ecfs admin timeline 3 --files        # that had chunks in it, healed or not",
                "  ecfs admin timeline 3 --json"
            })
    int timeline(
            @Mixin ClusterOption cluster,
            @Parameters(
                            paramLabel = "INCIDENT",
                            arity = "0..1",
                            description = "Number of an incident: shows its phases.")
                    Long incident,
            @Option(names = "--files", description = "Files of the incident in place of its phases.") boolean files,
            @Option(names = "--json", description = "For scripts.") boolean json)
            throws Exception {
        if (files && incident == null) {
            throw new IllegalArgumentException("--files needs the number of an incident");
        }
        if (files) {
            return files(cluster, incident, json);
        }
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

    private int files(ClusterOption cluster, long incident, boolean json) throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        try (EcfsClient client = cluster.connect()) {
            IncidentFiles found = IncidentFiles.ask(client, client, incident);
            if (json) {
                Json.print(out, found.json());
            } else {
                found.print(out);
            }
        }
        return 0;
    }

    @Command(
            description = "Events of the cluster, oldest first.",
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
            @Option(
                            names = "--after",
                            paramLabel = "NUMBER",
                            defaultValue = "0",
                            description = "Only events after this one.")
                    long after,
            @Option(names = "--follow", description = "Print new events as they occur; with --json one per line.")
                    boolean follow,
            @Option(names = "--for", paramLabel = "SECONDS", description = "Follow for this time.") Long seconds,
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
                "Move all chunks of a datanode to others: it gets no new ones, and may be removed when it is"
                        + " DECOMMISSIONED.",
                "Groups keep their full redundancy meanwhile. Repeating the command shows the progress."
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
            @Option(names = "--wait", description = "Wait until no chunk is left on it.") boolean wait,
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
            description = "Return a datanode to service, from decommissioning or from maintenance.",
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
                "Let the next directory that registers under a datanode's name take it over, once: its machine or its"
                        + " home directory was replaced.",
                "The chunks of the old one count as lost, and are reconstructed."
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
                "Allow a datanode to be stopped for a while: it gets no new chunks, is read last, and nothing is"
                        + " reconstructed while it is down,",
                "unless a group would have no spare chunk, or the time is over. Check safe-to-stop before."
            },
            mixinStandardHelpOptions = true,
            footer = {"", "Examples:", "  ecfs admin maintenance dn3 --for 2h", "  ecfs admin recommission dn3"})
    int maintenance(
            @Mixin ClusterOption cluster,
            @Parameters(paramLabel = "DATANODE") String datanode,
            @Option(
                            names = "--for",
                            paramLabel = "TIME",
                            description =
                                    "Duration, such as 30m or 2h; without it until the datanode is recommissioned.")
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
                "Checks if every group would keep a spare chunk without these datanodes. Ends with 0 for yes and 1 for"
                        + " no, and then lists the groups.",
                "Dead datanodes count as stopped."
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
            @Option(names = "--readable", description = "Only require that every group stays readable.")
                    boolean readable,
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
                "Move chunks from fuller volumes to emptier ones until none differs from the mean by more than the"
                        + " threshold.",
                "The cluster does so by itself past settings.balance.threshold. Groups keep their full redundancy;"
                        + " repairs and decommissions take precedence."
            },
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs admin balance --dry-run            # planned moves",
                "  ecfs admin balance --threshold 2 --wait",
                "  ecfs admin balance --stop"
            })
    int balance(
            @Mixin ClusterOption cluster,
            @Option(
                            names = "--threshold",
                            paramLabel = "PERCENT",
                            description = "Allowed deviation of a volume from the mean; by default as configured.")
                    Double percent,
            @Option(names = "--dry-run", description = "Show the plan and move nothing.") boolean dryRun,
            @Option(names = "--wait", description = "Wait until the volumes are balanced, or nothing can be moved.")
                    boolean wait,
            @Option(names = "--stop", description = "End the balancing that was requested.") boolean stop,
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
                "Moves of the chunk optimizer, which moves chunks to where reading them costs less, with the predicted"
                        + " gain of each and the gain measured a minute later.",
                "GAIN is that of the ec-store paper: w1 x saved cost of reads + w2 x reduced load skew."
            },
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs admin moves",
                "  ecfs admin moves --follow --json",
                "  ecfs admin moves --dry-run              # planned moves",
                "  ecfs admin moves pause",
                "  ecfs admin moves resume"
            })
    int moves(
            @Mixin ClusterOption cluster,
            @Parameters(
                            paramLabel = "pause|resume",
                            arity = "0..1",
                            description = "Pause or resume the chunk optimizer under every leader; for the superuser.")
                    MoverWish wish,
            @Option(names = "--follow", description = "Print new moves as they occur.") boolean follow,
            @Option(names = "--dry-run", description = "Show the planned moves without starting them.") boolean dryRun,
            @Option(names = "--json", description = "For scripts; with --follow one line per move.") boolean json)
            throws Exception {
        if (follow && dryRun) {
            throw new IllegalArgumentException(
                    "--follow prints completed moves and --dry-run planned ones: use one of them");
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
                "Load of each datanode, and its skew: lambda is (max - avg) / avg x 100 of the bytes read.",
                "LOAD is its share of I/O and CPU, 1 being the mean; I/O WAIT is the queueing time of requests to its"
                        + " volumes.",
                "With DATANODE: the cause of its load, the groups there that clients read most, by whom."
            },
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs admin loads",
                "  ecfs admin loads dn-3",
                "  ecfs admin loads --json | jq .imbalance"
            })
    int loads(
            @Mixin ClusterOption cluster,
            @Parameters(paramLabel = "DATANODE", arity = "0..1", description = "Whose load is explained.")
                    String datanode,
            @Option(names = "--json", description = "For scripts.") boolean json)
            throws Exception {
        if (datanode != null) {
            try (EcfsClient client = cluster.connect()) {
                HotReads reads = HotReads.ask(client, new DatanodeId(datanode));
                PrintWriter out = spec.commandLine().getOut();
                if (json) {
                    Json.print(out, reads.json());
                } else {
                    reads.print(out);
                }
            }
            return 0;
        }
        return cluster.show(
                spec.commandLine().getOut(),
                json,
                client -> Await.result(client.admin().loads()),
                Loads::print);
    }

    @Command(
            description = {
                "Time of all clients' writes in five steps (Kim et al.), by policy and by who encoded: the client, or a"
                        + " datanode (master).",
                "Clients report while they write and when they close; the leader adds up since the first report.",
                "Then groups that clients encoded after all by the failure of their master, and how many groups each"
                        + " datanode relays at present."
            },
            mixinStandardHelpOptions = true,
            footer = {"", "Examples:", "  ecfs admin writes", "  ecfs admin writes --follow --json"})
    int writes(
            @Mixin ClusterOption cluster,
            @Option(names = "--follow", description = "Every 10 seconds what came since; Ctrl-C ends it.")
                    boolean follow,
            @Option(names = "--for", paramLabel = "SECONDS", description = "Follow for this time.") Long seconds,
            @Option(names = "--json", description = "For scripts; with --follow one line each.") boolean json)
            throws Exception {
        if (!follow) {
            return cluster.show(
                    spec.commandLine().getOut(),
                    json,
                    client -> Await.result(client.admin().writes()),
                    Writes::print);
        }
        try (EcfsClient client = cluster.connect()) {
            new WriteFollower(client, spec.commandLine().getOut(), json)
                    .follow(seconds == null ? Duration.ofDays(10_000) : Duration.ofSeconds(seconds));
        }
        return 0;
    }
}
