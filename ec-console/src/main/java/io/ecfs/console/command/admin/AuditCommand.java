package io.ecfs.console.command.admin;

import io.ecfs.client.EcfsClient;
import io.ecfs.console.command.option.ClusterOption;
import io.ecfs.console.view.Json;
import io.ecfs.console.view.TextTable;
import io.ecfs.console.view.audit.AuditCsv;
import io.ecfs.console.view.audit.AuditQuery;
import io.ecfs.console.view.audit.ClusterAudit;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The audit logs of all namenodes. */
@Command(
        name = "audit",
        description = "Who changed what: the latest lines of the audit logs of all namenodes, the latest first.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  ecfs admin audit",
            "  ecfs admin audit --find setThrottles",
            "  ecfs admin audit --find /projects --limit 10000 --csv > changes.csv"
        })
final class AuditCommand implements Callable<Integer> {
    private static final int MOST = 100_000;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOption cluster;

    @Option(names = "--find", paramLabel = "TEXT", defaultValue = "", description = "Only lines that contain it.")
    private String text;

    @Option(names = "--limit", paramLabel = "COUNT", defaultValue = "100", description = "Most lines (default: 100).")
    private int limit;

    @Option(names = "--csv", description = "As CSV.")
    private boolean csv;

    @Option(names = "--json", description = "For scripts.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        if (limit < 1 || limit > MOST || (csv && json)) {
            throw new IllegalArgumentException("--limit must be in [1, " + MOST + "], and --csv or --json, not both");
        }
        ClusterAudit latest;
        try (EcfsClient client = cluster.connect()) {
            latest = AuditQuery.latest(client, text, limit, Integer.MAX_VALUE);
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            Json.print(out, latest.json());
        } else if (csv) {
            out.print(AuditCsv.of(latest));
        } else {
            TextTable table = new TextTable("TIME", "WHO", "VIA", "ACTION", "TARGET", "RESULT", "DETAIL");
            latest.entries()
                    .forEach(e -> table.row(e.at(), e.who(), e.via(), e.action(), e.target(), e.result(), e.detail()));
            out.print(table);
        }
        out.flush();
        latest.missing()
                .forEach((namenode, why) ->
                        spec.commandLine().getErr().println("ecfs: " + namenode + " was not read: " + why));
        spec.commandLine().getErr().flush();
        return latest.missing().isEmpty() ? 0 : 1;
    }
}
