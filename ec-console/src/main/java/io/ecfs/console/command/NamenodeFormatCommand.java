package io.ecfs.console.command;

import io.ecfs.config.ConfigReader;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.namenode.daemon.Formatting;
import io.ecfs.namenode.daemon.NamenodeConfig;
import io.ecfs.namenode.log.LogIdentity;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Formats a new cluster. */
@Command(
        name = "format",
        description = {
            "Format a new cluster on the empty directory of one of its namenodes, once.",
            "The others start with empty directories and join. A namenode of an existing cluster whose disk was lost"
                    + " is",
            "not formatted: it is started with an empty directory, and gets the state from the others."
        },
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  ecfs namenode format --config /etc/ecfs/nn0.yaml"})
final class NamenodeFormatCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private DaemonOptions options;

    @Override
    public Integer call() throws Exception {
        NamenodeConfig config = ConfigReader.read(NamenodeConfig.class, options.file(), options.overrides());
        LogIdentity log = Formatting.format(RealEnvironment.open(), config);
        spec.commandLine()
                .getOut()
                .println("formatted cluster " + log.clusterId() + " in " + config.directory()
                        + "; now copy its join token " + config.joinTokenFile()
                        + " to the other namenodes and to all datanodes, where only their own user may read it, and"
                        + " start all namenodes, the others with empty directories");
        return 0;
    }
}
