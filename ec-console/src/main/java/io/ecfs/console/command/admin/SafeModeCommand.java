package io.ecfs.console.command.admin;

import io.ecfs.client.EcfsClient;
import io.ecfs.console.command.option.ClusterOption;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Safe mode, in which the namenodes reject writes (HDFS: dfsadmin -safemode). */
@Command(
        name = "safemode",
        description = {
            "Shows if the cluster rejects writes, and why; 'enter' makes every leader reject them until 'leave'.",
            "The safe mode of a namenode that starts ends by itself and cannot be left."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  ecfs admin safemode",
            "  ecfs admin safemode enter",
            "  ecfs admin safemode leave",
            "  ecfs admin safemode --json | jq .on"
        })
final class SafeModeCommand implements Callable<Integer> {
    /** In small letters on the command line. */
    enum Wish {
        GET,
        ENTER,
        LEAVE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOption cluster;

    @Parameters(
            paramLabel = "WISH",
            arity = "0..1",
            defaultValue = "get",
            description = "One of: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Wish wish;

    @Option(names = "--json", description = "For scripts.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        return cluster.show(
                spec.commandLine().getOut(),
                json,
                this::ask,
                (out, state) -> out.println("safe mode is " + (state.on() ? "on: " + state.reason() : "off")));
    }

    private NamespaceReply.SafeMode ask(EcfsClient client) throws IOException {
        if (wish != Wish.GET) {
            Await.result(client.setSafeMode(wish == Wish.ENTER));
        }
        return Await.result(client.safeMode());
    }
}
