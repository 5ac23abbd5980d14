package io.ecfs.console.command.admin;

import io.ecfs.config.Sizes;
import io.ecfs.console.command.option.ClusterOption;
import io.ecfs.console.view.TextTable;
import io.ecfs.message.Throttles;
import io.ecfs.message.Throttles.Throttle;
import io.ecfs.message.namespace.NamespaceRequest.SetThrottles;
import io.ecfs.wire.Await;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.LongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Limits of reconstruction and moves of chunks (HDFS: dfsadmin -setBalancerBandwidth,
 * dfs.namenode.replication.max-streams).
 */
@Command(
        name = "throttle",
        description = {
            "Limits of reconstruction and moves of chunks; with an option, change them at once, for the superuser.",
            "A throttle is in the namenodes' log and applies under every leader, until 'default' resets it."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  ecfs admin throttle",
            "  ecfs admin throttle --repairs 20 --bytes-per-second 50MiB",
            "  ecfs admin throttle --repairs 0              # no reconstruction, no move",
            "  ecfs admin throttle --repairs default --bytes-per-second default"
        })
final class ThrottleCommand implements Callable<Integer> {
    private static final String DEFAULT = "default";

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOption cluster;

    @Option(names = "--repairs", paramLabel = "N", description = "Concurrent reconstructions in the cluster; 0: none.")
    private String repairs;

    @Option(
            names = "--per-datanode",
            paramLabel = "N",
            description = "Concurrent reconstructions with one datanode as their target.")
    private String perDatanode;

    @Option(
            names = "--bytes-per-second",
            paramLabel = "SIZE",
            description = "Bytes a datanode reads for reconstruction, such as 50MiB; 0: no limit. During user reads"
                    + " and writes repair.limit.busyBytesPerSecond applies as well.")
    private String bytesPerSecond;

    @Option(names = "--json", description = "For scripts.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        Optional<Long> atOnce = wanted(repairs);
        Optional<Long> each = wanted(perDatanode);
        Optional<Long> bytes = wanted(bytesPerSecond);
        return cluster.show(
                spec.commandLine().getOut(),
                json,
                client -> {
                    if (atOnce.isPresent() || each.isPresent() || bytes.isPresent()) {
                        Await.result(client.admin().setThrottles(atOnce, each, bytes));
                    }
                    return Await.result(client.admin().throttles());
                },
                ThrottleCommand::print);
    }

    private static void print(PrintWriter out, Throttles now) {
        TextTable table = new TextTable("THROTTLE", "NOW", "CONFIGURED", "");
        row(table, "concurrent reconstructions", now.repairsAtOnce(), Long::toString);
        row(table, "concurrent reconstructions per datanode", now.repairsPerDatanode(), Long::toString);
        row(table, "repair reads per datanode and second", now.repairBytesPerSecond(), ThrottleCommand::rate);
        out.print(table);
    }

    private static Optional<Long> wanted(String text) {
        return Optional.ofNullable(text)
                .map(value -> value.equals(DEFAULT) ? SetThrottles.AS_CONFIGURED : Sizes.bytes(value));
    }

    private static void row(TextTable table, String name, Throttle throttle, LongFunction<String> text) {
        table.row(
                name,
                text.apply(throttle.value()),
                text.apply(throttle.configured()),
                throttle.set() ? "by an operator" : "");
    }

    private static String rate(long bytes) {
        if (bytes == Throttles.AT_EACH_DATANODE) {
            return "as each datanode is configured";
        }
        return bytes == 0 ? "no limit" : TextTable.bytes(bytes);
    }
}
