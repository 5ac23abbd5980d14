package io.ecfs.console.command;

import io.ecfs.client.EcfsClient;
import io.ecfs.client.base.Await;
import io.ecfs.message.ClusterReport;
import io.ecfs.message.FilePath;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
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
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  ecfs admin report",
            "  ecfs admin fsck /data",
            "  ecfs admin timeline",
            "  ecfs admin events --follow"
        })
final class AdminCommand implements Runnable {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "Which of report, layout, fsck, timeline, events? See ecfs admin --help.");
    }

    @Command(
            description = "Namenodes, datanodes with their volumes, and groups by health.",
            mixinStandardHelpOptions = true,
            footer = {"", "Examples:", "  ecfs admin report", "  ecfs admin report --json | jq .groups"})
    int report(@Mixin ClusterOption cluster, @Option(names = "--json", description = "For scripts.") boolean json)
            throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        try (EcfsClient client = cluster.connect()) {
            ClusterReport report = Await.result(client.report());
            if (json) {
                Json.print(out, report);
            } else {
                print(out, report);
            }
        }
        return 0;
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
        PrintWriter out = spec.commandLine().getOut();
        try (EcfsClient client = cluster.connect()) {
            FileLayout layout = FileLayout.of(client, new FilePath(path));
            if (json) {
                Json.print(out, layout);
            } else {
                layout.print(out);
            }
        }
        return 0;
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
            @Option(names = "--json", description = "For scripts.") boolean json)
            throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        try (EcfsClient client = cluster.connect()) {
            Fsck fsck = new Fsck(client, new FilePath(path));
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

    private static void print(PrintWriter out, ClusterReport report) {
        ClusterReport.Groups groups = report.groups();
        out.println(
                "cluster " + report.clusterId() + (report.safeMode() ? "  SAFE MODE: " + report.safeModeReason() : ""));
        out.println("groups  " + groups.healthy() + " healthy, " + groups.degraded() + " degraded, " + groups.lost()
                + " lost, " + groups.open() + " being written");
        out.println();
        TextTable namenodes = new TextTable("NAMENODE", "ADDRESS", "ROLE", "TERM", "APPLIED");
        report.namenodes()
                .forEach(n -> namenodes.row(
                        n.id(), n.address(), n.role(), n.term(), n.appliedIndex() < 0 ? "-" : n.appliedIndex()));
        out.println(namenodes);
        TextTable datanodes = new TextTable(
                "DATANODE", "ADDRESS", "RACK", "STATE", "VOLUME", "STATE", "USED", "FREE", "CHUNKS", "LAST HEARTBEAT");
        for (ClusterReport.Datanode d : report.datanodes()) {
            String heard =
                    d.lastHeartbeatMillis() == 0 ? "never" : TIME.format(Instant.ofEpochMilli(d.lastHeartbeatMillis()));
            d.volumes()
                    .forEach(v -> datanodes.row(
                            d.id(),
                            d.address(),
                            d.rack(),
                            d.state(),
                            v.id(),
                            v.state(),
                            TextTable.bytes(v.usedBytes()),
                            TextTable.bytes(v.freeBytes()),
                            v.chunks(),
                            heard));
        }
        out.print(datanodes);
        out.flush();
    }
}
