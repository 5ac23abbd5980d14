package io.ecfs.console.command.admin;

import io.ecfs.client.EcfsClient;
import io.ecfs.config.Sizes;
import io.ecfs.console.command.option.ClusterOption;
import io.ecfs.console.view.Json;
import io.ecfs.console.view.TextTable;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Bounds of a directory (HDFS: dfsadmin -setQuota, -setSpaceQuota, -clrQuota, -clrSpaceQuota). */
@Command(
        name = "quota",
        description = {
            "Quota and usage of a directory; with --names or --space, set that quota first.",
            "Space is that of chunks, parity included. A group being written counts as a full one until it is sealed."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  ecfs admin quota /projects",
            "  ecfs admin quota /projects --names 100000 --space 10t",
            "  ecfs admin quota /projects --space none       removes the quota",
            "  ecfs admin quota /projects --json | jq .spaceUsed"
        })
final class QuotaCommand implements Callable<Integer> {
    private static final String NONE = "none";

    /** The namenode's value for it. */
    private static final long UNBOUNDED = -1;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOption cluster;

    @Parameters(paramLabel = "DIRECTORY")
    private String path;

    @Option(
            names = "--names",
            paramLabel = "COUNT",
            description = "Most files and directories, itself included; or 'none'.")
    private String names;

    @Option(names = "--space", paramLabel = "SIZE", description = "Most bytes of chunks, such as 10t; or 'none'.")
    private String space;

    @Option(names = "--json", description = "For scripts.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        FilePath directory = new FilePath(path);
        Optional<Long> mostNames = bound("--names", names, Long::parseLong);
        Optional<Long> mostSpace = bound("--space", space, Sizes::bytes);
        try (EcfsClient client = cluster.connect()) {
            if (mostNames.isPresent() || mostSpace.isPresent()) {
                Await.result(client.setQuota(directory, mostNames, mostSpace));
            }
            print(Await.result(client.quota(directory)));
        }
        return 0;
    }

    private Optional<Long> bound(String option, String value, ToLongFunction<String> parse) {
        if (value == null) {
            return Optional.empty();
        }
        if (value.equals(NONE)) {
            return Optional.of(UNBOUNDED);
        }
        try {
            long bound = parse.applyAsLong(value);
            if (bound > 0) {
                return Optional.of(bound);
            }
        } catch (IllegalArgumentException e) {
            throw refused(option, value, e);
        }
        throw refused(option, value, null);
    }

    private ParameterException refused(String option, String value, IllegalArgumentException cause) {
        return new ParameterException(
                spec.commandLine(), option + " takes a number greater than 0 or 'none', got '" + value + "'", cause);
    }

    private void print(NamespaceReply.Quota quota) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            Json.print(out, quota);
            return;
        }
        if (quota.names().isEmpty() && quota.space().isEmpty()) {
            out.println(path + " has no quota");
        } else {
            TextTable table = new TextTable("", "USED", "QUOTA");
            table.row(
                    "names",
                    quota.namesUsed(),
                    quota.names().map(String::valueOf).orElse(NONE));
            table.row(
                    "space",
                    TextTable.bytes(quota.spaceUsed()),
                    quota.space().map(TextTable::bytes).orElse(NONE));
            out.print(table);
        }
        out.flush();
    }
}
